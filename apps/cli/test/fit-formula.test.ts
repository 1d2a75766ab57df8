/** `curvature fit --formula` as a process: the answers of R's nls, what it writes, and what is refused. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { eventsOf, isOneSentence, rowsOf, workplace } from "./cli.js";

const place = workplace();
const example = resolve(import.meta.dirname, "../../../examples/formula/puromycin.csv");

const misra1a =
  "y,x\n10.07,77.6\n14.73,114.9\n17.94,141.1\n23.93,190.8\n29.61,239.9\n35.18,289\n40.02,332.8\n44.82,378.4\n50.76,434.8\n55.05,477.3\n61.01,536.8\n66.4,593.1\n75.47,689.1\n81.78,760\n";

beforeAll(() => {
  const puromycin = readFileSync(example, "utf8");
  place().write("puromycin.csv", puromycin);
  place().write(
    "treated.csv",
    rowsOf(puromycin)
      .filter((line) => !line.includes("untreated"))
      .join("\n"),
  );
  place().write("misra1a.csv", misra1a);
  place().write(
    "gaps.csv",
    "id,y,x,w,word\na,1.1,1,1,p\nb,NA,2,1,q\nc,2.8,3,2,p\nd,4.1,4,0,q\ne,5.2,5,1,p\nf,5.9,6,1,q\n",
  );
});

interface Fitted {
  readonly result: { readonly status: string };
  readonly metrics: {
    readonly parameters: readonly {
      readonly name: string;
      readonly start: number;
      readonly value: number;
      readonly standardError: number | null;
      readonly interval: readonly [number, number] | null;
    }[];
    readonly search: { readonly tried: number; readonly reached: number } | null;
    readonly degreesOfFreedom: number;
    readonly residualStandardDeviation: number | null;
    readonly r2: number | null;
    readonly lossScale: number | null;
  };
}

async function fitted(...words: readonly string[]): Promise<Fitted> {
  const { stdout } = await place().run(["fit", ...words, "--report", "-", "--quiet"]);
  return JSON.parse(stdout);
}

/** To so many digits. */
const near = (value: number, digits: number): unknown => ({
  asymmetricMatch: (other: unknown) =>
    typeof other === "number" && Math.abs(other - value) <= 0.5 * 10 ** -digits * Math.abs(value) * 10,
  toString: () => `about ${value}`,
});

describe("R's nls and NIST say the same, whatever the start", () => {
  // nls of R 4, to a relative offset of 1e-8; Misra1a: certified by NIST.
  test.each<
    readonly [file: string, formula: string, start: string, estimates: number[], errors: number[], s: number]
  >([
    [
      "treated.csv",
      "rate ~ Vm * conc / (K + conc)",
      "Vm=100,K=1",
      [212.683743, 0.06412128148],
      [6.947154957, 0.008280949393],
      10.93365819,
    ],
    [
      "puromycin.csv",
      "log(rate) ~ log(Vm * conc / (K + conc))",
      "Vm=200,K=0.1",
      [177.9294416, 0.04542868],
      [9.68668278, 0.00667534933],
      0.15841172,
    ],
    [
      "misra1a.csv",
      "y ~ b1 * (1 - exp(-b2 * x))",
      "b1=500,b2=0.0001",
      [238.94212918, 5.5015643181e-4],
      [2.7070075241, 7.2668688436e-6],
      0.1018787633,
    ],
  ])("%s %s", async (file, formula, start, estimates, errors, s) => {
    for (const given of [[], ["--start", start], ["--seed", "7"]]) {
      const { metrics, result } = await fitted(file, "--formula", formula, ...given);
      expect(result.status).toBe("converged");
      expect(metrics.parameters.map(({ value }) => value)).toEqual(estimates.map((value) => near(value, 6)));
      expect(metrics.parameters.map(({ standardError }) => standardError)).toEqual(
        errors.map((value) => near(value, 5)),
      );
      expect(metrics.residualStandardDeviation).toEqual(near(s, 6));
      expect(metrics.search === null).toBe(given[0] === "--start");
      expect(metrics.r2).toBeNull(); // no constant term
    }
  });
});

test("the table has all that is known, and says where it started", async () => {
  const { stdout, stderr, code } = await place().run([
    "fit",
    "treated.csv",
    "--formula",
    "rate ~ Vm*conc/(K+conc)",
  ]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^rate ~ Vm\*conc\/\(K\+conc\)\n/);
  expect(stdout).toMatch(/Vm +212\.684 +6\.947\d* +197\.20\d +228\.16\d\n/);
  expect(stdout).toMatch(/K +0\.0641213 +0\.00828095 +/);
  expect(stdout).toMatch(/rows +12\nresidual standard deviation +10\.9337 on 10 degrees of freedom\n/);
  expect(stdout).toMatch(
    /start +Vm=[\d.]+,K=[\d.]+ \(found from 64 points; of the best 16, \d+ came as low\)\n/,
  );
  expect(stderr).toMatch(/Variables: conc\. Parameters: Vm, K\./);
  const [, start = ""] = /start +(\S+) \(/.exec(stdout) ?? [];
  const again = await place().run([
    "fit",
    "treated.csv",
    "--formula",
    "rate ~ Vm*conc/(K+conc)",
    "--start",
    start,
  ]);
  expect(again.stdout.replace(/start.*\n/, "")).toBe(stdout.replace(/start.*\n/, ""));
});

test("rows, their weights and what goes beside them", async () => {
  const words = ["--formula", "y ~ a + b*x", "--missing", "drop", "--weights", "w", "--keep", "id,x"];
  const ended = await place().run(["fit", "gaps.csv", ...words, "--out", "rows.csv"]);
  expect(ended.code).toBe(0);
  const rows = rowsOf(place().read("rows.csv")).map((line) => line.split(","));
  expect(rows[0]).toEqual(["x", "observed", "fitted", "residual", "id"]);
  expect(rows.map((row) => row[4])).toEqual(["id", "a", "c", "d", "e", "f"]);
  for (const [, y, fit, residual] of rows.slice(1))
    expect(Number(y) - Number(fit)).toBeCloseTo(Number(residual), 12);
  // lm(y ~ x, weights = w) of R, where d counts nothing
  const { metrics } = await fitted("gaps.csv", ...words);
  expect(metrics.parameters.map(({ value }) => value)).toEqual([near(-0.044736842, 6), near(1.0013158, 6)]);
  expect(metrics.degreesOfFreedom).toBe(2);
});

test("R² where the formula has a constant term, and only there", async () => {
  const straight = await fitted("treated.csv", "--formula", "rate ~ a + b*conc");
  expect(straight.metrics.r2).toEqual(near(0.69062113, 6));
  const through = await fitted("treated.csv", "--formula", "rate ~ b*conc");
  expect(through.metrics.r2).toBeNull();
});

test("a robust loss finds its scale, and is not led by an outlier", async () => {
  const lines = Array.from(
    { length: 40 },
    (_, i) => `${i},${1 + 2 * i + 0.1 * Math.sin(7 * i) + (i % 10 === 3 ? 50 : 0)}`,
  );
  place().write("outliers.csv", `x,y\n${lines.join("\n")}\n`);
  const words = ["outliers.csv", "--formula", "y ~ a + b*x"];
  const slopeOf = ({ metrics }: Fitted): number => metrics.parameters[1].value;
  expect(Math.abs(slopeOf(await fitted(...words)) - 2)).toBeGreaterThan(0.01);
  for (const loss of ["huber", "soft-l1", "cauchy"]) {
    const robust = await fitted(...words, "--loss", loss);
    expect(Math.abs(slopeOf(robust) - 2)).toBeLessThan(0.005);
    expect(robust.metrics.lossScale).toBeGreaterThan(0.03);
    expect(robust.metrics.lossScale).toBeLessThan(1);
    expect(robust.metrics.r2).toBeNull();
  }
  const stated = await fitted(...words, "--loss", "huber", "--loss-scale", "0.2");
  expect(stated.metrics.lossScale).toBe(0.2);
});

test("bounds hold, in the search too, and one that stops a parameter is warned of", async () => {
  const words = [
    "treated.csv",
    "--formula",
    "rate ~ Vm*conc/(K+conc)",
    "--upper",
    "Vm=200",
    "--lower",
    "K=0,Vm=0",
  ];
  const { stdout, stderr } = await place().run(["fit", ...words, "--report", "-", "--json"]);
  const { metrics }: Fitted = JSON.parse(stdout);
  expect(metrics.parameters[0].value).toBe(200);
  expect(eventsOf(stderr).filter(({ event }) => event === "warning")).not.toEqual([]);
});

test("parameters that the data do not tell apart have no errors, and are warned of", async () => {
  const words = ["treated.csv", "--formula", "rate ~ a*conc + b*conc", "--report", "-", "--json"];
  const { stdout, stderr } = await place().run(["fit", ...words]);
  const { metrics }: Fitted = JSON.parse(stdout);
  expect(metrics.parameters.map(({ standardError }) => standardError)).toEqual([null, null]);
  expect(eventsOf(stderr).filter(({ event }) => event === "warning")).not.toEqual([]);
});

describe("a fitted formula is a model", () => {
  test("that predicts rows without a response, by the names of their columns", async () => {
    const words = ["treated.csv", "--formula", "rate ~ Vm*conc/(K+conc)", "--model", "model.json", "--quiet"];
    await place().run(["fit", ...words]);
    place().write("later.csv", "name,other,conc\na,5,0.064121281\nb,6,1e9\n");
    const { stdout, code } = await place().run([
      "predict",
      "model.json",
      "later.csv",
      "--keep",
      "name",
      "--quiet",
    ]);
    expect(code).toBe(0);
    const rows = rowsOf(stdout).map((line) => line.split(","));
    expect(rows[0]).toEqual(["name", "prediction"]);
    expect(rows.map(([name]) => name)).toEqual(["name", "a", "b"]);
    expect(rows.slice(1).map((row) => Number(row[1]))).toEqual([
      near(212.683743 / 2, 6),
      near(212.683743, 6),
    ]);
  });

  const good =
    '{"format":"curvature-formula","version":1,"formula":"y ~ a*x","variables":["x"],"parameters":[{"name":"a","value":2}]}';
  test.each<readonly [name: string, content: string, sentence: RegExp]>([
    ["cut", good.slice(0, 60), /is damaged\. Fit it again/],
    ["newer", good.replace('"version":1', '"version":2'), /is of version 2/],
    ["code", good.replace("a*x", "process.exit()"), /no function "process\.exit"/],
    ["less", good.replace('"name":"a"', '"name":"b"'), /names without values/],
    ["text", good.replace('"value":2', '"value":"2"'), /is damaged/],
    ["column", good.replaceAll("x", "z"), /no column "z"/],
  ])("or is refused: %s", async (name, content, sentence) => {
    place().write(`${name}.json`, content);
    const ended = await place().run(["predict", `${name}.json`, "gaps.csv", "--missing", "drop"]);
    expect(ended.stderr).toMatch(sentence);
    expect(isOneSentence(ended.stderr)).toBe(true);
    expect(ended.code).toBeGreaterThanOrEqual(64);
    expect(ended.stdout).toBe("");
  });

  test("which predicts numbers alone", async () => {
    place().write("good.json", good);
    const ended = await place().run(["predict", "good.json", "gaps.csv", "--scores"]);
    expect(ended.stderr).toMatch(/--scores does not go with the model of a formula/);
  });
});

describe("pictures", () => {
  test("of one variable: rows, curve and band, residuals below", async () => {
    await place().run([
      "fit",
      "treated.csv",
      "--formula",
      "rate ~ Vm*conc/(K+conc)",
      "--plot",
      "one.svg",
      "--quiet",
    ]);
    const svg = place().read("one.svg");
    expect(svg).toMatch(/95 % confidence band of the mean \(at each point, delta method\)/);
    expect(svg.match(/<circle /g)).toHaveLength(24);
    expect(svg).toMatch(/Z" fill="#[\da-f]+" fill-opacity/);
    expect(svg).not.toMatch(/NaN|Infinity|undefined/);
  });

  test("of two: observed by fitted", async () => {
    place().write("two.csv", "u,v,y\n1,2,3.1\n2,1,4.9\n3,5,11.2\n4,1,8.8\n5,2,12.1\n6,7,19.1\n");
    await place().run(["fit", "two.csv", "--formula", "y ~ a*u + b*v", "--plot", "two.svg", "--quiet"]);
    const svg = place().read("two.svg");
    expect(svg).toMatch(/observed by fitted/);
    expect(svg).not.toMatch(/band|NaN|undefined/);
  });
});

describe("what is wrong is said in one sentence, with the right exit code", () => {
  const cases: readonly (readonly [code: number, sentence: RegExp, ...words: string[]])[] = [
    [64, /--formula needs data/, "--formula", "y ~ a*x"],
    [74, /Cannot read nowhere\.csv/, "nowhere.csv", "--formula", "y ~ a*x"],
    [64, /no function "process\.exit" \(character 5\)/, "gaps.csv", "--formula", "y ~ process.exit()"],
    [64, /no function "import"/, "gaps.csv", "--formula", 'y ~ import("fs")'],
    [64, /"\[" at character 6/, "gaps.csv", "--formula", "y ~ a[0]"],
    [64, /"x\.y" \(character 9\) is no column/, "gaps.csv", "--formula", "y ~ a * x.y + x"],
    [64, /10000/, "gaps.csv", "--formula", `y ~ ${"x+".repeat(5e4)}a`],
    [64, /nested more than 100 deep/, "gaps.csv", "--formula", `y ~ ${"(".repeat(2000)}x`],
    [64, /Did you mean/, "gaps.csv", "--formula", "wordy ~ a*x"],
    [
      65,
      /gaps\.csv: "y" has no number in 1 row \(line 3\)\. .*--missing drop/,
      "gaps.csv",
      "--formula",
      "y ~ a*x",
    ],
    [65, /"word" holds words \("p", "q"\)/, "gaps.csv", "--formula", "y ~ a*word"],
    [
      64,
      /--missing mean does not go with --formula/,
      "gaps.csv",
      "--formula",
      "y ~ a*x",
      "--missing",
      "mean",
    ],
    [64, /no parameter "c"; the parameters are a\./, "gaps.csv", "--formula", "w ~ a*x", "--start", "c=1"],
    [64, /no parameter "x"; it is a column/, "gaps.csv", "--formula", "w ~ a*x", "--start", "x=1"],
    [64, /names and numbers, as a=1/, "gaps.csv", "--formula", "w ~ a*x", "--start", "a"],
    [64, /names and numbers, as a=1/, "gaps.csv", "--formula", "w ~ a*x", "--start", "a=1e"],
    [64, /names a twice/, "gaps.csv", "--formula", "w ~ a*x", "--start", "a=1,a=2"],
    [
      64,
      /a is to be at least 2 and at most 1/,
      "gaps.csv",
      "--formula",
      "w ~ a*x",
      "--lower",
      "a=2",
      "--upper",
      "a=1",
    ],
    [64, /a = 3 is not from/, "gaps.csv", "--formula", "w ~ a*x", "--start", "a=3", "--upper", "a=1"],
    [64, /--solver does not go with --formula/, "gaps.csv", "--formula", "w ~ a*x", "--solver", "sfo"],
    [64, /--objective does not go with --formula/, "gaps.csv", "--formula", "w ~ a*x", "--objective", "ica"],
    [64, /--loss is for --formula/, "gaps.csv", "--objective", "ica", "--loss", "huber"],
    [64, /--loss-scale is for --loss/, "gaps.csv", "--formula", "w ~ a*x", "--loss-scale", "2"],
    [64, /--weights: the column "w" is in the formula/, "gaps.csv", "--formula", "w ~ a*x", "--weights", "w"],
    [64, /must end in \.csv, \.tsv/, "gaps.csv", "--formula", "w ~ a*x", "--out", "x.npy"],
    [64, /none of the starts .* --start, as a=1/, "gaps.csv", "--formula", "w ~ sqrt(-1-a^2)*x"],
    [65, /left of ~ is -Infinity where w = 0/, "gaps.csv", "--formula", "log(w) ~ a*x"],
  ];
  test.each(cases.map(([code, sentence, ...words]) => ({ code, sentence, words })))(
    "$code $sentence",
    async ({ code, sentence, words }) => {
      const ended = await place().run(["fit", ...words]);
      expect(ended.stderr).toMatch(sentence);
      expect(isOneSentence(ended.stderr)).toBe(true);
      expect(ended.code).toBe(code);
      expect(ended.stdout).toBe("");
    },
  );

  test("columns named as in Object.prototype are columns", async () => {
    place().write("proto.csv", "__proto__,constructor\n1,2\n2,4.1\n3,5.9\n4,8\n");
    const { metrics } = await fitted("proto.csv", "--formula", "constructor ~ a*__proto__ + hasOwnProperty");
    expect(metrics.parameters.map(({ name }) => name)).toEqual(["a", "hasOwnProperty"]);
    expect(metrics.parameters.map(({ value }) => value)).toEqual([near(1.98, 6), near(0.05, 6)]);
  });
});
