/**
 * The binary data sets of the experiments with linear models: in a folder, as `<name>.train.svm.gz` and
 * `<name>.test.svm.gz`, or drawn here (`generated.ts`).
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readLibsvm } from "@curvature/datasets";
import { namesOf, wholeNumber } from "../../experiment-arguments.ts";
import { drawn, generators, type Part } from "./generated.ts";

export interface LinearSet {
  readonly name: string;
  readonly lambda: number;
  readonly train: Part;
  readonly test: Part;
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

/** Those that need no folder, and little time. */
export const smallSets = "alpha-like:2000,rcv1-like:2000";

const ending = ".train.svm.gz";

/**
 * Names with commas between them, of sets in the folder, and of those that are drawn, with their rows behind a colon where
 * they are not the usual ones.
 */
export function setNames(option: string, text: string, folder: string | undefined): string[] {
  const files = folder !== undefined && existsSync(folder) ? readdirSync(folder) : [];
  const given = files.filter((file) => file.endsWith(ending)).map((file) => file.slice(0, -ending.length));
  const kinds = Object.keys(generators);
  return text.split(",").map((word) => {
    const [kind, rows] = word.split(":");
    const [name] = namesOf(option, kinds.includes(kind) ? kind : word, [...kinds, ...given]);
    return rows === undefined ? name : `${name}:${wholeNumber(option, rows, 10)}`;
  });
}

/** Of those names that are drawn: where, with which seeds. */
export function seedsText(names: readonly string[]): string {
  const kinds = [...new Set(names.map((name) => name.split(":")[0]))].filter((kind) =>
    Object.hasOwn(generators, kind),
  );
  return kinds.length === 0
    ? ""
    : ` Sets are drawn with a seed each: ${kinds.map((kind) => `${kind} ${generators[kind].seed}`).join(", ")}.`;
}

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
