/** `curvature fit --validation`: rows that are held out, and what becomes of the parameters, the report and the picture. */
import { readNpy, readTable } from "@curvature/datasets";
import { loadDigits } from "@curvature/datasets/digits";
import { beforeAll, describe, expect, test } from "vitest";
import { readData } from "../src/read/data.js";
import { parted } from "../src/read/table-part.js";
import { isOneSentence, workplace } from "./cli.js";
import { centres, reportIn, writeDigits } from "./fit-cases.js";

const place = workplace();
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** digits300.csv as its first 200 rows, and the others. */
beforeAll(async () => {
  await writeDigits(place());
  const [header, ...lines] = place().read("digits300.csv").trimEnd().split("\n");
  place().write("fitted.csv", [header, ...lines.slice(0, 200)].join("\n"));
  place().write("apart.csv", [header, ...lines.slice(200)].join("\n"));
  place().write("others.csv", ["a,b,digit", "1,2,3"].join("\n"));
  place().write("stranger.csv", [header, lines[0].replace(/\d+$/, "11")].join("\n"));
});

const fit = async (line: string) => place().run(["fit", ...line.split(" ")]);

describe.concurrent("digits", () => {
  test("a file: the least mean loss of its rows, as anybody computes it from the parameters", async () => {
    const flags =
      "--labels digit --objective softmax --scale none --max-passes 60 --out file.npy --report file.json -q";
    const ended = await fit(`fitted.csv --validation apart.csv ${flags}`);
    expect(ended).toMatchObject({ code: 0, stdout: "", stderr: "" });
    const { input, options, result, metrics } = reportIn(place(), "file.json");
    expect(input).toMatchObject({ rows: 200, classes: 10 });
    expect(options).toMatchObject({ validation: "apart.csv", patience: 5 });
    expect(result["status"]).toBe("stalled");
    const [{ validationCurve: curve = [], validationPasses }] = metrics.solvers;
    const least = Math.min(...curve.map(({ value }) => value));
    expect(curve.map(({ passes }) => Math.round(passes))).toEqual(curve.map((_, k) => k));
    expect(metrics.validationLoss).toBe(least);
    expect(curve.findIndex(({ value }) => value === least)).toBe(curve.length - 6);
    expect(validationPasses).toBe(curve[curve.length - 6].passes);
    const { points: x } = await readNpy(place().bytes("file.npy"));
    const digits = await loadDigits();
    let loss = 0;
    let wrong = 0;
    for (let i = 200; i < 300; i++) {
      const scores = Array.from({ length: 10 }, (_, k) => {
        let score = x.data[65 * k + 64];
        for (let j = 0; j < 64; j++) score += (x.data[65 * k + j] * digits.points.data[64 * i + j]) / 16;
        return score;
      });
      loss += Math.log(scores.reduce((sum, s) => sum + Math.exp(s), 0)) - scores[digits.labels[i]];
      if (scores.indexOf(Math.max(...scores)) !== digits.labels[i]) wrong++;
    }
    expect(metrics.validationRows).toBe(100);
    expect(metrics.validationLoss).toBeCloseTo(loss / 100, 12);
    expect(metrics.validationError).toBe(wrong / 100);
  });

  test("a share, several solvers: the best by the rows held out, all curves in the picture", async () => {
    const flags = "--labels digit --objective mlp --hidden 8 --compare sfo,lbfgs,adam:0.01 --max-passes 12";
    const ended = await fit(`digits300.csv --validation 0.2 ${flags} --plot all.svg --report all.json -q`);
    expect(ended).toMatchObject({ stdout: "", stderr: "" });
    const { input, metrics } = reportIn(place(), "all.json");
    expect(input["rows"]).toBe(240);
    expect(metrics.validationRows).toBe(60);
    const losses = metrics.solvers.map(({ validationLoss }) => validationLoss ?? Number.NaN);
    expect(metrics.validationLoss).toBe(Math.min(...losses));
    for (const { validationCurve: curve = [], validationLoss, value } of metrics.solvers) {
      expect(Math.min(...curve.map((at) => at.value))).toBe(validationLoss);
      expect(value).toBeGreaterThan(0);
    }
    const svg = place().read("all.svg");
    for (const word of ["loss per row, fitted", "loss per row, held out", "sfo", "lbfgs", "adam:0.01"])
      expect(svg).toContain(`>${word}</text>`);
  });

  test("one solver: both curves in one panel, the file's words on the terminal", async () => {
    const flags = "--labels digit --objective mlp --hidden 8 --max-passes 3 --out one.npy --plot one.svg";
    const ended = await fit(`digits300.csv --validation 20% ${flags}`);
    expect(ended.code).toBe(0);
    for (const word of ["loss per row", "fitted", "held out"])
      expect(place().read("one.svg")).toContain(`>${word}</text>`);
    expect(ended.stderr).toMatch(
      /60 rows held out +loss [\d.]+, the least, after [\d.]+ passes; [\d.]+ % wrong/,
    );
  });

  test.each([
    "digits300.csv --ignore digit --objective autoencoder --hidden 6",
    "digits300.csv --labels parity.txt --ignore digit --objective logistic",
    "digits300.csv --labels digit --objective softmax --scale standard --solver lbfgs",
  ])("%s", async (line) => {
    const name = `${line.length}.json`;
    const ended = await fit(`${line} --validation 0.25 --max-passes 4 --report ${name} -q`);
    expect(ended.stderr).toBe("");
    const { metrics } = reportIn(place(), name);
    const [{ validationCurve: curve = [] }] = metrics.solvers;
    expect(metrics.validationRows).toBe(75);
    expect(metrics.validationLoss).toBeLessThan(curve[0].value);
  });

  test.each(["sfo", "adam:0.01"])("%s goes on from a checkpoint as if uninterrupted", async (solver) => {
    const name = solver.slice(0, 3);
    const flags = `fitted.csv --labels digit --objective mlp --hidden 6 --solver ${solver} -q`;
    const outputs = `--out ${name}.csv --report ${name}.json`;
    await fit(`${flags} --validation apart.csv --max-passes 7 ${outputs}`);
    const whole = place().read(`${name}.csv`);
    const { metrics } = reportIn(place(), `${name}.json`);
    const kept = `--checkpoint ${name}.checkpoint ${outputs}`;
    await fit(`${flags} --validation apart.csv --max-passes 3 ${kept}`);
    const resumed = await fit(`${flags} --validation apart.csv --max-passes 7 ${kept} --resume`);
    expect(resumed.stderr).toBe("");
    expect(place().read(`${name}.csv`)).toBe(whole);
    expect(reportIn(place(), `${name}.json`).metrics.validationLoss).toBe(metrics.validationLoss);
    const other = await fit(`${flags} --validation digits300.csv --max-passes 9 ${kept} --resume`);
    expect(other).toMatchObject({ code: 65, stderr: expect.stringContaining("of another") });
  });
});

describe.concurrent("a module that validates", () => {
  /** From (0, 0) to (4/3, 5/3); the first coordinate is to stay near 1/2. */
  const module = (validate: string) => centres("").replace("count: 3,", `count: 3, ${validate},`);

  test("stops early by its own figure", async () => {
    place().write("near.mjs", module("validate: ([x]) => (x - 0.5) ** 2"));
    const ended = await fit(
      "--module near.mjs --solver adam:0.05 --max-passes 200 --report near.json --plot near.svg -q",
    );
    expect(ended).toMatchObject({ code: 0, stderr: "" });
    const { result, metrics } = reportIn(place(), "near.json");
    expect(result).toMatchObject({ status: "stalled" });
    expect(metrics.validationLoss).toBeLessThan(0.01);
    expect(metrics.validationRows).toBeUndefined();
    expect(place().read("near.svg")).toContain(">validation</text>");
  });

  test("that throws later has failed, with the best point before", async () => {
    place().write(
      "breaks.mjs",
      module("calls: 0, validate() { if (++this.calls > 3) throw new Error('gone'); return 1; }"),
    );
    const ended = await fit("--module breaks.mjs --solver adam:0.05 --max-passes 20");
    expect(ended.code).toBe(4);
    expect(ended.stderr).toMatch(/gone/);
  });
});

describe.concurrent("what is wrong is said in one sentence", () => {
  const softmax = "--labels digit --objective softmax";
  test.each<readonly [code: number, sentence: RegExp, words: string]>([
    [
      65,
      /--validation 0\.001 of 300 rows leaves 300 to fit and 0 to validate on/,
      `digits300.csv ${softmax} --validation 0.001`,
    ],
    [
      64,
      /a share between 0 and 1, as 0\.2 or 20%, or the name of a file/,
      `digits300.csv ${softmax} --validation 1.5`,
    ],
    [64, /a share between 0 and 1, as 0\.2 or 20%/, `digits300.csv ${softmax} --validation 120%`],
    [74, /nowhere\.csv/, `digits300.csv ${softmax} --validation nowhere.csv`],
    [65, /others\.csv.*p0/, `digits300.csv ${softmax} --validation others.csv`],
    [
      65,
      /held out has the class "11", which no row has that is fitted/,
      `digits300.csv ${softmax} --validation stranger.csv`,
    ],
    [64, /--patience is for --validation/, `digits300.csv ${softmax} --patience 3`],
    [64, /patience.* must be/, `digits300.csv ${softmax} --validation 0.2 --patience 0`],
    [
      64,
      /labels that are a column of both/,
      "digits300.csv --labels parity.txt --ignore digit --objective logistic --validation apart.csv",
    ],
    [
      64,
      /--redis takes no share for --validation/,
      `digits300.csv ${softmax} --validation 0.2 --redis redis://nowhere:1`,
    ],
    [64, /a module validates by itself/, "--module plain.mjs --validation 0.2"],
    [64, /plain\.mjs has no validate\(x\)/, "--module plain.mjs --patience 3"],
    [65, /validate must be a function/, "--module number.mjs"],
    [65, /word\.mjs: validate must return a finite number, .* it returned "no"/, "--module word.mjs"],
    [65, /throws\.mjs: at the first point validate threw: no rows\./, "--module throws.mjs"],
    [64, /--validation does not go with --formula/, "digits300.csv --formula p0~a*p1 --validation 0.2"],
  ])("%i %s", async (code, sentence, words) => {
    place().write("plain.mjs", centres());
    place().write("word.mjs", centres().replace("count: 3,", "count: 3, validate: async () => 'no',"));
    const throwing = "count: 3, validate() { throw new Error('no rows'); },";
    place().write("throws.mjs", centres().replace("count: 3,", throwing));
    place().write("number.mjs", centres().replace("count: 3,", "count: 3, validate: 7,"));
    const ended = await fit(words);
    expect(ended.stderr).toMatch(sentence);
    expect(isOneSentence(ended.stderr)).toBe(true);
    expect(ended.code).toBe(code);
  });
});

test("words, means and scales are those of the rows that are fitted", async () => {
  const table = await readTable(bytes("size,color\n1,red\n3,blue\n,red\n100,green\n5,blue\n"));
  const options = { words: "one-hot", missing: "mean" } as const;
  const { columns, points, apartPoints, others, apart, notes } = parted(
    table,
    options,
    [],
    Uint8Array.of(0, 0, 0, 1, 0),
    undefined,
  );
  expect([others, apart]).toEqual([Int32Array.of(0, 1, 2, 4), Int32Array.of(3)]);
  expect(columns).toEqual(["size", "color=red"]);
  expect(Array.from(points.data)).toEqual([1, 1, 3, 0, 3, 1, 5, 0]);
  expect(Array.from(apartPoints.data)).toEqual([100, 0]);
  expect(notes).toEqual([expect.stringMatching(/1 cell of "color" holds a word that the fit has not seen/)]);
});

test("rows of LIBSVM text, also where they stay sparse", async () => {
  const path = place().path("four.svm");
  place().write("four.svm", "1 1:5\n-1 2:6\n1 3:7\n-1 1:8\n");
  const use = { labels: undefined, reading: {}, preparation: {} };
  for (const sparse of [true, false] as const) {
    const holdOut = (): Uint8Array => Uint8Array.of(0, 1, 0, 1);
    const read = sparse ? { sparse, holdOut } : { holdOut };
    const { points, labels, heldOut } = await readData(
      path,
      use,
      { signal: new AbortController().signal },
      read,
    );
    expect([points.rows, heldOut?.points.rows]).toEqual([2, 2]);
    expect("data" in points).toBe(!sparse);
    expect([labels, heldOut?.labels]).toEqual([Float64Array.of(1, 1), Float64Array.of(-1, -1)]);
  }
});
