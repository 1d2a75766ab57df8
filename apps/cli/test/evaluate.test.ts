/** Which of two classes is meant, where it begins, how far figures may be off, and the curves. */
import { areaInterval, shareInterval } from "@curvature/optim-sgdqn";
import { beforeAll, expect, test } from "vitest";
import { workplace } from "./cli.js";
import { linesOf } from "./linear-rows.js";

const place = workplace();

const noise = (i: number, j: number): number => ((i * 7919 + j * 104_729 + i * i * 31) % 1009) / 1009;

const rows = Array.from({ length: 200 }, (_, i) => {
  const [a, b] = [noise(i, 1), noise(i, 2)];
  return { a, b, label: 2 * a - b + 1.6 * noise(i, 3) > 1.5 ? "sick" : "well" };
});

const text = (kind: (row: (typeof rows)[number]) => string): string =>
  `a,b,state\n${rows.map((row) => `${row.a},${row.b},${kind(row)}`).join("\n")}\n`;

beforeAll(async () => {
  place().write(
    "rows.csv",
    text(({ label }) => label),
  );
  place().write(
    "three.csv",
    text(({ a, label }) => (a < 0.2 ? "low" : label)),
  );
  for (const [file, loss, model] of [
    ["rows.csv", "logistic", "model.json"],
    ["rows.csv", "hinge", "hinge.json"],
    ["three.csv", "logistic", "three.json"],
  ]) {
    const ended = await place().run([
      "train",
      file,
      "--labels",
      "state",
      "--loss",
      loss,
      "--model",
      model,
      "--quiet",
    ]);
    expect(ended.code).toBe(0);
  }
});

const evaluated = (model: string, ...words: string[]) =>
  place().run(["evaluate", model, model === "three.json" ? "three.csv" : "rows.csv", "--quiet", ...words]);

const predicted = async (...words: string[]): Promise<string[][]> => {
  const { stdout, code } = await place().run(["predict", "model.json", "rows.csv", "--quiet", ...words]);
  expect(code).toBe(0);
  return linesOf(stdout).map((line) => line.split(","));
};

test("figures have intervals, and say which", async () => {
  const { stdout } = await evaluated("model.json", "--report", "r.json");
  expect(stdout).toMatch(/^error +[\d.]+ % +95 %: [\d.]+ % to [\d.]+ % \(Wilson\)$/m);
  expect(stdout).toMatch(/^area under the curve +0\.\d+ +95 %: 0\.\d+ to 0\.\d+ \(DeLong\)$/m);
  expect(stdout).toMatch(/^log loss +0\.\d+ +95 %: 0\.\d+ to 0\.\d+ \(of the mean's logarithm\)$/m);
  const { metrics } = JSON.parse(place().read("r.json"));
  expect(metrics.intervals.error).toEqual([...shareInterval(Math.round(200 * metrics.error), 200)]);
  const scores = (await predicted("--scores")).slice(1).map(([, score]) => Number(score));
  const labels = rows.map(({ label }) => label);
  const area = areaInterval(labels, scores, "well") ?? [];
  for (const [k, end] of area.entries()) expect(metrics.intervals.areaUnderCurve[k]).toBeCloseTo(end, 10);
  const three = await evaluated("three.json");
  expect(three.stdout).toContain("Wilson");
  expect(three.stdout).not.toContain("DeLong");
});

test("scores and probabilities go together; the positive class turns the score", async () => {
  const [header, ...plain] = await predicted("--scores", "--probabilities");
  expect(header).toEqual(["label", "score", "probability_sick", "probability_well"]);
  const [, ...turned] = await predicted("--scores", "--positive", "sick");
  for (const [i, [label, score, sick]] of plain.entries()) {
    expect(Number(turned[i][1])).toBe(-Number(score));
    expect(turned[i][0]).toBe(label);
    expect(Number(sick)).toBeCloseTo(1 / (1 + Math.exp(Number(score))), 12);
  }
  const [, ...early] = await predicted("--probabilities", "--positive", "sick", "--threshold", "0.2");
  for (const [label, sick] of early) expect(label).toBe(Number(sick) > 0.2 ? "sick" : "well");
  const [, ...costly] = await predicted("--probabilities", "--positive", "sick", "--costs", "fp=1,fn=4");
  expect(costly).toEqual(early);
});

test("the report is of the positive class", async () => {
  const [second, first] = [
    await evaluated("model.json"),
    await evaluated("model.json", "--positive", "sick"),
  ];
  expect(second.stdout).toMatch(/^precision.*of well$/m);
  expect(first.stdout).toMatch(/^precision.*of sick$/m);
  const area = /^area.*$/m;
  expect(area.exec(first.stdout)?.[0].slice(0, 30)).toBe(area.exec(second.stdout)?.[0].slice(0, 30));
});

test.each([["f1"], ["cost"]])(
  "the threshold chosen by %s comes with the command that uses it",
  async (by) => {
    const words = [
      "--positive",
      "sick",
      "--choose-threshold",
      by,
      ...(by === "cost" ? ["--costs", "fp=1,fn=5"] : []),
    ];
    const { stdout } = await evaluated("model.json", ...words, "--report", `${by}.json`);
    const command =
      /^ {2}npx @curvature\/cli (predict model\.json rows\.csv --positive sick --threshold \S+)$/m.exec(
        stdout,
      );
    expect(command).not.toBe(null);
    const { choice } = JSON.parse(place().read(`${by}.json`)).metrics;
    const [, ...lines] = await predicted(...(command?.[1].split(" ").slice(3) ?? []));
    let [tp, fp, fn] = [0, 0, 0];
    for (const [i, [label]] of lines.entries()) {
      if (label === "sick" && rows[i].label === "sick") tp++;
      else if (label === "sick") fp++;
      else if (rows[i].label === "sick") fn++;
    }
    const value = by === "f1" ? (2 * tp) / (2 * tp + fp + fn) : (fp + 5 * fn) / 200;
    expect(value).toBeCloseTo(choice.value, 12);
    if (by === "f1") expect(choice.value).toBeGreaterThanOrEqual(choice.own);
    else expect(choice.value).toBeLessThanOrEqual(choice.own);
  },
);

test("curves: of the positive class, or of each class; a model of scores has no reliability", async () => {
  for (const [model, panels, names] of [
    ["model.json", 3, []],
    ["hinge.json", 2, []],
    ["three.json", 3, ["low", "sick", "well"]],
  ] as const) {
    expect((await evaluated(model, "--plot", "curves.svg")).code).toBe(0);
    const svg = place().read("curves.svg");
    expect(svg).not.toMatch(/NaN|Infinity/);
    for (const [k, title] of ["ROC: true", "precision", "reliability"].entries())
      expect(svg.includes(`>${title}`)).toBe(k < panels);
    for (const name of names) expect(svg).toContain(`>${name}</text>`);
  }
});

test("a weight of 2 is the row twice, 0 is no row: figures, curves, the threshold", async () => {
  const weight = (i: number): number => i % 3;
  const lines = rows.map(({ a, b, label }) => `${a},${b},${label}`);
  place().write("once.csv", `a,b,state,n\n${lines.map((line, i) => `${line},${weight(i)}`).join("\n")}\n`);
  place().write(
    "again.csv",
    `a,b,state\n${lines.flatMap((line, i) => new Array<string>(weight(i)).fill(line)).join("\n")}\n`,
  );
  const figuresOf = async (file: string, ...words: string[]) => {
    const asked = ["--positive", "sick", "--choose-threshold", "f1", "--plot", "w.svg", "--report", "w.json"];
    const { code, stderr } = await place().run(["evaluate", "model.json", file, ...asked, ...words]);
    expect(code, stderr).toBe(0);
    const curves = [
      ...place()
        .read("w.svg")
        .matchAll(/<(?:path|polyline)[^>]* (?:d|points)="([^"]*)"/g),
    ];
    return { metrics: JSON.parse(place().read("w.json")).metrics, curves: curves.map(([, line]) => line) };
  };
  const once = await figuresOf("once.csv", "--weights", "n");
  const again = await figuresOf("again.csv");
  expect(once.curves).toEqual(again.curves);
  expect(once.curves.length).toBeGreaterThan(2);
  expect(once.metrics.choice.threshold).toBe(again.metrics.choice.threshold);
  for (const name of ["value", "own"] as const)
    expect(once.metrics.choice[name]).toBeCloseTo(again.metrics.choice[name], 12);
  expect(once.metrics.error).toBeCloseTo(again.metrics.error, 12);
});

test.each([
  ["model.json", ["--positive", "ill"], "--positive ill: the classes of the model are sick and well."],
  ["three.json", ["--positive", "sick"], "--positive is for models of two classes."],
  ["three.json", ["--choose-threshold", "f1"], "--choose-threshold is for models of two classes."],
  ["model.json", ["--threshold", "3"], "from 0 to 1"],
  ["model.json", ["--threshold", "0.2", "--costs", "fp=1,fn=2"], "not both"],
  ["model.json", ["--choose-threshold", "cost"], "needs --costs"],
  ["model.json", ["--costs", "fp=1"], "as fp=1,fn=5"],
  ["hinge.json", ["--costs", "fp=1,fn=2"], "needs a model with probabilities"],
])("refused: %s %j", async (model, words, sentence) => {
  const { code, stderr, stdout } = await evaluated(model, ...words);
  expect(code).toBe(64);
  expect(stdout).toBe("");
  expect(stderr).toContain(sentence);
});
