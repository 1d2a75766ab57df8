/** `--weights`: what each row counts, in training, folds, test rows and evaluation. */
import { expect, test } from "vitest";
import { workplace } from "./cli.js";

const place = workplace();

const cellOf = (i: number, j: number): number =>
  Math.sin(7.3 * i + 2.1 * j) + (i % 3) * (j === 0 ? 1.1 : 0.4);
const weightOf = (i: number): number => (i * 7) % 4;
const count = 60;

function lines(copies: boolean): string {
  const all = Array.from({ length: count }, (_, i) => {
    const row = `${cellOf(i, 0)},${cellOf(i, 1)},${["a", "b", "c"][(i + (i % 5 === 0 ? 1 : 0)) % 3]}`;
    return copies ? Array(weightOf(i)).fill(row) : [`${row},${weightOf(i)}`];
  });
  return `x,y,kind${copies ? "" : ",w"}\n${all.flat().join("\n")}\n`;
}

interface Report {
  readonly options: { readonly lambda: number };
  readonly metrics: Readonly<Record<string, number>> & {
    readonly leftOut: { readonly error: number; readonly loss: number };
  };
}

const train = ["train", "--labels", "kind", "--tolerance", "1e-10", "--model"];

test("a weight of 2 is the row twice, one of 0 is no row: model, lambda, leave-one-out and figures", async () => {
  place().write("weighted.csv", lines(false));
  place().write("copies.csv", lines(true));
  place().write("weights.txt", `${Array.from({ length: count }, (_, i) => weightOf(i)).join("\n")}\n`);
  const reports: Report[] = [];
  for (const [name, ...words] of [
    ["weighted.csv", "--weights", "w"],
    ["weighted.csv", "--weights", "weights.txt", "--ignore", "w"],
    ["copies.csv"],
  ]) {
    const ended = await place().run([...train, "m.json", name, ...words, "--report", "r.json"]);
    expect(ended.code, ended.stderr).toBe(0);
    reports.push(JSON.parse(place().read("r.json")));
  }
  const [column, file, copies] = reports;
  expect({ ...file.metrics }).toEqual({ ...column.metrics });
  expect(column.options.lambda).toBe(copies.options.lambda);
  for (const name of ["trainingError", "trainingLogLoss"])
    expect(column.metrics[name]).toBeCloseTo(copies.metrics[name], 8);
  expect(column.metrics.leftOut.loss).toBeCloseTo(copies.metrics.leftOut.loss, 8);
  const evaluate = ["evaluate", "m.json", "--report", "-"];
  const measured = await place().run([...evaluate, "weighted.csv", "--weights", "w"]);
  expect(measured.code, measured.stderr).toBe(0);
  expect(JSON.parse(measured.stdout).metrics.error).toBeCloseTo(copies.metrics["trainingError"], 12);
});

test("a bad weight is named by its row, a column that is not there by its name", async () => {
  place().write("bad.csv", lines(false).replace(/,1\n/, ",-1\n"));
  const bad = await place().run([...train, "m.json", "bad.csv", "--weights", "w"]);
  expect(bad.code).toBe(65);
  expect(bad.stderr).toContain('"w" in row');
  expect(bad.stderr).toContain('is "-1"; a weight is a number of at least 0');
  const none = await place().run([...train, "m.json", "bad.csv", "--weights", "none"]);
  expect(none.code).toBe(64);
  expect(none.stderr).toContain("--weights");
  place().write("zero.csv", lines(false).replace(/,\d\n/g, ",0\n"));
  const zero = await place().run([...train, "m.json", "zero.csv", "--weights", "w"]);
  expect(zero.code).toBe(65);
  expect(zero.stderr).toContain("zero.csv: all weights are 0");
  place().write("weights.txt", `-1\n${"1\n".repeat(count - 1)}`);
  place().write("copies.csv", lines(false));
  for (const [words, sentence] of [
    [["bad.csv", "--weights", "w"], /^curvature: bad\.csv: "w" in row/],
    [["zero.csv", "--weights", "w"], /^curvature: zero\.csv: all weights/],
    [
      ["copies.csv", "--weights", "weights.txt", "--ignore", "w"],
      /^curvature: weights\.txt: weight 1 is "-1"/,
    ],
  ] as const) {
    const { stderr } = await place().run([...train, "m.json", ...words, "--quiet"]);
    expect(stderr).toMatch(sentence); // the file once
    expect(stderr).not.toContain("sampleWeights");
  }
});

test("LIBSVM rows take a file", async () => {
  place().write("rows.svm", "1 1:1\n-1 1:-1\n1 1:0.5\n-1 1:0.2\n");
  place().write("weights.txt", "1\n2\n1\n0\n");
  const ended = await place().run(["train", "rows.svm", "--weights", "weights.txt", "--model", "m.json"]);
  expect(ended.code, ended.stderr).toBe(0);
  const column = await place().run(["train", "rows.svm", "--weights", "w", "--model", "m.json"]);
  expect(column.code).toBe(64);
  expect(column.stderr).toContain("Name a file with one weight per line");
});
