/** Points and answers about them, drawn for simulations. */
import { normal, type RandomGenerator } from "@curvature/linalg";

export type Points = readonly (readonly number[])[];

export const squared = (points: Points, i: number, j: number): number =>
  points[i].reduce((sum, value, t) => sum + (value - points[j][t]) ** 2, 0);

export const cloud = (random: RandomGenerator, count: number, p: number, size = 1): number[][] =>
  Array.from({ length: count }, () => Array.from({ length: p }, () => size * normal(random)));

/** `count` different numbers below `of`. */
export function some(random: RandomGenerator, count: number, of: number): number[] {
  const found = new Set<number>();
  while (found.size < count) found.add(random.integer(of));
  return [...found];
}

/** Whether someone who sees `points` says that i is nearer to j than to k: logistic in the difference of squared distances. */
export const saysNearer = (
  random: RandomGenerator,
  points: Points,
  slope: number,
  [i, j, k]: readonly number[],
): boolean => random.uniform() < 1 / (1 + Math.exp(slope * (squared(points, i, j) - squared(points, i, k))));

/** Such an answer to a question that is drawn. */
export function answer(random: RandomGenerator, points: Points, slope: number): number[] {
  const question = some(random, 3, points.length);
  const [i, j, k] = question;
  return saysNearer(random, points, slope, question) ? question : [i, k, j];
}

/** An answer that is wrong with a probability of `flip`, whatever the question. */
export function flippedAnswer(random: RandomGenerator, points: Points, flip: number): number[] {
  const [i, j, k] = some(random, 3, points.length);
  const isNear = squared(points, i, j) < squared(points, i, k);
  return isNear !== random.uniform() < flip ? [i, j, k] : [i, k, j];
}

/** The mean, and its standard error. */
export function meanAndError(values: readonly number[]): { readonly mean: number; readonly error: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, error: Math.sqrt(squares / (values.length - 1) / values.length) };
}
