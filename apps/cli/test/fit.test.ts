/** `curvature fit` as a process: what it writes, how it ends, and that it goes on where it was stopped. */
import { readFileSync } from "node:fs";
import { readNpy } from "@curvature/datasets";
import { loadDigits } from "@curvature/datasets/digits";
import { decodeCheckpoint, encodeCheckpoint } from "@curvature/optim-core";
import { beforeAll, describe, expect, test } from "vitest";
import { eventsOf, isOneSentence, workplace } from "./cli.js";

const place = workplace();

/** Half the squared distances to three points, whose least sum is at their mean (4/3, 5/3). */
const centres = (inside = "", evaluate = "evaluate"): string => `
const centres = [[1, 2], [3, -1], [0, 4]];
let calls = 0;
export default {
  dimension: 2,
  count: 3,
  initial: [0, 0],
  ${evaluate}(index, x, gradient) {
    calls++;
    ${inside}
    const d = centres[index].map((c, j) => x[j] - c);
    gradient?.set(d);
    return (d[0] * d[0] + d[1] * d[1]) / 2;
  },
};
`;
const least = 26 / 3;

/** Terms a(1 + ((x_j − j)/s)²)^½ of some coordinates: smooth, and long to minimise for plain gradients. */
const longValley = (extra = ""): string => `
${extra}
export default ({ seed }) => ({
  dimension: 12,
  count: 10,
  initial: Array.from({ length: 12 }, (_, j) => ((j * 7 + seed) % 5) - 2),
  evaluate(index, x, gradient) {
    let value = 0;
    gradient?.fill(0);
    for (let j = 0; j < 12; j++) {
      const weight = (1 + ((index + j) % 4)) * 10 ** (-j / 4);
      const root = Math.sqrt(1 + (x[j] - index / 5) ** 2);
      value += weight * root;
      if (gradient) gradient[j] = (weight * (x[j] - index / 5)) / root;
    }
    return value;
  },
});
`;

interface FitReport {
  readonly input: Record<string, unknown>;
  readonly options: Record<string, unknown>;
  readonly result: Record<string, unknown> & { readonly value: number; readonly passes: number };
  readonly metrics: {
    readonly initialValue: number;
    readonly trainingError: number | null;
    readonly parameters: readonly Record<string, unknown>[] | null;
    readonly solvers: readonly {
      readonly solver: string;
      readonly value: number;
      readonly passes: number;
      readonly status: string;
      readonly monitoringEvaluations: number;
      readonly curve: readonly {
        readonly passes: number;
        readonly seconds: number;
        readonly value: number;
      }[];
    }[];
  };
  readonly phases: Record<string, number>;
}

const reportIn = (name: string): FitReport => JSON.parse(place().read(name));
const vectorIn = (text: string): number[] => text.trimEnd().split("\n").map(Number);

beforeAll(async () => {
  const { points, labels } = await loadDigits();
  const header = [...Array.from({ length: 64 }, (_, j) => `p${j}`), "digit"].join(",");
  const lines = Array.from({ length: points.rows }, (_, i) => {
    const pixels = Array.from(points.data.subarray(64 * i, 64 * i + 64), (value) => value / 16);
    return [...pixels, labels[i]].join(",");
  });
  place().write("digits.csv", `${[header, ...lines].join("\n")}\n`);
  place().write("digits300.csv", `${[header, ...lines.slice(0, 300)].join("\n")}\n`);
  const parities = Array.from(labels.subarray(0, 300), (label) => (label % 2 === 0 ? "even" : "odd"));
  place().write("parity.txt", `${parities.join("\n")}\n`);
});

describe.concurrent("digits", () => {
  test("several solvers from one start: curves, the best one's parameters, the training error", async () => {
    const words = ["--objective", "softmax", "--compare", "sfo,lbfgs,adam:0.01", "--max-passes", "5"];
    const outputs = ["--out", "w.npy", "--report", "w.json", "--plot", "w.svg"];
    const ended = await place().run([
      "fit",
      "digits.csv",
      "--labels",
      "digit",
      ...words,
      ...outputs,
      "--quiet",
    ]);
    expect(ended).toMatchObject({ code: 2, stdout: "", stderr: "" });
    const { input, result, metrics } = reportIn("w.json");
    expect(input).toMatchObject({ rows: 1797, columns: 64, classes: 10, dimension: 650, subfunctions: 25 });
    expect(metrics.solvers.map(({ solver }) => solver)).toEqual(["sfo", "lbfgs", "adam:0.01"]);
    // 25 minibatches with the mean loss of each: log 10 at the start, where all classes are alike.
    expect(metrics.initialValue).toBeCloseTo(25 * Math.log(10), 9);
    for (const { curve, value, passes } of metrics.solvers) {
      expect(curve[0]).toEqual({ passes: 0, seconds: 0, value: metrics.initialValue });
      expect(value).toBeLessThan(metrics.initialValue / 3);
      expect(Math.min(...curve.map((point) => point.value))).toBeGreaterThanOrEqual(value);
      expect(passes).toBeGreaterThanOrEqual(5);
      curve.slice(1).forEach((point, k) => {
        expect(point.passes).toBeGreaterThan(curve[k].passes);
        expect(point.seconds).toBeGreaterThanOrEqual(curve[k].seconds);
      });
    }
    expect(result.value).toBe(Math.min(...metrics.solvers.map(({ value }) => value)));
    expect(metrics.solvers[0].curve).toHaveLength(6);
    expect(metrics.parameters).toEqual([{ name: "weights", offset: 0, rows: 10, columns: 65 }]);
    // What the file holds is what the report measures: the digits that the weights get wrong.
    const { points } = await readNpy(place().bytes("w.npy"));
    expect(points).toMatchObject({ rows: 650, columns: 1 });
    const digits = await loadDigits();
    const wrong = digits.labels.filter((label, i) => {
      const scores = Array.from({ length: 10 }, (_, k) => {
        let score = points.data[65 * k + 64];
        for (let j = 0; j < 64; j++) score += (points.data[65 * k + j] * digits.points.data[64 * i + j]) / 16;
        return score;
      });
      return scores.indexOf(Math.max(...scores)) !== label;
    });
    expect(metrics.trainingError).toBeCloseTo(wrong.length / 1797, 12);
    expect(metrics.trainingError).toBeLessThan(0.05);
    const svg = place().read("w.svg");
    for (const word of ["sfo", "lbfgs", "adam:0.01", "seconds", "passes over the subfunctions"]) {
      expect(svg).toContain(`>${word}</text>`);
    }
  });

  test("words are classes, in their order", async () => {
    const words = ["--objective", "logistic", "--labels", "parity.txt", "--max-passes", "3", "--quiet"];
    const ended = await place().run(["fit", "digits300.csv", ...words, "--report", "parity.json"]);
    expect(ended).toMatchObject({ code: 2, stderr: "" });
    expect(reportIn("parity.json").input).toMatchObject({ classes: 2, classNames: ["even", "odd"] });
    expect(reportIn("parity.json").metrics.trainingError).toBeLessThan(0.1);
  });

  test.each([
    ["mlp", ["--hidden", "8"], 64 * 8 + 8 + 8 * 10 + 10],
    ["convnet", ["--hidden", "3,8", "--filter", "3"], 3 * 9 + 3 + 27 * 8 + 8 + 8 * 10 + 10],
    ["autoencoder", ["--hidden", "5", "--contraction", "0", "--decoder", "linear"], 64 * 5 + 5 + 64],
    ["ica", ["--scale", "standard"], 64 * 64 + 64],
  ] as const)("%s has the sizes that it is given", async (objective, words, dimension) => {
    const common = [
      "fit",
      "digits300.csv",
      "--labels",
      "digit",
      "--objective",
      objective,
      "--max-passes",
      "2",
    ];
    const report = `${objective}.json`;
    const ended = await place().run([
      ...common,
      ...words,
      "--minibatches",
      "20",
      "--quiet",
      "--report",
      report,
    ]);
    expect(ended.stderr).toBe("");
    expect(ended.code).toBe(2);
    const { input, result, metrics } = reportIn(report);
    expect(input).toMatchObject({ dimension, subfunctions: 20 });
    expect(result.value).toBeLessThan(metrics.initialValue);
  });

  test("every option of the problem does something", async () => {
    const base = [
      "fit",
      "digits300.csv",
      "--labels",
      "digit",
      "--objective",
      "mlp",
      "--max-passes",
      "1",
      "--quiet",
    ];
    const variants = [
      [],
      ["--seed", "1"],
      ["--hidden", "8"],
      ["--regularization", "0.1"],
      ["--minibatches", "10"],
      ["--scale", "max"],
      ["--solver", "adam:0.1"],
      ["--max-passes", "2"],
    ];
    const found = await Promise.all(variants.map((words) => place().run([...base, ...words])));
    for (const { code, stderr } of found) expect({ code, stderr }).toEqual({ code: 2, stderr: "" });
    expect(new Set(found.map(({ stdout }) => stdout)).size).toBe(variants.length);
    const again = await place().run(base);
    expect(again.stdout).toBe(found[0].stdout);
  });
});

describe.concurrent("a module", () => {
  test.each(["sfo", "lbfgs", "sgd:0.3", "adam:0.1", "hessian-free", "sag:2"])(
    "%s finds the least value of three squares",
    async (solver) => {
      // a file of its own: the tests run side by side
      const file = `centres-${solver.replace(/\W/g, "-")}.mjs`;
      place().write(file, centres());
      const words = ["--module", file, "--solver", solver, "--max-passes", "200", "--quiet"];
      const ended = await place().run(["fit", ...words]);
      expect(ended.stderr).toBe("");
      const [x, y] = vectorIn(ended.stdout);
      expect(Math.hypot(x - 4 / 3, y - 5 / 3)).toBeLessThan(0.1);
    },
  );

  test("converges, and says so", async () => {
    place().write("fine.mjs", centres());
    const ended = await place().run([
      "fit",
      "--module",
      "fine.mjs",
      "--report",
      "fine.json",
      "--out",
      "fine-x.json",
    ]);
    expect(ended).toMatchObject({ code: 0, stdout: "" });
    expect(reportIn("fine.json").result).toMatchObject({ status: "converged" });
    expect(reportIn("fine.json").result.value).toBeCloseTo(least, 9);
    expect(JSON.parse(place().read("fine-x.json"))[0]).toBeCloseTo(4 / 3, 5);
    expect(eventsOf(ended.stderr).at(-1)).toMatchObject({
      event: "result",
      status: "converged",
      exitCode: 0,
    });
  });

  test("promises, several under way, and a function that makes the problem of the seed", async () => {
    const slow = centres("", "async evaluate").replace(
      "export default {",
      "export default async ({ seed }) => ({ initialSeed: seed,",
    );
    place().write(
      "slow.mjs",
      slow.replace(/\};\s*$/, "});\n").replace("calls++;", "await new Promise(setImmediate);"),
    );
    for (const concurrency of ["1", "3"]) {
      const words = ["--module", "slow.mjs", "--concurrency", concurrency, "--quiet"];
      const ended = await place().run(["fit", ...words]);
      expect(ended.stderr).toBe("");
      expect(ended.code).toBe(0);
      expect(vectorIn(ended.stdout)[0]).toBeCloseTo(4 / 3, 4);
    }
  });

  test("what it prints is talk, not data", async () => {
    place().write("talks.mjs", centres("console.log('a word');"));
    const ended = await place().run(["fit", "--module", "talks.mjs", "--quiet"]);
    expect(vectorIn(ended.stdout)).toHaveLength(2);
    expect(ended.stderr).toContain("a word");
  });

  test("may not change the point that it is handed", async () => {
    place().write("pure.mjs", centres());
    place().write("spoils.mjs", centres().replace("gradient?.set(d);", "gradient?.set(d); x.fill(99);"));
    const [pure, spoils] = await Promise.all(
      ["pure.mjs", "spoils.mjs"].map((module) => place().run(["fit", "--module", module, "--quiet"])),
    );
    expect(spoils.stdout).toBe(pure.stdout);
  });

  test("the one in the README, a line that outliers do not tilt", async () => {
    const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
    const [, example = ""] = /```js\n([\s\S]*?)```/.exec(readme) ?? [];
    expect(example).toContain("evaluate(index, x, gradient)");
    place().write("problem.mjs", example);
    const ended = await place().run(["fit", "--module", "problem.mjs", "--quiet"]);
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    const [slope, offset] = vectorIn(ended.stdout);
    // 2 t − 1 without its outliers; least squares would put the line half a unit higher.
    expect(Math.abs(slope - 2)).toBeLessThan(0.1);
    expect(Math.abs(offset + 1)).toBeLessThan(0.2);
  });

  test("only one subfunction", async () => {
    place().write("one.mjs", centres().replace("count: 3", "count: 1"));
    const ended = await place().run(["fit", "--module", "one.mjs", "--quiet", "--max-passes", "100"]);
    expect(ended.code).toBe(0);
    expect(vectorIn(ended.stdout)[0]).toBeCloseTo(1, 5);
  });
});

describe.concurrent("stopping and going on", () => {
  test.each(["sfo", "adam:0.05", "lbfgs"])("%s goes on from its checkpoint bit for bit", async (solver) => {
    const name = solver.replace(":", "-");
    place().write(`${name}.mjs`, longValley());
    const base = ["fit", "--module", `${name}.mjs`, "--solver", solver, "--quiet", "--tolerance", "0"];
    const whole = await place().run([...base, "--max-passes", "16"]);
    const kept = [...base, "--checkpoint", `${name}.bin`];
    const part = await place().run([...kept, "--max-passes", "7"]);
    const rest = await place().run([...kept, "--resume", "--max-passes", "16"]);
    expect(whole.stderr + part.stderr + rest.stderr).toBe("");
    expect(part.stdout).not.toBe(whole.stdout);
    expect(rest.stdout).toBe(whole.stdout);
  });

  test("a checkpoint of another problem, another start or another solver is refused", async () => {
    place().write("valley.mjs", longValley());
    place().write("other.mjs", longValley("// another module"));
    const kept = [
      "fit",
      "--checkpoint",
      "valley.bin",
      "--max-passes",
      "3",
      "--quiet",
      "--out",
      "refused.npy",
    ];
    const first = await place().run([...kept, "--module", "valley.mjs"]);
    expect(first.code).toBe(2);
    const before = place().bytes("valley.bin");
    for (const words of [
      ["--module", "other.mjs"],
      ["--module", "valley.mjs", "--seed", "1"],
      ["--module", "valley.mjs", "--solver", "adam:0.1"],
    ]) {
      const ended = await place().run([...kept, ...words, "--resume"]);
      expect(ended.code).toBe(65);
      expect(ended.stderr).toMatch(/^curvature: valley\.bin: The checkpoint is of another/);
    }
    expect(place().bytes("valley.bin")).toEqual(before);
    const checkpoint = decodeCheckpoint(before);
    const newer = encodeCheckpoint({ ...checkpoint, solver: { ...checkpoint.solver, version: 99 } });
    place().write("newer.bin", newer);
    const old = ["--module", "valley.mjs", "--checkpoint", "newer.bin", "--resume", "--quiet"];
    const ofNewer = await place().run(["fit", ...old]);
    expect(ofNewer.code).toBe(65);
    expect(ofNewer.stderr).toMatch(/^curvature: newer\.bin: .*version/);
    place().write(
      "damaged.bin",
      before.map((byte, k) => (k === before.length >> 1 ? byte ^ 255 : byte)),
    );
    const damaged = await place().run([
      "fit",
      "--module",
      "valley.mjs",
      "--checkpoint",
      "damaged.bin",
      "--resume",
      "--quiet",
    ]);
    expect(damaged.code).toBe(65);
    expect(isOneSentence(damaged.stderr)).toBe(true);
  });

  test("Ctrl-C writes the best measured point", async () => {
    place().write(
      "endless.mjs",
      longValley("const wait = () => new Promise((done) => setTimeout(done, 2));")
        .replace("evaluate(", "async evaluate(")
        .replace("let value = 0;", "await wait(); let value = 0;"),
    );
    let told = false;
    const words = [
      "--module",
      "endless.mjs",
      "--max-passes",
      "100000",
      "--tolerance",
      "0",
      "--solver",
      "adam:0.001",
    ];
    const outputs = ["--out", "endless.json", "--report", "endless-report.json", "--plot", "endless.svg"];
    const ended = await place().run(["fit", ...words, ...outputs], {
      onTalk: (child, talk) => {
        if (told || !/"event":"iteration".*"passes":[2-9]/.test(talk)) return;
        told = true;
        child.kill("SIGINT");
      },
    });
    expect(ended.code).toBe(3);
    const { result, metrics } = reportIn("endless-report.json");
    expect(result).toMatchObject({ status: "aborted" });
    expect(result.value).toBeLessThan(metrics.initialValue);
    expect(result.value).toBe(Math.min(...metrics.solvers[0].curve.map(({ value }) => value)));
    expect(JSON.parse(place().read("endless.json"))).toHaveLength(12);
    expect(place().has("endless.svg")).toBe(true);
  });

  test("--max-seconds and --tolerance end a run", async () => {
    place().write("limits.mjs", longValley());
    const base = ["fit", "--module", "limits.mjs", "--quiet", "--report"];
    await place().run([...base, "seconds.json", "--max-seconds", "1e-9"]);
    expect(reportIn("seconds.json").result).toMatchObject({ status: "time-limit" });
    const loose = await place().run([...base, "loose.json", "--tolerance", "0.01"]);
    expect(loose.code).toBe(0);
    const { result } = reportIn("loose.json");
    await place().run([...base, "tight.json", "--max-passes", "200"]);
    expect(result.passes).toBeLessThan(reportIn("tight.json").result.passes);
  });
});

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
    ["immense", problem.replace("count: 3", "count: 9007199254740991"), 4, /GB are free/],
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
    const { result, metrics } = reportIn(`late-${name}-report.json`);
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
      const ended = await place().run(["fit", "--module", "noisy.mjs", "--solver", solver]);
      const warnings = eventsOf(ended.stderr).filter(({ event }) => event === "warning");
      expect(warnings).toHaveLength(1);
      expect(warnings[0]["message"]).toMatch(/other values or gradients/);
    }
  });

  test("one solver that cannot is no reason to lose the others", async () => {
    place().write("async.mjs", centres("", "async evaluate"));
    const words = ["--module", "async.mjs", "--compare", "lbfgs,sfo", "--report", "async.json"];
    const ended = await place().run(["fit", ...words]);
    expect(ended.code).toBe(0);
    expect(reportIn("async.json").metrics.solvers.map(({ status }) => status)).toEqual([
      "failed",
      "converged",
    ]);
    expect(eventsOf(ended.stderr).filter(({ event }) => event === "warning")).toHaveLength(1);
  });

  test.each<readonly [code: number, sentence: RegExp, words: string]>([
    [64, /--objective <name> with data, or --module/, ""],
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
    [65, /a state must be 0 or 1/, "digits300.csv --objective ising"],
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
