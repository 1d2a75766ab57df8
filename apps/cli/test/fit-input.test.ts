// @module-tag full
/** `curvature fit` as a process: what is wrong is said in one sentence, with the right exit code. */
import { beforeAll, describe, expect, test } from "vitest";
import { eventsOf, isOneSentence, workplace } from "./cli.js";
import { centres, reportIn, writeDigits } from "./fit-cases.js";

const place = workplace();

beforeAll(() => writeDigits(place()));

describe.concurrent("what is wrong is said in one sentence, with the right exit code", () => {
  const problem = centres();
  test.each<readonly [name: string, module: string, code: number, sentence: RegExp]>([
    ["nan", centres("return NaN;"), 65, /at the first point subfunction 0 is NaN/],
    ["throws", centres("throw new Error('boom');"), 65, /subfunction 0 threw: boom\./],
    ["rejects", centres("throw 'boom';", "async evaluate"), 65, /subfunction 0 threw: "boom"/],
    ["no-gradient", problem.replace("gradient?.set(d);", ""), 65, /has written no gradient/],
    [
      "half-gradient",
      problem.replace("gradient?.set(d);", "if (gradient) gradient[0] = d[0];"),
      65,
      /at 1 \(counted/,
    ],
    ["adds", problem.replace("gradient?.set(d);", "if (gradient) gradient[0] += d[0];"), 65, /no gradient/],
    ["long-gradient", problem.replace("gradient?.set(d);", "gradient?.set([...d, 1]);"), 65, /threw: /],
    ["object", centres("return { value: 1 };"), 65, /must return a number/],
    ["nothing", centres("return;"), 65, /must return a number .* it returned undefined/],
    [
      "none",
      problem.replace("count: 3", "count: 0"),
      65,
      /count must be a whole number of at least 1; it is 0/,
    ],
    ["flat", problem.replace("dimension: 2", "dimension: 1.5"), 65, /dimension must be a whole number/],
    ["short", problem.replace("[0, 0]", "[0]"), 65, /initial must have 2 numbers/],
    ["nan-start", problem.replace("[0, 0]", "[0, NaN]"), 65, /initial has NaN at 1/],
    ["word-start", problem.replace("[0, 0]", "'ab'"), 65, /initial, the first point, must be an array/],
    ["no-default", problem.replace("export default", "export const problem ="), 65, /no default export/],
    ["no-evaluate", problem.replace("evaluate(", "value("), 65, /evaluate must be a function/],
    ["number", "export default 7;", 65, /its default export is 7, and no problem/],
    ["makes-nothing", "export default () => undefined;", 65, /its default export returns undefined/],
    ["maker-throws", "export default () => { throw new Error('no data'); };", 65, /threw: no data/],
    ["no-module", "export default {", 65, /cannot be loaded: .*node --check/],
    ["no-such-import", "import 'nowhere-to-be-found'; export default 1;", 65, /cannot be loaded/],
    [
      "no-such-file",
      "import { readFileSync } from 'node:fs'; readFileSync('nowhere.csv'); export default 1;",
      74,
      /Cannot read bad-no-such-file.mjs, or what it reads: ENOENT.*nowhere.csv/,
    ],
    [
      "maker-reads",
      "import { readFile } from 'node:fs/promises'; export default () => readFile('nowhere.csv');",
      74,
      /Cannot read bad-maker-reads.mjs, or what it reads: ENOENT.*nowhere.csv/,
    ],
    [
      "getter-throws",
      problem.replace("dimension: 2", "get dimension() { throw new Error('not yet'); }"),
      65,
      /reading its dimension threw: not yet\./,
    ],
    [
      "getter-reads",
      `import { readFileSync } from 'node:fs';\n${problem.replace("initial: [0, 0]", "get initial() { return readFileSync('nowhere.csv'); }")}`,
      74,
      /Cannot read bad-getter-reads.mjs, or what it reads: ENOENT.*nowhere.csv/,
    ],
    [
      "evaluate-reads",
      `import { readFileSync } from 'node:fs';\n${centres("readFileSync('nowhere.csv');")}`,
      74,
      /Cannot read bad-evaluate-reads.mjs, or what it reads: ENOENT.*nowhere.csv/,
    ],
    [
      "evaluate-lists",
      `import { readFile } from 'node:fs/promises';\n${centres("await readFile('.');", "async evaluate")}`,
      74,
      /Cannot read bad-evaluate-lists.mjs, or what it reads: EISDIR/,
    ],
    [
      "no-connection",
      `import { connect } from 'node:net';
      export default () => new Promise((_, reject) => connect(1, '127.0.0.1').on('error', reject));`,
      65,
      /its default export threw: connect ECONNREFUSED/,
    ],
    [
      "no-socket",
      `import { connect } from 'node:net';
      export default () => new Promise((_, reject) => connect('./nowhere.sock').on('error', reject));`,
      65,
      /its default export threw: connect ENOENT/,
    ],
    ["exits", "process.exit(0);", 65, /broken the run off/],
    ["immense", problem.replace("count: 3", "count: 9007199254740991"), 65, /GB are free/],
  ])("%s", async (name, module, code, sentence) => {
    place().write(`bad-${name}.mjs`, module);
    const outputs = ["--out", `bad-${name}.npy`, "--report", `bad-${name}.json`, "--plot", `bad-${name}.svg`];
    const ended = await place().run(["fit", "--module", `bad-${name}.mjs`, "--quiet", ...outputs]);
    expect(ended.stderr).toMatch(sentence);
    expect(isOneSentence(ended.stderr)).toBe(true);
    expect(ended.code).toBe(code);
    const written = place()
      .files()
      .filter((file) => file.includes(`bad-${name}.`) && !file.endsWith(".mjs"));
    expect(written).toEqual([]);
  });

  test.each([
    ["throws", centres("if (calls > 20) throw new Error('boom');"), "failed"],
    ["rejects", centres("if (calls > 20) throw new Error('boom');", "async evaluate"), "failed"],
    ["forgets", centres("if (calls > 20) return undefined;"), "failed"],
    [
      "reads",
      `import { readFileSync } from 'node:fs';\n${centres("if (calls > 20) readFileSync('nowhere.csv');")}`,
      "failed",
    ],
    ["nan", centres("if (calls > 20) return NaN;"), "diverged"],
    ["infinite", centres("if (calls > 20) { gradient?.fill(1 / 0); return 1 / 0; }"), "diverged"],
  ])("later: %s keeps the best point, and exits 4", async (name, module, status) => {
    place().write(`late-${name}.mjs`, module);
    const outputs = ["--out", `late-${name}.json`, "--report", `late-${name}-report.json`];
    const ended = await place().run(["fit", "--module", `late-${name}.mjs`, ...outputs]);
    const { result, metrics } = reportIn(place(), `late-${name}-report.json`);
    expect(result).toMatchObject({ status });
    expect(ended.code).toBe(4);
    expect(result.value).toBeLessThanOrEqual(metrics.initialValue);
    const x: number[] = JSON.parse(place().read(`late-${name}.json`));
    const value = [
      [1, 2],
      [3, -1],
      [0, 4],
    ].reduce((sum, c) => sum + ((x[0] - c[0]) ** 2 + (x[1] - c[1]) ** 2) / 2, 0);
    expect(value).toBeCloseTo(result.value, 9);
  });

  test("values that change between calls are warned of", async () => {
    const noisy = centres().replace("return (d", "return Math.random() + (d");
    for (const solver of ["sfo", "adam:0.1"]) {
      place().write("noisy.mjs", noisy);
      const ended = await place().run(["fit", "--module", "noisy.mjs", "--solver", solver, "--json"]);
      const warnings = eventsOf(ended.stderr).filter(({ event }) => event === "warning");
      expect(warnings).toHaveLength(1);
      expect(warnings[0]["message"]).toMatch(/other values or gradients/);
    }
  });

  test("one solver that cannot is no reason to lose the others", async () => {
    place().write("async.mjs", centres("", "async evaluate"));
    const words = ["--module", "async.mjs", "--compare", "lbfgs,sfo", "--report", "async.json"];
    const ended = await place().run(["fit", ...words, "--json"]);
    expect(ended.code).toBe(0);
    expect(reportIn(place(), "async.json").metrics.solvers.map(({ status }) => status)).toEqual([
      "failed",
      "converged",
    ]);
    expect(eventsOf(ended.stderr).filter(({ event }) => event === "warning")).toHaveLength(1);
  });

  test.each<readonly [code: number, sentence: RegExp, words: string]>([
    [64, /--objective <name> or --formula <f> with data, or --module/, ""],
    [64, /--objective softmax needs data/, "--objective softmax"],
    [64, /--module brings its own problem/, "digits300.csv --module x.mjs"],
    [64, /--hidden is for objectives made from data/, "--module x.mjs --hidden 3"],
    [74, /Cannot read nowhere\.mjs/, "--module nowhere.mjs"],
    [74, /Cannot read nowhere\.csv/, "nowhere.csv --objective ica"],
    [65, /has no labels, and softmax learns classes/, "digits300.csv --objective softmax"],
    [
      65,
      /logistic needs labels of two classes; there are 10/,
      "digits300.csv --objective logistic --labels digit",
    ],
    [64, /no column "nope"/, "digits300.csv --objective softmax --labels nope"],
    [64, /--minibatches must be at most 300/, "digits300.csv --objective ica --minibatches 301"],
    [65, /A state must be 0 or 1/, "digits300.csv --objective ising"],
    [64, /--hidden is for networks/, "digits300.csv --objective ica --hidden 3"],
    [64, /one hidden layer/, "digits300.csv --objective autoencoder --hidden 3,2"],
    [64, /maps of its convolutions/, "digits300.csv --objective convnet --labels digit --hidden 3"],
    [64, /no square image/, "digits300.csv --objective convnet --labels parity.txt"],
    [64, /Did you mean adam/, "digits300.csv --objective ica --solver adm"],
    [64, /adam:-1: .*learningRate must be/, "digits300.csv --objective ica --solver adam:-1"],
    [64, /sfo has nothing to tune/, "digits300.csv --objective ica --solver sfo:1"],
    [64, /names sfo twice/, "digits300.csv --objective ica --compare sfo,sfo"],
    [64, /leave out --solver/, "digits300.csv --objective ica --compare sfo --solver sfo"],
    [64, /cannot be had with --compare/, "digits300.csv --objective ica --compare sfo --checkpoint c"],
    [64, /must end in \.npy/, "digits300.csv --objective ica --out x.txt"],
    [65, /empty\.csv/, "empty.csv --objective ica"],
    [65, /ragged\.csv.*line 3/i, "ragged.csv --objective ica"],
  ])("%i %s", async (code, sentence, words) => {
    place().write("empty.csv", "");
    place().write("ragged.csv", "1,2\n3,4\n5\n");
    const ended = await place().run(["fit", ...words.split(" ").filter((word) => word !== "")]);
    expect(
      ended.stderr
        .split("\n")
        .filter((line) => !line.startsWith("{"))
        .join("\n"),
    ).toMatch(sentence);
    expect(isOneSentence(ended.stderr)).toBe(true);
    expect(ended.code).toBe(code);
    expect(ended.stdout).toBe("");
  });
});
