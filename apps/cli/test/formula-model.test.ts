/** The model of a formula after its fit: inspected, used on other rows, measured there, and one of several chosen by a sweep. */
import { beforeAll, describe, expect, test } from "vitest";
import { isOneSentence, rowsOf, workplace } from "./cli.js";

const place = workplace();

/** https://www.itl.nist.gov/div898/strd/nls: data, and the certified parameters with their standard deviations. */
const nist = {
  misra1a: {
    formula: "y ~ b1 * (1 - exp(-b2 * x))",
    x: [77.6, 114.9, 141.1, 190.8, 239.9, 289, 332.8, 378.4, 434.8, 477.3, 536.8, 593.1, 689.1, 760],
    y: [10.07, 14.73, 17.94, 23.93, 29.61, 35.18, 40.02, 44.82, 50.76, 55.05, 61.01, 66.4, 75.47, 81.78],
    estimates: [2.3894212918e2, 5.5015643181e-4],
    errors: [2.7070075241, 7.2668688436e-6],
    deviation: 1.018787633e-1,
    start: "b1=500,b2=0.0001",
  },
  thurber: {
    formula: "y ~ (b1 + b2 * x + b3 * x^2 + b4 * x^3) / (1 + b5 * x + b6 * x^2 + b7 * x^3)",
    x: [
      -3.067, -2.981, -2.921, -2.912, -2.84, -2.797, -2.702, -2.699, -2.633, -2.481, -2.363, -2.322, -1.501,
      -1.46, -1.274, -1.212, -1.1, -1.046, -0.915, -0.714, -0.566, -0.545, -0.4, -0.309, -0.109, -0.103, 0.01,
      0.119, 0.377, 0.79, 0.963, 1.006, 1.115, 1.572, 1.841, 2.047, 2.2,
    ],
    y: [
      80.574, 84.248, 87.264, 87.195, 89.076, 89.608, 89.868, 90.101, 92.405, 95.854, 100.696, 101.06,
      401.672, 390.724, 567.534, 635.316, 733.054, 759.087, 894.206, 990.785, 1090.109, 1080.914, 1122.643,
      1178.351, 1260.531, 1273.514, 1288.339, 1327.543, 1353.863, 1414.509, 1425.208, 1421.384, 1442.962,
      1464.35, 1468.705, 1447.894, 1457.628,
    ],
    estimates: [
      1.28813968e3, 1.4910792535e3, 5.8323836877e2, 7.5416644291e1, 9.6629502864e-1, 3.9797285797e-1,
      4.9727297349e-2,
    ],
    errors: [
      4.6647963344, 3.9571156086e1, 2.8698696102e1, 5.567537027, 3.1333340687e-2, 1.4984928198e-2,
      6.5842344623e-3,
    ],
    deviation: 1.3714600784e1,
    start: "b1=1000,b2=1000,b3=400,b4=40,b5=0.7,b6=0.3,b7=0.03",
  },
} as const;

const names = ["misra1a", "thurber"] as const;

beforeAll(async () => {
  for (const name of names) {
    const { formula, x, y, start } = nist[name];
    place().write(`${name}.csv`, `x,y\n${x.map((each, i) => `${each},${y[i]}`).join("\n")}\n`);
    const words = [
      `${name}.csv`,
      "--formula",
      formula,
      "--start",
      start,
      "--model",
      `${name}.json`,
      "--quiet",
    ];
    const { code, stderr } = await place().run(["fit", ...words]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  }
});

const off = (found: number, truth: number): number => Math.abs(found / truth - 1);

test.each(names)("%s: inspect says the certified parameters and their errors", async (name) => {
  const { formula, estimates, errors, deviation, x } = nist[name];
  const { stdout } = await place().run(["inspect", `${name}.json`, "--json"]);
  const { parameters, fit } = JSON.parse(stdout);
  for (const [j, parameter] of parameters.entries()) {
    expect(off(parameter.value, estimates[j])).toBeLessThan(1e-6);
    expect(off(parameter.standardError, errors[j])).toBeLessThan(1e-5);
  }
  expect(off(fit.residualStandardDeviation, deviation)).toBeLessThan(1e-6);
  const screen = (await place().run(["inspect", `${name}.json`])).stdout;
  expect(screen).toContain(`${formula}\n`);
  expect(screen).toMatch(/parameter +estimate +standard error +95 % from +to\n/);
  expect(screen).toMatch(/b1 +[\d.]+ +[\d.]+ +[\d.]+ +[\d.]+\n/);
  expect(screen).toContain(`on ${x.length - estimates.length} degrees of freedom`);
});

test.each(names)(
  "%s: predictions are the formula's at the certified parameters, and evaluate's errors theirs",
  async (name) => {
    const { estimates: b, x, y } = nist[name];
    const truth = (t: number): number =>
      name === "misra1a"
        ? b[0] * (1 - Math.exp(-b[1] * t))
        : (b[0] + b[1] * t + (b[2] ?? 0) * t ** 2 + (b[3] ?? 0) * t ** 3) /
          (1 + (b[4] ?? 0) * t + (b[5] ?? 0) * t ** 2 + (b[6] ?? 0) * t ** 3);
    const { stdout } = await place().run(["predict", `${name}.json`, `${name}.csv`, "--quiet"]);
    const [header, ...rows] = rowsOf(stdout);
    expect(header).toBe("prediction");
    for (const [i, row] of rows.entries()) expect(off(Number(row), truth(x[i]))).toBeLessThan(1e-6);
    const evaluated = await place().run(["evaluate", `${name}.json`, `${name}.csv`, "--report", "r.json"]);
    const { metrics } = JSON.parse(place().read("r.json"));
    const squares = x.reduce((sum, t, i) => sum + (y[i] - truth(t)) ** 2, 0);
    expect(off(metrics.rootMeanSquaredError, Math.sqrt(squares / x.length))).toBeLessThan(1e-6);
    expect(evaluated.stdout).toMatch(/within 95 % intervals +\d+ of \d+ rows\n/);
    expect(metrics.withinIntervals.rows).toBeGreaterThanOrEqual(Math.floor(0.9 * x.length));
  },
);

test("intervals are those of the textbook for a line", async () => {
  const t = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
  const y = [1.3, 1.6, 3.1, 3.4, 4.9, 5.2, 6.6, 7.7, 8.2, 9.9];
  place().write("line.csv", `t,y\n${t.map((each, i) => `${each},${y[i]}`).join("\n")}\n`);
  await place().run(["fit", "line.csv", "--formula", "y ~ a + b * t", "--model", "line.json", "--quiet"]);
  place().write("new.csv", "t,prediction\n5.5,p\n20,q\n");
  const words = ["line.json", "new.csv", "--intervals", "--keep", "prediction", "--quiet"];
  const [header, ...rows] = rowsOf((await place().run(["predict", ...words])).stdout);
  expect(header).toBe("prediction,predicted_prediction,mean_low,mean_high,new_low,new_high");
  // a + b t ± T s √(1/n + (t − t̄)²/S), and with 1 more below the root for a new row
  const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
  const [middle, height] = [mean(t), mean(y)];
  const S = t.reduce((sum, each) => sum + (each - middle) ** 2, 0);
  const slope = t.reduce((sum, each, i) => sum + (each - middle) * (y[i] - height), 0) / S;
  const s2 = t.reduce((sum, each, i) => sum + (y[i] - height - slope * (each - middle)) ** 2, 0) / 8;
  const T = 2.306004135; // Student's, 0.975, of 8 degrees of freedom
  for (const [k, at] of [5.5, 20].entries()) {
    const [, value, ...ends] = rows[k].split(",").map(Number);
    const line = height + slope * (at - middle);
    const share = 1 / 10 + (at - middle) ** 2 / S;
    const [within, newWithin] = [share, 1 + share].map((each) => T * Math.sqrt(s2 * each));
    expect(value).toBeCloseTo(line, 8);
    for (const [e, end] of [line - within, line + within, line - newWithin, line + newWithin].entries())
      expect(ends[e]).toBeCloseTo(end, 6);
  }
});

test("what stands left of ~ is predicted, and said so where it is more than a column", async () => {
  const words = ["misra1a.csv", "--formula", "log(y) ~ a + b * log(x)", "--model", "power.json", "--quiet"];
  await place().run(["fit", ...words]);
  const { stderr } = await place().run(["predict", "power.json", "misra1a.csv"]);
  expect(stderr).toContain("The predictions are of log(y), as the formula has it.");
  const { stdout } = await place().run(["evaluate", "power.json", "misra1a.csv", "--quiet"]);
  expect(stdout).toMatch(/^R² +0\.99/m);
});

test("a sweep tries several formulas, and names the best", async () => {
  const grid = "formula=y ~ b1 * (1 - exp(-b2 * x));y ~ a + b * x;y ~ a * x^b";
  const ended = await place().run(["sweep", "fit", "misra1a.csv", "--grid", grid, "--out", "formulas"]);
  expect(ended.code, ended.stderr).toBe(0);
  expect(ended.stderr).toMatch(
    /Best by residualStandardDeviation \(the lowest\): run 1, formula y ~ b1 .* with 0\.1019/,
  );
  const losses = ["--formula", "y ~ a + b * x", "--grid", "loss=squared,huber", "--out", "losses"];
  expect(await place().run(["sweep", "fit", "misra1a.csv", ...losses])).toMatchObject({ code: 0 });
});

describe("what a formula's model cannot do is one sentence", () => {
  test.each<readonly [number, RegExp, string]>([
    [
      64,
      /--onnx is for models of rows; misra1a\.json is the model of a formula/,
      "inspect misra1a.json --onnx m.onnx",
    ],
    [64, /--plot is for models of rows; .*curvature fit --plot/, "inspect misra1a.json --plot m.svg"],
    [64, /--labels does not go with the model of a formula/, "evaluate misra1a.json misra1a.csv --labels y"],
    [
      64,
      /--choose-threshold is for models of classes/,
      "evaluate misra1a.json misra1a.csv --choose-threshold f1",
    ],
    [
      64,
      /--intervals: hand\.json knows no errors of its parameters/,
      "predict hand.json misra1a.csv --intervals",
    ],
    [65, /damaged account of its fit/, "predict broken.json misra1a.csv"],
    [64, /no column "y"/, "evaluate misra1a.json other.csv"],
  ])("%i %s", async (code, sentence, words) => {
    const text = place().read("misra1a.json");
    const { fit: _, ...plain } = JSON.parse(text);
    place().write("hand.json", JSON.stringify(plain, null, 2)); // formatted anew, which harms nothing here
    place().write("broken.json", text.replace('"degreesOfFreedom":12', '"degreesOfFreedom":"many"'));
    place().write("other.csv", "x,z\n1,2\n");
    const ended = await place().run(words.split(" "));
    expect(ended.stderr).toMatch(sentence);
    expect(isOneSentence(ended.stderr)).toBe(true);
    expect(ended).toMatchObject({ code, stdout: "" });
  });
});
