/**
 * NIST's nonlinear regression by `leastSquares`: certified parameters, standard errors of a computation with 60 digits, and no more
 * evaluations than MINPACK's by a fifth.
 */
import { readFileSync } from "node:fs";
import { type LeastSquaresProblem, leastSquares } from "@curvature/optim-core";
import { describe, expect, test } from "vitest";
import type { SquaresProblem } from "../../../apps/bench/data/optimizers/mgh.mjs";
import { problems } from "../../../apps/bench/data/optimizers/nist.mjs";

interface Certified {
  readonly parameters: readonly number[];
  readonly standardErrors: readonly number[];
  readonly residualStandardDeviation: number;
}

const data = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../../apps/bench/data/optimizers/${name}`, import.meta.url), "utf8"));
const certified: Readonly<Record<string, Certified>> = data("nist-errors.json");
const rivals: Readonly<
  Record<string, { readonly lm: { readonly reached: boolean; readonly total: number } }>
> = data("scipy.json").nist;

function withJacobian({ n, m, residuals }: SquaresProblem): LeastSquaresProblem {
  const r = new Float64Array(m);
  const J = new Float64Array(m * n);
  return {
    residuals: (x) => {
      residuals(x, r);
      return r;
    },
    jacobian: (x) => {
      residuals(x, new Float64Array(m), J);
      return { rows: m, columns: n, data: J };
    },
  };
}

/** The largest relative difference. */
const apart = (found: ArrayLike<number>, right: readonly number[]): number =>
  Math.max(...right.map((value, j) => Math.abs(found[j] - value) / Math.abs(value)));

const starts = Object.entries(problems).flatMap(([name, problem]) =>
  [problem.x0, problem.x1 ?? []].map((start, k) => ({ name, problem, start, number: k + 1 })),
);

describe.each(starts)("$name from start $number", ({ name, problem, start, number }) => {
  const { parameters, standardErrors, residualStandardDeviation } = certified[name];

  test.each(["given", "by differences"])("Jacobian %s", async (kind) => {
    const whole = withJacobian(problem);
    const result = await leastSquares(kind === "given" ? whole : whole.residuals, start);
    expect(result.status, result.message).toBe("converged");
    expect(apart(result.x, parameters)).toBeLessThan(5e-7);
    expect(apart(result.standardErrors, standardErrors)).toBeLessThan(1e-6);
    expect(result.residualStandardDeviation / residualStandardDeviation).toBeCloseTo(1, 9);
    const { lm } = rivals[name];
    if (kind === "given" && number === 1 && lm.reached)
      expect(result.evaluations).toBeLessThanOrEqual(1.2 * lm.total);
  });
});
