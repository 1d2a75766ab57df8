/**
 * Rows dealt into folds: in random order, class by class, one row to each fold in turn. So every fold has the same
 * number of rows, and of each class's, within one.
 */
import { badOption, permutation, type RandomGenerator } from "@curvature/linalg";
import { type Rows, rowAccess } from "@curvature/objectives/linear";

/** The rows 0 … n − 1 in the order in which they are dealt: random, and class by class if there are classes. */
export function dealtOrder(
  n: number,
  random: RandomGenerator,
  classOf: ((i: number) => number) | undefined,
): Int32Array {
  return byClass(permutation(random, n), classOf);
}

/**
 * The fold of each row, from 0 to folds − 1: in random order, class by class, one row to each fold in turn.
 *
 * @param classOf - the class of row i, or undefined where there are none (regression)
 * @throws CurvatureError ERR_OPTION for fewer than 2 folds or more than rows
 */
export function dealFolds(
  n: number,
  folds: number,
  random: RandomGenerator,
  classOf: ((i: number) => number) | undefined,
): Int32Array {
  if (!Number.isSafeInteger(folds) || folds < 2 || folds > n)
    throw badOption("folds", "folds", `a whole number from 2 to ${n}, the number of rows`, folds);
  const foldOf = new Int32Array(n);
  for (const [k, i] of dealtOrder(n, random, classOf).entries()) foldOf[i] = k % folds;
  return foldOf;
}

/**
 * Splits the rows in two, `share` of them (and of each class) in the second part; at least one row in each.
 *
 * @throws CurvatureError ERR_OPTION for a share outside (0, 1) or fewer than 2 rows
 */
export function split(
  n: number,
  share: number,
  random: RandomGenerator,
  classOf: ((i: number) => number) | undefined,
): { readonly training: Int32Array; readonly held: Int32Array } {
  if (typeof share !== "number" || !(share > 0 && share < 1))
    throw badOption("split", "share", "a number above 0 and below 1", share);
  if (n < 2) throw badOption("split", "rows", "at least 2 to be split", n);
  const order = dealtOrder(n, random, classOf);
  const held = Math.max(1, Math.min(n - 1, Math.round(share * n)));
  // Every (n / held)-th of the rows, which stand class by class.
  const isHeld = (k: number): boolean => Math.floor(((k + 1) * held) / n) > Math.floor((k * held) / n);
  return {
    training: order.filter((_, k) => !isHeld(k)).sort(),
    held: order.filter((_, k) => isHeld(k)).sort(),
  };
}

/** The rows class by class, those of a class in their order here. */
function byClass(order: Int32Array, classOf: ((i: number) => number) | undefined): Int32Array {
  if (classOf === undefined) return order;
  const members = new Map<number, number[]>();
  for (const i of order) {
    const label = classOf(i);
    const known = members.get(label);
    if (known === undefined) members.set(label, [i]);
    else known.push(i);
  }
  const labels = [...members.keys()].sort((a, b) => a - b);
  return Int32Array.from(labels.flatMap((label) => members.get(label) ?? []));
}

/** Rows in folds. */
export interface Folds {
  readonly count: number;
  /** By row, from 0 to count − 1. */
  readonly foldOf: Int32Array;
}

/**
 * Folds by what rows hold, class by class: different rows are dealt in turn, in a random order, and rows that are the same are in one
 * fold. So a row that is there twice is as one of weight 2, the order of the rows is of no account, and no row is judged by a model
 * that has seen its copy. Of fewer different rows than folds, as many folds.
 *
 * Entries are looked at in single precision: those of columns that were scaled differ in their last digits.
 *
 * @param seed - of the order
 * @param classOf - the class of row i, or undefined where there are none (regression)
 */
export function dealContents(
  rows: Rows,
  folds: number,
  seed: number,
  classOf: ((i: number) => number) | undefined,
): Folds {
  const hashes = contentHashes(rows, seed);
  const labels = classOf && Int32Array.from(hashes, (_, i) => classOf(i));
  const difference = (a: number, b: number): number =>
    (labels === undefined ? 0 : labels[a] - labels[b]) || hashes[a] - hashes[b];
  const order = Int32Array.from(hashes.keys()).sort(difference);
  const ranks = new Int32Array(order.length);
  let rank = 0;
  for (let k = 0; k < order.length; k++) {
    if (k > 0 && difference(order[k - 1], order[k]) !== 0) rank++;
    ranks[order[k]] = rank;
  }
  const count = Math.min(folds, rank + 1);
  return { count, foldOf: ranks.map((each) => each % count) };
}

/** By row 53 bits of its entries other than 0, which may stand in any order. */
function contentHashes(rows: Rows, seed: number): Float64Array {
  const access = rowAccess(rows);
  const single = new Float32Array(1);
  const bits = new Uint32Array(single.buffer);
  return Float64Array.from({ length: rows.rows }, (_, i) => {
    let [high, low] = [0, 0];
    access.forEachEntry(i, (column, value) => {
      single[0] = value;
      if (single[0] === 0) return;
      const entry = mixed(mixed(column, seed), bits[0]);
      high = (high + entry) >>> 0;
      low = (low + mixed(entry, 1)) >>> 0;
    });
    return mixed(high, low) * 2 ** 21 + (mixed(low, high) >>> 11);
  });
}

/** 32 bits of two numbers, by the finaliser of MurmurHash3. */
function mixed(a: number, b: number): number {
  let h = Math.imul(a ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(b + 0x165667b1, 0xcc9e2d51);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
