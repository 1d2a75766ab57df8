/**
 * Rows dealt into folds: in random order, class by class, one row to each fold in turn. So every fold has the same
 * number of rows, and of each class's, within one.
 */
import { badOption, permutation, type RandomGenerator } from "@curvature/linalg";

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
