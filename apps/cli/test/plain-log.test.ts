/** Standard error where it is a file or a pipe, and --json is not given. */
import { spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync } from "node:fs";
import { expect, test } from "vitest";
import { eventsOf, groupsCsv, workplace } from "./cli.js";

const place = workplace();

/** But for progress, of which a slow machine has some. */
const linesOf = (log: string): string[] => log.split("\n").filter((line) => !/^t-SNE {2}/.test(line));

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
const control = /[\u0000-\u0009\u000b-\u001f]/;

test("notes, warnings and the summary are sentences, without a sign that steers a screen", async () => {
  place().write("gaps.csv", `${groupsCsv(40)}1,,3,4,a\n`);
  const words = ["embed", "gaps.csv", "--labels", "group", "--missing", "drop", "--out", "map.csv"];
  const { code, stdout, stderr } = await place().run(words);
  expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
  expect(stderr).not.toMatch(control);
  const lines = linesOf(stderr);
  expect(lines[0]).toMatch(/^gaps\.csv: .*left out/);
  expect(lines).toContainEqual(expect.stringMatching(/^t-SNE of 40 points/));
  expect(lines.at(-2)).toBe("  -> map.csv");
  expect(lines.at(-1)).toBe("");
  expect(lines.some((line) => line.startsWith("{"))).toBe(false);
});

test("an error is one line, with --json one record", async () => {
  const plain = await place().run(["embed", "none.csv"]);
  expect(plain.stderr).toBe("curvature: Cannot read none.csv: there is no such file; check the name.\n");
  const json = await place().run(["embed", "none.csv", "--json"]);
  expect(eventsOf(json.stderr).at(-1)).toMatchObject({ event: "error", code: "ERR_IO" });
  const behind = await place().run(["embed", "--", "none.csv", "--json"]);
  expect(behind.stderr).toMatch(/^curvature: Too many arguments/);
});

test("Ctrl-C is answered by a sentence, and the summary follows", async () => {
  place().write("long.csv", groupsCsv(60));
  const endless = ["--solver", "gd", "--tolerance", "0", "--max-iterations", "1000000000"];
  const checkpoint = ["--checkpoint", "long.bin", "--checkpoint-every", "0"];
  const child = place().start([
    "embed",
    "long.csv",
    "--labels",
    "group",
    ...endless,
    ...checkpoint,
    "-o",
    "l.csv",
  ]);
  let log = "";
  child.stderr?.setEncoding("utf8").on("data", (piece: string) => {
    log += piece;
  });
  const closed = new Promise((done) => child.once("close", done));
  while (!existsSync(place().path("long.bin"))) await new Promise((done) => setTimeout(done, 20));
  child.kill("SIGINT");
  expect(await closed).toBe(3);
  const lines = linesOf(log);
  expect(lines[0]).toBe("Stopping after this step, to write what there is; once more to stop at once.");
  expect(lines[1]).toMatch(/^t-SNE of 60 points/);
  expect(lines).toContain("  -> l.csv");
});

test("a reader that waits misses nothing, and one that has gone is no error", async () => {
  const sentences = 60_000; // more than a pipe or a pair of sockets holds
  place().write(
    "many.mjs",
    `for (let i = 0; i < ${sentences}; i++) console.log("line", i);
    export default { dimension: 1, count: 4, initial: [1], evaluate: (i, x, g) => { if (g) g[0] = x[0]; return x[0] ** 2 / 2; } };`,
  );
  const words = ["fit", "--module", "many.mjs", "--max-passes", "2", "--out", "x.json"];
  const slow = place().start(words);
  const closed = new Promise((done) => slow.once("close", done));
  await new Promise((done) => setTimeout(done, 1500));
  let log = "";
  slow.stderr?.setEncoding("utf8").on("data", (piece: string) => {
    log += piece;
  });
  expect([0, 2]).toContain(await closed);
  expect(log.match(/^line \d+$/gm)).toHaveLength(sentences);
  expect(log).toContain("  -> x.json");
  const deaf = place().start([...words.slice(0, -1), "y.json"]);
  deaf.stderr?.destroy();
  expect([0, 2]).toContain(await new Promise((done) => deaf.once("close", done)));
  expect(place().has("y.json")).toBe(true);
});

test.runIf(existsSync("/dev/full"))("a log on a full device costs no result", () => {
  place().write("full.csv", groupsCsv(20));
  const device = openSync("/dev/full", "w");
  const program = new URL("../bin/curvature.js", import.meta.url).pathname;
  const ended = spawnSync(
    process.execPath,
    [program, "embed", "full.csv", "--labels", "group", "-o", "full-map.csv"],
    {
      cwd: place().folder,
      stdio: ["ignore", "pipe", device],
    },
  );
  closeSync(device);
  expect(ended.status).toBe(0);
  expect(place().has("full-map.csv")).toBe(true);
});
