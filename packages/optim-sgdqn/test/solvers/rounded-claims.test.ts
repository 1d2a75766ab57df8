/** What solvers claim where rounding is most of it, beside optima in closed form and in fractions. */
import { type LinearProblem, linearLoss } from "@curvature/objectives/linear";
import { maxIterations, runSync } from "@curvature/optim-core";
import { describe, expect, test } from "vitest";
import { createLinearSolver, type LinearSolverOptions } from "../../src/index.js";
import { exactCost } from "../../src/solvers/exact-cost.js";
import {
  divided,
  exactRisk,
  type Fraction,
  fraction,
  minus,
  plus,
  ratio,
  times,
} from "../helpers/fractions.js";
import { noisyHalves } from "../helpers/rows.js";

const stop = maxIterations(Number.POSITIVE_INFINITY);

interface Held {
  /** (P − P*)/P of the parameters, less the gap that is claimed: 0 or less, up to rounding. */
  readonly excess: number;
  /** The value reported over P of the parameters, less 1. */
  readonly error: number;
  readonly status: string;
}

/** @param total - n P of parameters, `optimum` n P* */
function held(
  problem: LinearProblem,
  options: LinearSolverOptions,
  optimum: Fraction,
  total = (x: Float64Array): Fraction => exactRisk(problem, x),
): Held {
  const {
    x,
    value = Number.NaN,
    status,
    history,
  } = runSync(createLinearSolver(problem, options), {
    stop,
    history: true,
  });
  const P = total(x);
  // A free bias is rounded once more when the columns are moved back.
  const b = problem.bias === "free" ? (x.at(-1) ?? 0) : 0;
  const moved = [-1, 1].map((sign) => {
    const risk = total(x.with(-1, b + sign * Math.abs(b) * 2 ** -53 * 2));
    return ratio(minus(risk, P), P);
  });
  const forgiven = b === 0 ? 0 : Math.max(0, ...moved);
  const gap = history.at(-1)?.details.gap ?? Number.POSITIVE_INFINITY;
  const n = fraction(problem.rows.rows);
  return {
    excess: ratio(minus(P, optimum), P) - gap - forgiven,
    error: ratio(minus(times(n, fraction(value)), P), P),
    status,
  };
}

const ROUNDED = 1e-14;

describe("a gap that is claimed holds", () => {
  test("of two rows of any size and weights, the columns moved to the heavy one", () => {
    for (let power = 4; power <= 12; power++)
      for (const weight of [1, 1e3, 1e7, 1e12])
        for (const solver of ["newton", "lbfgs"] as const)
          for (let k = 0; k < 5; k++) {
            const data = Float64Array.of(-3.28686304 * 10 ** power - k, -0.0533785 * 10 ** power - k / 3);
            const targets = Float64Array.of(14.659903396984724, 0.23807607861480945);
            const importances = Float64Array.of(0.0138, 0.0138 * weight);
            const problem: LinearProblem = {
              rows: { rows: 2, columns: 1, data },
              targets,
              importances,
              loss: linearLoss("squared-error"),
              lambda: 0.0807,
              bias: "free",
            };
            const [c, e] = Array.from(importances, fraction);
            const K = divided(times(c, e), plus(c, e));
            const dx = minus(fraction(data[0]), fraction(data[1]));
            const dy = minus(fraction(targets[0]), fraction(targets[1]));
            const lambda = fraction(problem.lambda);
            const under = plus(plus(lambda, lambda), times(K, times(dx, dx)));
            const optimum = divided(times(times(K, times(dy, dy)), lambda), under);
            const { excess, status } = held(problem, { solver, tolerance: 3e-3 }, optimum);
            expect(excess, `${solver}, 1e${power}, ${weight}, ${k}: ${status}`).toBeLessThanOrEqual(ROUNDED);
          }
  });

  test("of one row that is parted with nothing to spare, whose P is its parameters' to the last digits", () => {
    for (const loss of ["hinge", "squared-hinge"] as const)
      for (const solver of ["newton", "dcd"] as const)
        for (const lambda of [2e-10, 1e-6, 1e-2])
          for (let power = 0; power <= 9; power++) {
            const data = Float64Array.from(
              { length: 21 },
              (_, j) => Math.sqrt(j + 2) * 10 ** ((power * j) / 20),
            );
            const problem: LinearProblem = {
              rows: { rows: 1, columns: 21, data },
              targets: Float64Array.of(1),
              loss: linearLoss(loss),
              lambda,
              bias: "none",
            };
            const square = data.reduce((sum, x) => plus(sum, times(fraction(x), fraction(x))), fraction(0));
            const of = fraction(lambda);
            const under = loss === "hinge" ? square : plus(square, of);
            const optimum = divided(times(fraction(0.5), of), under);
            const found = held(problem, { solver, tolerance: 1e-6 }, optimum);
            const name = `${solver}, ${loss}, ${lambda}, 1e${power}: ${found.status}`;
            expect(found.excess, name).toBeLessThanOrEqual(ROUNDED);
            expect(Math.abs(found.error), name).toBeLessThanOrEqual(1e-9);
          }
  });

  test("of many equal rows, whose sums are rounded with one sign", () => {
    const n = 200_000;
    for (const solver of ["newton", "dcd", "lbfgs"] as const)
      for (const x of [0.1, 0.7, 1.3]) {
        const one: LinearProblem = {
          rows: { rows: 1, columns: 1, data: Float64Array.of(x) },
          targets: Float64Array.of(0.3),
          loss: linearLoss("squared-error"),
          lambda: 0.003,
          bias: "none",
        };
        const rows = { rows: n, columns: 1, data: new Float64Array(n).fill(x) };
        const problem = { ...one, rows, targets: new Float64Array(n).fill(0.3) };
        const [lambda, y] = [fraction(one.lambda), fraction(0.3)];
        const best = divided(times(times(y, y), lambda), plus(lambda, times(fraction(x), fraction(x))));
        const all = fraction(n);
        const optimum = times(all, times(fraction(0.5), best));
        const total = (w: Float64Array) => times(all, exactRisk(one, w));
        for (const tolerance of [1e-12, 1e-9, 1e-6]) {
          const { excess, status } = held(problem, { solver, tolerance }, optimum, total);
          expect(excess, `${solver}, ${x}, ${tolerance}: ${status}`).toBeLessThanOrEqual(ROUNDED);
          if (tolerance > 1e-9) expect(status, `${solver}, ${x}`).toBe("converged");
        }
      }
  });
});

test("exactCost is P of fractions, also where all but the last digits of the scores cancel", () => {
  for (const loss of ["hinge", "squared-hinge", "squared-error"] as const)
    for (const bias of ["none", "regularized", "free"] as const)
      for (let seed = 1; seed <= 10; seed++) {
        const { rows, targets } = noisyHalves(9, 6, { seed });
        const x = Float64Array.from({ length: bias === "none" ? 6 : 7 }, (_, j) => 0.3 - j / 7);
        // scores of 1, nearly: what two huge columns add they take away again
        const data = rows.data.slice();
        for (let i = 0; i < 9; i++) {
          data[6 * i] = 1e9 * (i + 0.1);
          let rest = targets[i] - (bias === "none" ? 0 : x[6]);
          for (let j = 0; j < 5; j++) rest -= data[6 * i + j] * x[j];
          data[6 * i + 5] = rest / x[5];
        }
        const problem: LinearProblem = {
          rows: { rows: 9, columns: 6, data },
          targets,
          loss: linearLoss(loss),
          lambda: 1e-30,
          bias,
        };
        const exact = exactRisk(problem, x);
        const found = times(fraction(9), fraction(exactCost(problem, x)));
        expect(Math.abs(ratio(minus(found, exact), exact)), `${loss}, ${bias}, ${seed}`).toBeLessThan(2e-15);
      }
});
