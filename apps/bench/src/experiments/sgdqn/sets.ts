/**
 * The binary data sets of the experiments with linear models: in a folder, as `<name>.train.svm.gz` and
 * `<name>.test.svm.gz`, or drawn here (`generated.ts`).
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readLibsvm } from "@curvature/datasets";
import type { SparseMatrix } from "@curvature/linalg";
import { drawn } from "./generated.ts";

export interface LinearSet {
  readonly name: string;
  readonly lambda: number;
  readonly train: Part;
  readonly test: Part;
}

export interface Part {
  readonly rows: SparseMatrix<Float32Array>;
  /** −1 and +1. */
  readonly targets: Float64Array;
}

/** λ of each set. */
export const lambdas: Readonly<Record<string, number>> = {
  spam: 1e-3,
  a9a: 1e-4,
  ijcnn1v: 1e-4,
  news20: 1e-4,
  "alpha-like:20000": 1e-5,
  "rcv1-like": 1e-4,
};

/** Names from a command line, or those that need no folder where there is none. */
export const setNames = (asked: string | undefined, folder: string | undefined, usual: string): string[] =>
  (asked ?? (folder === undefined ? "alpha-like:2000,rcv1-like:2000" : usual)).split(",");

/** @param folder - of the sets that are not drawn */
export async function linearSet(folder: string | undefined, name: string): Promise<LinearSet> {
  const made = drawn(name);
  if (made !== undefined) return { name, ...made };
  if (folder === undefined) throw new Error(`Give --data, a folder with ${name}.train.svm.gz.`);
  const positive = name === "news20" ? computersAndSciences(folder) : (label: number): boolean => label > 0;
  const [train, test] = [await part(folder, name, "train"), await part(folder, name, "test")];
  const columns = Math.max(train.rows.columns, test.rows.columns);
  const binary = ({ rows, targets }: Part): Part => ({
    rows: { ...rows, columns },
    targets: targets.map((label) => (positive(label) ? 1 : -1)),
  });
  return { name, lambda: lambdas[name] ?? 1e-4, train: binary(train), test: binary(test) };
}

async function part(folder: string, name: string, which: string): Promise<Part> {
  const { rows, labels } = await readLibsvm(readFileSync(join(folder, `${name}.${which}.svm.gz`)), {
    indexBase: 1,
  });
  return { rows, targets: Float64Array.from(labels, Number) };
}

/** The task of 20 newsgroups: names of classes 1 … 20, one a line, that begin with comp. or sci. are +1. */
function computersAndSciences(folder: string): (label: number) => boolean {
  const names = readFileSync(join(folder, "news20.classes.txt"), "utf8").trim().split("\n");
  return (label) => /\b(comp|sci)\./.test(names[label - 1]);
}

/** Test error in percent: a score above 0 means +1. */
export function testError({ test }: LinearSet, w: Float64Array): number {
  const { rowPointers, columnIndices, values, rows } = test.rows;
  let wrong = 0;
  for (let i = 0; i < rows; i++) {
    let score = 0;
    for (let k = rowPointers[i]; k < rowPointers[i + 1]; k++) score += values[k] * w[columnIndices[k]];
    if (score > 0 !== test.targets[i] > 0) wrong++;
  }
  return (100 * wrong) / rows;
}
