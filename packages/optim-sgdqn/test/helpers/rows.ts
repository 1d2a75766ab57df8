/** Rows for tests: random ones, and the data in `fixtures/linear`. */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { type DenseMatrix, normal, RandomGenerator, type SparseMatrix } from "@curvature/linalg";

/** n x d of normal numbers, each kept with probability `density`; with labels ±1 of a noisy random direction. */
export function noisyHalves(
  n: number,
  d: number,
  { seed = 1, density = 1, noise = 0.5 }: { seed?: number; density?: number; noise?: number } = {},
): { readonly rows: DenseMatrix; readonly targets: Float64Array; readonly scores: Float64Array } {
  const random = new RandomGenerator(seed);
  const direction = Float64Array.from({ length: d }, () => normal(random));
  const data = Float64Array.from({ length: n * d }, () => (random.uniform() < density ? normal(random) : 0));
  const scores = Float64Array.from({ length: n }, (_, i) => {
    let score = noise * Math.sqrt(d * density) * normal(random);
    for (let j = 0; j < d; j++) score += direction[j] * data[i * d + j];
    return score;
  });
  return { rows: { rows: n, columns: d, data }, targets: scores.map((s) => (s > 0 ? 1 : -1)), scores };
}

export function sparseOf({ rows, columns, data }: DenseMatrix): SparseMatrix {
  const rowPointers = new Int32Array(rows + 1);
  const columnIndices: number[] = [];
  const values: number[] = [];
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) {
      if (data[i * columns + j] === 0) continue;
      columnIndices.push(j);
      values.push(data[i * columns + j]);
    }
    rowPointers[i + 1] = values.length;
  }
  return {
    rows,
    columns,
    rowPointers,
    columnIndices: Int32Array.from(columnIndices),
    values: Float64Array.from(values),
  };
}

/** A set of `fixtures/linear`, its labels as they stand there. */
export function fixture(
  name: "a9a" | "spam" | "letter" | "pendigits",
  part: "train" | "test",
): { readonly rows: SparseMatrix; readonly labels: Float64Array } {
  const columns = { a9a: 123, spam: 57, letter: 16, pendigits: 16 }[name];
  const url = new URL(`../fixtures/linear/${name}.${part}.svm.gz`, import.meta.url);
  const lines = gunzipSync(readFileSync(url)).toString().trimEnd().split("\n");
  const rowPointers = new Int32Array(lines.length + 1);
  const columnIndices: number[] = [];
  const values: number[] = [];
  const labels = new Float64Array(lines.length);
  for (const [i, line] of lines.entries()) {
    const [label, ...cells] = line.trim().split(/\s+/);
    labels[i] = Number(label);
    for (const cell of cells) {
      const [j, value] = cell.split(":");
      columnIndices.push(Number(j) - 1);
      values.push(Number(value));
    }
    rowPointers[i + 1] = values.length;
  }
  const rows = {
    rows: lines.length,
    columns,
    rowPointers,
    columnIndices: Int32Array.from(columnIndices),
    values: Float64Array.from(values),
  };
  return { rows, labels };
}

/** A table of `fixtures/linear`: numbers, and the label last. */
export function table(name: "iris" | "penguins"): { readonly rows: number[][]; readonly labels: string[] } {
  const text = readFileSync(new URL(`../fixtures/linear/${name}.csv`, import.meta.url), "utf8");
  const cells = text
    .trim()
    .split("\n")
    .slice(1)
    .map((line) => line.split(","));
  return {
    rows: cells.map((row) => row.slice(0, -1).map(Number)),
    labels: cells.map((row) => row[row.length - 1]),
  };
}
