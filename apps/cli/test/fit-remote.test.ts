// @module-tag full
/** `curvature fit --redis` as processes: the bits of a run at home, whoever is killed on the way. */
import type { ChildProcess } from "node:child_process";
import { mkdirSync } from "node:fs";
import { connect } from "@curvature/cluster/redis";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { eventsOf, groupsCsv, isOneSentence, workplace } from "./cli.js";
import { missingRedis, type RedisServer, startRedis } from "./redis-server.js";

const place = workplace();

const words = [
  "fit",
  "data/groups.csv",
  "--labels",
  "group",
  "--objective",
  "softmax",
  "--max-passes",
  "25",
  "--tolerance",
  "0",
];

describe.skipIf(missingRedis !== undefined)("with workers", () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis();
    mkdirSync(place().path("data"));
    mkdirSync(place().path("bare"));
    place().write("data/groups.csv", groupsCsv(300));
    place().write("data/apart.csv", groupsCsv(90));
  });
  afterAll(() => server.remove());

  /** Taking part before it is returned means nothing: runs wait for workers. */
  function worker(folder = "data"): ChildProcess {
    const child = place().start([
      "worker",
      "--redis",
      server.url,
      "--data",
      folder,
      "--concurrency",
      "1",
      "--quiet",
    ]);
    onTestFinished(() => {
      child.kill("SIGKILL");
    });
    return child;
  }

  const remote = (...more: readonly string[]): string[] => [
    ...words,
    "--redis",
    server.url,
    "--data",
    "data",
    ...more,
  ];

  test.each([
    ["sfo", []],
    ["sfo in batches", ["--batch", "8"]],
    ["sfo without one of the columns", ["--ignore", "0"]],
    [
      "sfo with rows held out, which are evaluated at home",
      ["--validation", "data/apart.csv", "--patience", "99"],
    ],
  ])("%s has the bits of a run at home", async (_, how) => {
    worker();
    worker();
    const home = await place().run([...words, ...how, "--out", "home.npy"]);
    const away = await place().run(remote(...how, "--out", "away.npy"));
    expect(away.stderr, away.stderr).not.toContain("takes no part");
    expect([home.code, away.code]).toEqual([0, 0]);
    expect(place().bytes("away.npy")).toEqual(place().bytes("home.npy"));
  });

  test("L-BFGS adds up subfunction by subfunction, and ends where a run at home does to 1e-9", async () => {
    worker();
    const value = async (more: readonly string[]): Promise<number> => {
      await place().run([...words, "--solver", "lbfgs", "--report", "report.json", ...more]);
      return JSON.parse(place().read("report.json")).result.value;
    };
    const home = await value([]);
    const away = await value(["--redis", server.url, "--data", "data"]);
    expect(Math.abs(away - home)).toBeLessThan(1e-9 * Math.abs(home));
  });

  test("a coordinator and workers that are killed on the way change nothing: it goes on from its checkpoint", async () => {
    const workers = [worker(), worker()];
    await place().run([...words, "--batch", "4", "--out", "home.npy"]);
    const checkpoint = [
      "--batch",
      "4",
      "--checkpoint",
      "run.ckpt",
      "--checkpoint-every",
      "0",
      "--out",
      "away.npy",
    ];
    for (let k = 0; k < 2; k++) {
      const resume = k > 0 ? ["--resume"] : [];
      const child = place().start(remote(...checkpoint, ...resume));
      const ended = new Promise((done) => child.once("exit", done));
      const before = place().has("run.ckpt") ? Buffer.from(place().bytes("run.ckpt")).toString("latin1") : "";
      while (child.exitCode === null) {
        const now = place().has("run.ckpt") ? Buffer.from(place().bytes("run.ckpt")).toString("latin1") : "";
        if (now !== before && now !== "") break;
        await new Promise((done) => setTimeout(done, 20));
      }
      workers[k].kill("SIGKILL");
      child.kill("SIGKILL");
      await ended;
      worker();
    }
    const last = await place().run(remote(...checkpoint, "--resume"));
    expect(last.code, last.stderr).toBe(0);
    expect(place().bytes("away.npy")).toEqual(place().bytes("home.npy"));
  });

  test("a worker without the data says which file it misses, and the run goes on with the others", async () => {
    worker("bare");
    const run = await place().run(remote("--json"), {
      onLog: (_, log) => {
        if (log.includes("takes no part") && !isHelped) {
          isHelped = true;
          worker();
        }
      },
    });
    expect(run.code, run.stderr).toBe(0);
    const warnings = eventsOf(run.stderr).filter(({ event }) => event === "warning");
    expect(JSON.stringify(warnings)).toMatch(/takes no part: groups\.csv is not in the data folder/i);
  });
  let isHelped = false;

  test("a second coordinator of the same name is refused", async () => {
    const first = place().start(remote("--name", "same"));
    onTestFinished(() => {
      first.kill("SIGKILL");
    });
    const { client, close } = await connect(server.url);
    onTestFinished(close);
    await vi.waitUntil(() => client.exists("curvature:sum:{same}:lease"), { timeout: 300_000, interval: 20 });
    const second = await place().run(remote("--name", "same"));
    expect(second.code).toBe(64);
    expect(second.stderr).toContain("A coordinator named same is at work");
  });

  test("data outside of the workers' folder are refused", async () => {
    place().write("outside.csv", groupsCsv(30));
    const ended = await place().run([
      ...["fit", "outside.csv", "--labels", "group", "--objective", "softmax"],
      ...["--redis", server.url, "--data", "data"],
    ]);
    expect(ended.code).toBe(64);
    expect(ended.stderr).toContain("outside.csv is not in the folder");
  });
});

test.each([
  ["--module takes no --redis", ["fit", "--module", "x.mjs", "--redis", "redis://localhost"]],
  ["--data is for --redis", [...words, "--data", "."]],
  ["standard input is no file", ["fit", "-", "--objective", "ica", "--redis", "redis://localhost"]],
])("a command line that cannot be is refused: %s", async (_, line) => {
  const ended = await place().run(line, { stdin: "" });
  expect(ended.code).toBe(64);
  expect(isOneSentence(ended.stderr) || ended.stderr.startsWith("{"), ended.stderr).toBe(true);
});
