/**
 * How labels agree with classes that are known otherwise.
 *
 * Pairs of rows that are together in both, S = Σ_ij C(n_ij, 2), beside those that are together in one, A = Σ_i C(n_i·, 2) and
 * B = Σ_j C(n_·j, 2), of T = C(n, 2) pairs; by chance S were A B/T. The adjusted Rand index is
 *
 *   (S − A B/T)/((A + B)/2 − A B/T)       1 for the same groups, about 0 for groups by chance, below 0 for less than that
 *
 * Hubert, Arabie: Comparing partitions. Journal of Classification 2 (1985), equation 5.
 */
import { badArgument } from "@curvature/linalg";

export interface LabelAgreement {
  /** 1 where both are the same groups, about 0 where they have no more in common than by chance; at most 1. */
  readonly adjustedRandIndex: number;
  /** The clusters that occur, rising; −1 is the rows of none. */
  readonly clusters: readonly number[];
  /** The classes that occur, in the order of their first rows. */
  readonly classes: readonly (string | number | boolean)[];
  /** Rows of each cluster and class. */
  readonly counts: readonly (readonly number[])[];
}

/**
 * @example
 * labelAgreement([0, 0, 1, 1], ["a", "a", "b", "a"]).counts; // [[2, 0], [1, 1]]
 *
 * @param labels - the number of each row's cluster
 * @param classes - of each row
 * @throws CurvatureError ERR_ARGUMENT for lists of other lengths, labels that are no whole numbers, and NaN for a class
 */
export function labelAgreement(
  labels: ArrayLike<number>,
  classes: ArrayLike<string | number | boolean>,
): LabelAgreement {
  const where = "labelAgreement";
  const isList = (value: unknown): boolean => Array.isArray(value) || ArrayBuffer.isView(value);
  if (!isList(labels)) throw badArgument(where, "labels", "a list of whole numbers", labels);
  if (!isList(classes) || classes.length !== labels.length)
    throw badArgument(where, "classes", `a list of ${labels.length} classes, one for each label`, classes);
  for (let i = 0; i < labels.length; i++) {
    if (!Number.isSafeInteger(labels[i]))
      throw badArgument(where, `labels[${i}]`, "a whole number", labels[i]);
    if (!isClass(classes[i]))
      throw badArgument(where, `classes[${i}]`, "a text, a number or a boolean", classes[i]);
  }
  const clusters = [...new Set(Array.from(labels))].sort((a, b) => a - b);
  const kinds = [...new Set(Array.from(classes))];
  const rowOf = new Map(clusters.map((cluster, r) => [cluster, r]));
  const columnOf = new Map(kinds.map((kind, c) => [kind, c]));
  const counts = clusters.map(() => kinds.map(() => 0));
  for (let i = 0; i < labels.length; i++) counts[rowOf.get(labels[i]) ?? 0][columnOf.get(classes[i]) ?? 0]++;
  return { adjustedRandIndex: adjustedRandIndexOf(counts), clusters, classes: kinds, counts };
}

const isClass = (value: unknown): boolean =>
  typeof value === "string" ||
  typeof value === "boolean" ||
  (typeof value === "number" && !Number.isNaN(value));

const pairs = (n: number): number => (n * (n - 1)) / 2;
const sum = (numbers: readonly number[]): number => numbers.reduce((total, x) => total + x, 0);

function adjustedRandIndexOf(counts: readonly (readonly number[])[]): number {
  const ofRows = counts.map(sum);
  const ofColumns = (counts[0] ?? []).map((_, j) => sum(counts.map((row) => row[j])));
  const S = sum(counts.flat().map(pairs));
  const A = sum(ofRows.map(pairs));
  const B = sum(ofColumns.map(pairs));
  const T = pairs(sum(ofRows));
  // all in one group, or each by itself, in both: the same groups
  if ((A === 0 && B === 0) || (A === T && B === T)) return 1;
  const byChance = A * (B / T);
  return (S - byChance) / ((A + B) / 2 - byChance);
}
