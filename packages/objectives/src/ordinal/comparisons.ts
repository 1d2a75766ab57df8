/**
 * Answers to "which two are nearer to each other?". A quadruplet (i, j, l, k) says that i, j are nearer than l, k; a
 * triplet "i is nearer to j than to k" is (i, j, i, k).
 */
import { CurvatureError, shown } from "@curvature/linalg";

export interface Comparisons {
  /** The number of objects, n; indices are from 0 to n − 1. */
  readonly objects: number;
  /** i, j, l, k of each comparison, one after the other; length 4N. */
  readonly quadruplets: Int32Array;
  /** A weight ≥ 0 for each comparison, length N; all 1 without. */
  readonly weights?: Float64Array | undefined;
}

/**
 * N.
 *
 * @throws CurvatureError ERR_SHAPE for what are no comparisons
 */
export function comparisonCount(comparisons: Comparisons): number {
  checkArrays(comparisons);
  return comparisons.quadruplets.length / 4;
}

/**
 * Comparisons that can be embedded: at least one of them, all indices in range, i ≠ j, l ≠ k, {i, j} ≠ {l, k}, and
 * finite weights ≥ 0 that are not all 0. The message names the first comparison that is wrong.
 *
 * @throws CurvatureError ERR_ARGUMENT, ERR_SHAPE, ERR_NON_FINITE
 */
export function checkComparisons(comparisons: Comparisons): void {
  checkIndices(comparisons);
  const { quadruplets } = comparisons;
  if (quadruplets.length === 0)
    throw malformed("There are no comparisons. Give at least one.", "quadruplets");
  for (let at = 0; at < quadruplets.length; at += 4) {
    const i = quadruplets[at];
    const j = quadruplets[at + 1];
    const l = quadruplets[at + 2];
    const k = quadruplets[at + 3];
    if (i === j || l === k)
      throw wrong(at, comparisons, `compares the distance of object ${i === j ? i : l} to itself`);
    if ((i === l && j === k) || (i === k && j === l))
      throw wrong(at, comparisons, "compares a pair to itself");
  }
  checkWeights(comparisons);
}

/** @throws CurvatureError ERR_ARGUMENT, ERR_SHAPE: the arrays' kinds and lengths, and the range of the indices */
export function checkIndices(comparisons: unknown): asserts comparisons is Comparisons {
  checkArrays(comparisons);
  const { objects, quadruplets } = comparisons;
  for (let at = 0; at < quadruplets.length; at++)
    if (quadruplets[at] < 0 || quadruplets[at] >= objects)
      throw wrong(
        at,
        comparisons,
        `names the object ${quadruplets[at]}, but they are from 0 to ${objects - 1}`,
      );
}

function checkArrays(comparisons: unknown): asserts comparisons is Comparisons {
  if (typeof comparisons !== "object" || comparisons === null)
    throw malformed(`Comparisons must be an object; received ${shown(comparisons)}.`, "comparisons");
  const { objects, quadruplets, weights }: Partial<Comparisons> = comparisons;
  if (objects === undefined || !Number.isSafeInteger(objects) || objects < 1 || objects > 2 ** 31 - 1)
    throw malformed(
      `objects must be a whole number from 1 to 2^31 - 1; received ${shown(objects)}.`,
      "objects",
    );
  if (!(quadruplets instanceof Int32Array) || quadruplets.length % 4 !== 0)
    throw malformed(
      `quadruplets must be an Int32Array of i, j, l, k for each comparison; received ${shown(quadruplets)}${quadruplets instanceof Int32Array ? ` of length ${quadruplets.length}` : ""}.`,
      "quadruplets",
    );
  if (
    weights !== undefined &&
    (!(weights instanceof Float64Array) || 4 * weights.length !== quadruplets.length)
  )
    throw malformed(
      `weights must be a Float64Array of length ${quadruplets.length / 4}, one for each comparison; received ${shown(weights)}.`,
      "weights",
    );
}

function checkWeights({ weights }: Comparisons): void {
  if (weights === undefined) return;
  let sum = 0;
  for (let q = 0; q < weights.length; q++) {
    if (!(weights[q] >= 0 && weights[q] < Number.POSITIVE_INFINITY))
      throw new CurvatureError(
        "ERR_NON_FINITE",
        `Comparison ${q} (counted from 0) has the weight ${weights[q]}. Weights must be finite and at least 0.`,
        { path: `weights[${q}]`, expected: "a finite number of at least 0", received: weights[q] },
      );
    sum += weights[q];
  }
  if (!(sum > 0 && sum < Number.POSITIVE_INFINITY))
    throw malformed(`The weights must have a finite sum above 0; it is ${sum}.`, "weights");
}

function wrong(at: number, { quadruplets }: Comparisons, what: string): CurvatureError {
  const q = Math.floor(at / 4);
  const indices = Array.from(quadruplets.subarray(4 * q, 4 * q + 4));
  return new CurvatureError(
    "ERR_ARGUMENT",
    `Comparison ${q} (counted from 0), ${indices.join(" ")}, ${what}. Correct or remove it.`,
    { path: `quadruplets[${at}]`, received: indices },
  );
}

function malformed(message: string, path: string): CurvatureError {
  return new CurvatureError("ERR_SHAPE", message, { path });
}
