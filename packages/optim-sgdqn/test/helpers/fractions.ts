/** Exact arithmetic: fractions of whole numbers of any size, and P of doubles by them. */
import type { LinearProblem } from "@curvature/objectives/linear";
import { rowAccess } from "@curvature/objectives/linear";

export interface Fraction {
  readonly over: bigint;
  /** > 0 */
  readonly under: bigint;
}

/** A finite double as it is. */
export function fraction(x: number): Fraction {
  let [whole, under] = [x, 1n];
  while (!Number.isInteger(whole)) {
    whole *= 2;
    under *= 2n;
  }
  return { over: BigInt(whole), under };
}

export const plus = (a: Fraction, b: Fraction): Fraction => ({
  over: a.over * b.under + b.over * a.under,
  under: a.under * b.under,
});
export const times = (a: Fraction, b: Fraction): Fraction => ({
  over: a.over * b.over,
  under: a.under * b.under,
});
/** @param b - > 0 */
export const divided = (a: Fraction, b: Fraction): Fraction => times(a, { over: b.under, under: b.over });
export const minus = (a: Fraction, b: Fraction): Fraction => plus(a, { over: -b.over, under: b.under });

/** To 30 digits after the first one, which is enough for a double; b > 0. */
export function ratio(a: Fraction, b: Fraction): number {
  const { over, under } = divided(a, b);
  if (over === 0n) return 0;
  const size = over < 0n ? -over : over;
  const places = Math.max(0, under.toString().length - size.toString().length) + 30;
  return Number(`${(over * 10n ** BigInt(places)) / under}e-${places}`);
}

/** n P of losses that need no division: hinge, squared hinge and squared error. */
export function exactRisk(problem: LinearProblem, x: Float64Array): Fraction {
  const { rows, targets, loss, lambda, bias, importances } = problem;
  const one = fraction(1);
  const half = fraction(0.5);
  const d = rows.columns;
  let total = fraction(0);
  for (let j = 0; j < (bias === "regularized" ? d + 1 : d); j++)
    total = plus(total, times(fraction(x[j]), fraction(x[j])));
  total = times(total, times(half, fraction(lambda)));
  total = times(total, fraction(rows.rows));
  const access = rowAccess(rows);
  for (let i = 0; i < rows.rows; i++) {
    let score = bias === "none" ? fraction(0) : fraction(x[d]);
    access.forEachEntry(i, (j, entry) => {
      score = plus(score, times(fraction(entry), fraction(x[j])));
    });
    const y = fraction(targets[i]);
    const residual = loss.task === "regression" ? minus(score, y) : minus(one, times(y, score));
    if (loss.task === "classification" && residual.over <= 0n) continue;
    const value = loss.name === "hinge" ? residual : times(half, times(residual, residual));
    total = plus(total, times(fraction(importances?.[i] ?? 1), value));
  }
  return total;
}
