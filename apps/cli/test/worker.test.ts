/** `curvature worker` and `curvature sweep --redis`, as processes, behind a real Redis. */
import { mkdirSync, readdirSync, symlinkSync, unlinkSync } from "node:fs";
import { connect } from "@curvature/cluster/redis";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { eventsOf, groupsCsv, isOneSentence, workplace } from "./cli.js";
import { missingRedis, type RedisServer, startRedis } from "./redis-server.js";
import { Resident } from "./resident.js";

const place = workplace();

describe("what is refused", () => {
  const nobody = ["--redis", "redis://:secret@127.0.0.1:1"];
  const others: readonly (readonly [string, readonly string[], number, string])[] = [
    ["a sweep", ["sweep", "embed", "points.csv", ...nobody, "--out", "o"], 74, "nothing listens there"],
  ];
  const cases: readonly (readonly [string, readonly string[], number, string])[] = [
    ["no address", ["--data", "."], 64, "--redis"],
    ["no folder", ["--redis", "redis://127.0.0.1:1"], 64, "--data"],
    ["a folder that is not there", ["--redis", "redis://127.0.0.1:1", "--data", "none"], 74, "none"],
    ["nobody there", ["--redis", "redis://:secret@127.0.0.1:1", "--data", "."], 74, "nothing listens there"],
    ["no address in the environment", ["--redis", "--data", "."], 64, "CURVATURE_REDIS"],
    [
      "no runs at a time",
      ["--redis", "redis://127.0.0.1:1", "--data", ".", "--concurrency", "0"],
      64,
      "a whole number from 1",
    ],
  ];

  test("each ends with one sentence, with no password in it", { tags: ["full"] }, async () => {
    place().write("points.csv", groupsCsv(12));
    const all = [
      ...cases.map(([name, words, ...rest]) => [name, ["worker", ...words], ...rest] as const),
      ...others,
    ];
    const resident = new Resident(place().folder, { CURVATURE_REDIS: "" });
    onTestFinished(() => resident.end());
    const ends = await Promise.all(all.map(([, words]) => resident.run(words)));
    const told = ends.map(({ code, stderr }, k) => {
      expect(stderr).toContain(all[k][3]);
      expect(stderr).not.toContain("secret");
      expect(isOneSentence(stderr)).toBe(true);
      return [all[k][0], code];
    });
    expect(told).toEqual(all.map(([name, , code]) => [name, code]));
  });

  test("a fit whose Redis is not there ends with a sentence", { tags: ["full"] }, async () => {
    place().write("points.csv", groupsCsv(12));
    const fit = ["fit", "points.csv", "--labels", "group", "--objective", "softmax", ...nobody];
    const { code, stderr } = await place().run(fit);
    expect(code).toBe(74);
    expect(stderr).toContain("Redis at redis://127.0.0.1:1 cannot be reached: nothing listens there");
    expect(stderr).not.toContain("secret");
  });
});

describe.skipIf(missingRedis !== undefined)("behind a Redis", { tags: ["full"] }, () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis("--requirepass", "secret");
  });
  afterAll(() => server.remove());

  let databases = 0;
  const address = (): string => `${server.url.replace("//", "//:secret@")}/${databases++}`;

  /** Until it has joined; ended when the test is over. */
  async function worker(url: string, data: string, ...words: readonly string[]): Promise<{ log(): string }> {
    const child = place().start(["worker", "--redis", "--data", data, ...words], { CURVATURE_REDIS: url });
    let log = "";
    const joined = new Promise<void>((done) => {
      child.stderr?.on("data", (piece: Buffer) => {
        log += piece.toString();
        if (/has joined/.test(log)) done();
      });
      child.once("close", () => done());
    });
    onTestFinished(async () => {
      const ended = new Promise((done) => child.once("close", done));
      if (child.exitCode === null && child.kill("SIGTERM")) await ended;
    });
    await joined;
    return { log: () => log };
  }

  test("the table is that of this machine alone, whatever the number of workers; no password is told", async () => {
    place().write("points.csv", groupsCsv(45));
    const words = [
      "sweep",
      "embed",
      "points.csv",
      "--labels",
      "group",
      "--grid",
      "perplexity=5,10",
      "--restarts",
      "2",
    ];
    const common = [...words, "--init", "random", "--max-evaluations", "30"];
    const alone = await place().run([...common, "--out", "alone"]);
    expect(alone.code).toBe(0);
    const url = address();
    const workers = [await worker(url, "."), await worker(url, ".", "--concurrency", "2", "--name", "twin")];
    const ended = await place().run([...common, "--out", "pool", "--redis", "--json"], {
      environment: { CURVATURE_REDIS: url },
    });
    expect(ended).toMatchObject({ code: 0, stdout: "" });
    expect(place().read("pool/summary.csv")).toBe(place().read("alone/summary.csv"));
    expect(place().read("pool/picture.svg")).toBe(place().read("alone/picture.svg"));
    expect(eventsOf(ended.stderr).at(-1)).toMatchObject({ event: "result", runs: 4, done: 4 });
    const again = await place().run([...common, "--out", "pool", "--resume", "--redis"], {
      environment: { CURVATURE_REDIS: url },
    });
    expect(again.code).toBe(0);
    expect(again.stderr).toContain("4 of 4 runs are there already.");
    const log = ended.stderr + again.stderr + workers.map((one) => one.log()).join("");
    expect(log).not.toContain("secret");
    expect(log).toContain("The worker twin has joined the pool");
  });

  test("a file that workers cannot have is refused here; one that they lack is named", {
    tags: ["full"],
  }, async () => {
    const url = address();
    mkdirSync(place().path("shared"), { recursive: true });
    mkdirSync(place().path("empty"), { recursive: true });
    place().write("outside.csv", groupsCsv(12));
    place().write("shared/inside.csv", groupsCsv(12));
    symlinkSync(place().path("outside.csv"), place().path("shared/link.csv"));
    const words = ["--data", "shared", "--redis", url, "--max-evaluations", "5"];
    const outside = await place().run(["sweep", "embed", "outside.csv", ...words, "--out", "o1"]);
    expect(outside.code).toBe(64);
    expect(outside.stderr).toContain("outside.csv is not in the data folder shared");
    const link = await place().run(["sweep", "embed", "shared/link.csv", ...words, "--out", "o2"]);
    expect(link.code).toBe(74);
    expect(link.stderr).toContain("leads out of the data folder");
    await worker(url, "empty", "--name", "poor");
    const ended = await place().run(["sweep", "embed", "shared/inside.csv", ...words, "--out", "o3"]);
    expect(ended.code).toBe(74);
    expect(ended.stderr).toContain("No worker has the data. poor says: inside.csv is not in the data folder");
  });

  test.each([
    ["sweep", ["sweep", "embed", "points.csv", "--out", "o4"]],
    ["worker", ["worker", "--data", "."]],
    ["fit", ["fit", "points.csv", "--labels", "group", "--objective", "softmax"]],
  ])("a wrong password is refused, and not repeated: %s", { tags: ["full"] }, async (_, words) => {
    const url = server.url.replace("//", "//:wrong@");
    place().write("points.csv", groupsCsv(45));
    const ended = await place().run([...words, "--redis", url]);
    expect(ended.code).toBe(64);
    expect(ended.stderr).toContain("refuses the user or the password");
    expect(ended.stderr).not.toContain("wrong");
  });

  test("a second coordinator of the sweep is refused while the first lives; Ctrl-C stops its run at the worker", {
    tags: ["full"],
  }, async () => {
    const url = address();
    place().write("many.csv", groupsCsv(3000));
    const words = ["sweep", "embed", "many.csv", "--labels", "group", "--redis", url, "--name", "mine"];
    const slow = ["--grid", "perplexity=300,301,302", "--gradient", "exact", "--init", "random"];
    const helper = await worker(url, ".", "--concurrency", "1");
    const first = place().start([...words, ...slow, "--out", "first"]);
    let log = "";
    first.stderr?.on("data", (piece: Buffer) => {
      log += piece.toString();
    });
    const ended = new Promise<number | null>((done) => first.once("close", done));
    await until(() => helper.log().includes("Started: perplexity=300"));
    const second = await place().run([...words, ...slow, "--out", "second"]);
    expect(second.code).toBe(74);
    expect(second.stderr).toContain("The sweep mine at");
    expect(second.stderr).toContain("is led by the coordinator");
    first.kill("SIGINT");
    expect(await ended, log).toBe(3);
    await until(() => helper.log().includes("Stopped, since its sweep was: perplexity=300"));
    expect(helper.log()).not.toContain("Done in");
  });

  test("a full disk under the results: what workers do meanwhile is there when there is room", {
    tags: ["full"],
  }, async () => {
    const url = address();
    place().write("points.csv", groupsCsv(45));
    await worker(url, ".", "--concurrency", "1");
    const words = ["sweep", "embed", "points.csv", "--labels", "group", "--max-evaluations", "30"];
    const common = [...words, "--grid", "perplexity=4,5,6", "--redis", url, "--out", "room"];
    mkdirSync(place().path("room/runs"), { recursive: true });
    const blocked = place().path("room/runs/002-perplexity=5,seed=0.json");
    symlinkSync("/dev/full", blocked);
    const cut = await place().run(common);
    expect(cut.code).toBe(74);
    expect(cut.stderr).toContain("002-perplexity=5,seed=0.json: the disk is full");
    unlinkSync(blocked);
    const resumed = await place().run([...common, "--resume"]);
    expect(resumed.code).toBe(0);
    expect(readdirSync(place().path("room/runs"))).toHaveLength(3);
    const { client, close } = await connect(url);
    onTestFinished(close);
    expect((await client.keys("*")).filter((key) => /:[0-9a-f]{40}|:sweep:/.test(key))).toEqual([]);
  });

  async function until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await new Promise((done) => setTimeout(done, 50));
  }
});
