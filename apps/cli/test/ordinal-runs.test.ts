// @module-tag full
/** How `curvature ordinal` ends early, goes on, and gets along with many answers. */
import { pathToFileURL } from "node:url";
import { RandomGenerator } from "@curvature/linalg";
import { describe, expect, test } from "vitest";
import { eventsOf, isOneSentence, workplace } from "./cli.js";
import { answers, answersCsv, distances, rowsOf } from "./eurodist.js";

const place = workplace();

describe.concurrent("runs that end early", () => {
  const endless = [
    "--solver",
    "gd",
    "--tolerance",
    "0",
    "--max-passes",
    "1e9",
    "--max-iterations",
    "1000000000",
  ];

  test("Ctrl-C writes what there is, and exits 3", async () => {
    place().write("long.csv", answersCsv(answers(1)));
    let told = false;
    const outputs = ["--out", "long-map.csv", "--plot", "long.svg", "--report", "long.json"];
    const ended = await place().run(["ordinal", "long.csv", ...endless, ...outputs], {
      onLog: (child, log) => {
        if (told || !log.includes('"event":"iteration"')) return;
        told = true;
        child.kill("SIGINT");
      },
    });
    expect(ended.code).toBe(3);
    expect(rowsOf(place().read("long-map.csv")).rows).toHaveLength(21);
    expect(place().read("long.svg")).toContain("Rome");
    expect(JSON.parse(place().read("long.json")).result.status).toBe("aborted");
  });

  test("--max-seconds", async () => {
    place().write("timed.csv", answersCsv(answers(1)));
    const ended = await place().run(["ordinal", "timed.csv", ...endless, "--max-seconds", "0.2", "--quiet"]);
    expect(ended.code).toBe(2);
    expect(rowsOf(ended.stdout).rows).toHaveLength(21);
  });

  test("--checkpoint and --resume: the same map as without an end between", async () => {
    place().write("parts.csv", answersCsv(answers(1)));
    const run = ["ordinal", "parts.csv", "--solver", "svrg-sbb", "--tolerance", "0", "--quiet"];
    const whole = await place().run([...run, "--max-iterations", "41"]);
    const first = await place().run([...run, "--max-iterations", "17", "--checkpoint", "parts.bin"]);
    expect(first.code).toBe(2);
    expect(first.stdout).not.toBe(whole.stdout);
    const rest = await place().run([
      ...run,
      "--max-iterations",
      "41",
      "--checkpoint",
      "parts.bin",
      "--resume",
    ]);
    expect(rest.stdout).toBe(whole.stdout);
    const other = await place().run([...run, "--loss", "ste", "--checkpoint", "parts.bin", "--resume"]);
    expect(other.code).toBe(65);
    expect(isOneSentence(other.stderr)).toBe(true);
  });

  test("--json tells all, and the result carries the errors", async () => {
    place().write("told.csv", answersCsv(answers(2)));
    const ended = await place().run([
      "ordinal",
      "told.csv",
      "--json",
      "--test",
      "0.1",
      "--out",
      "told-map.csv",
    ]);
    const result = eventsOf(ended.stderr).at(-1);
    expect(result).toMatchObject({ event: "result", exitCode: ended.code });
    expect(result).toHaveProperty("metrics.testError");
  });
});

test("distances of many objects: so many answers as asked for", async () => {
  const count = 60;
  const at = Array.from({ length: count }, (_, i) => [(i * 37) % count, (i * 23) % 41]);
  const line = (i: number): string => at.map(([x, y]) => Math.hypot(x - at[i][0], y - at[i][1])).join(",");
  place().write("many.csv", `${at.map((_, i) => line(i)).join("\n")}\n`);
  const words = ["ordinal", "--from-distances", "many.csv", "--answers", "3000", "--report", "many.json"];
  const ended = await place().run([...words, "--test", "0.1"]);
  expect([0, 2]).toContain(ended.code);
  const { input, metrics } = JSON.parse(place().read("many.json"));
  // A tenth of the pairs is held out; answers about one of these and another pair are left out.
  expect(input.answers).toBeGreaterThan(0.7 * 3000);
  expect(input.testAnswers).toBeGreaterThan(0);
  expect(input.answers + input.testAnswers).toBeLessThan(3000);
  expect(metrics.testError).toBeLessThan(0.05);
  expect(distances.rows).toBe(21);
});

test.each([
  ["more questions than a million, fewer of them without ties", 130, 3, 592_164],
  ["more questions than can be listed, nearly all of them ties", 650, 300, 839_808],
])("distances that tie: %s", async (_, count, every, answers) => {
  const at = (i: number): number => (i % every === 0 ? i : 0);
  const line = (_: unknown, i: number): string =>
    Array.from({ length: count }, (_, j) => Math.abs(at(i) - at(j))).join(",");
  place().write(`ties-${count}.csv`, `${Array.from({ length: count }, line).join("\n")}\n`);
  const words = ["--from-distances", `ties-${count}.csv`, "--report", `ties-${count}.json`];
  const ended = await place().run(["ordinal", ...words, "--solver", "lbfgs", "--max-passes", "3"]);
  expect(ended.code, ended.stderr).toBe(2);
  const { input } = JSON.parse(place().read(`ties-${count}.json`));
  expect(input.answers).toBe(answers);
  expect(input.ties).toBeGreaterThan(0);
});

test("a million answers about ten thousand objects: in less than 400 MB, and with progress", async () => {
  const [objects, count] = [10_000, 1_000_000];
  const random = new RandomGenerator(1);
  const at = Float64Array.from({ length: 2 * objects }, () => random.uniform());
  const distance = (i: number, j: number): number =>
    (at[2 * i] - at[2 * j]) ** 2 + (at[2 * i + 1] - at[2 * j + 1]) ** 2;
  const lines = ["i,j,k"];
  while (lines.length <= count) {
    const [i, j, k] = [random.integer(objects), random.integer(objects), random.integer(objects)];
    if (i === j || i === k || j === k) continue;
    lines.push(distance(i, j) < distance(i, k) ? `${i},${j},${k}` : `${i},${k},${j}`);
  }
  place().write("million.csv", lines.join("\n"));
  const told = 'if (isMainThread) process.on("exit", () => console.error(process.resourceUsage().maxRSS));';
  place().write("memory.mjs", `import { isMainThread } from "node:worker_threads";\n${told}\n`);
  const words = ["ordinal", "million.csv", "--test", "0.1", "--max-iterations", "5", "--json", "--out", "-"];
  const ended = await place().run(words, {
    environment: { NODE_OPTIONS: `--import=${pathToFileURL(place().path("memory.mjs"))}` },
  });
  expect(ended.code).toBe(2);
  const log = ended.stderr.trimEnd().split("\n");
  expect(Number(log.pop())).toBeLessThan(400_000); // kilobytes
  expect(log.filter((line) => line.includes('"iteration"')).length).toBeGreaterThan(0);
});
