/** What Newton's method claims, and what it needs for it: the bias eliminated, λ brought down, the hinge by smoothed ones. */
import {
  type LinearLossName,
  type LinearProblem,
  linearLoss,
  primalCost,
} from "@curvature/objectives/linear";
import { maxIterations, runSync } from "@curvature/optim-core";
import { describe, expect, test } from "vitest";
import { DualCoordinateDescent } from "../../../src/solvers/dual/dual-coordinate-descent.js";
import { LinearLbfgs } from "../../../src/solvers/linear-lbfgs.js";
import { centered } from "../../../src/solvers/newton/centered-problem.js";
import { certify, DualBound } from "../../../src/solvers/newton/certificate.js";
import { Line } from "../../../src/solvers/newton/line-search.js";
import { rowSweeps } from "../../../src/solvers/newton/sweeps/row-sweeps.js";
import { noisyHalves, sparseOf } from "../../helpers/rows.js";
import { denseData, forever, lossNames, methods, problemOf, solve } from "./newton-problems.js";

const gapOf = ({ history }: ReturnType<typeof solve>): number => history.at(-1)?.details.gap ?? Number.NaN;

/** Rows that a plane through the origin parts. */
function separable(name: LinearLossName, lambda: number): LinearProblem {
  const { rows } = noisyHalves(150, 6, { seed: 3 });
  const targets = Float64Array.from({ length: 150 }, (_, i) =>
    rows.data[6 * i] + rows.data[6 * i + 1] > 0 ? 1 : -1,
  );
  return { rows, targets, loss: linearLoss(name), lambda, bias: "free" };
}

describe("a free bias", () => {
  const offset = 1.7e9;

  test("takes up offsets of the columns, however large", () => {
    for (const name of lossNames) {
      const base = problemOf(name, { n: 200, bias: "free", lambda: 1e-3 });
      // entries that doubles of this size hold exactly
      const near = Float64Array.from(denseData(base), (entry) => Math.round(entry * 2 ** 20) / 2 ** 20);
      const rows = { rows: 200, columns: 6, data: near };
      const far = { ...rows, data: near.map((entry) => entry + offset) };
      const [here, there] = [rows, far].map((moved) => solve({ ...base, rows: moved }, { tolerance: 1e-11 }));
      expect([here.status, there.status]).toEqual(["converged", "converged"]);
      expect(Math.abs((there.value ?? 0) / (here.value ?? 0) - 1)).toBeLessThan(1e-9);
    }
  });

  test("takes up an offset of the targets", () => {
    for (const name of ["squared-error", "huber"] as const) {
      const base = problemOf(name, { n: 200, bias: "free", lambda: 1e-3 });
      const near = base.targets.map((y) => Math.round(y * 2 ** 20) / 2 ** 20);
      const [here, there] = [0, offset].map((by) =>
        solve({ ...base, targets: near.map((y) => y + by) }, { tolerance: 1e-11 }),
      );
      expect([here.status, there.status]).toEqual(["converged", "converged"]);
      expect(Math.abs((there.value ?? 0) / (here.value ?? 0) - 1)).toBeLessThan(1e-9);
    }
  });

  test("of sparse rows is that of dense ones, a column without zeros included", () => {
    for (const name of lossNames) {
      const base = problemOf(name, { n: 200, bias: "free", lambda: 1e-3, density: 0.3 });
      const data = Float64Array.from(denseData(base), (entry, k) => (k % 6 === 2 ? entry + offset : entry));
      const dense = { rows: 200, columns: 6, data };
      for (const method of methods) {
        const [a, b] = [dense, sparseOf(dense)].map((rows) =>
          solve({ ...base, rows }, { tolerance: 1e-10, method }),
        );
        expect([a.status, b.status]).toEqual(["converged", "converged"]);
        expect(Math.abs((a.value ?? 0) / (b.value ?? 0) - 1)).toBeLessThan(1e-9);
      }
    }
  });

  test("keeps what a nearly constant column says", () => {
    const base = problemOf("squared-hinge", { n: 60, d: 1, bias: "free", lambda: 1e-6 });
    // differences of some units in the last place
    const data = Float64Array.from(denseData(base), (entry) => 2 ** 40 + Math.round(4 * entry) * 2 ** -12);
    const moved = { rows: 60, columns: 1, data: data.map((entry) => entry - 2 ** 40) };
    const [far, near] = [{ ...moved, data }, moved].map((rows) =>
      solve({ ...base, rows }, { tolerance: 1e-9 }),
    );
    expect(Math.abs((far.value ?? 0) / (near.value ?? 0) - 1)).toBeLessThan(1e-9);
  });
});

describe("a tiny λ on rows that can be separated", () => {
  for (const name of ["squared-hinge", "smoothed-hinge", "modified-huber", "logistic"] as const)
    test(`ends certified for the ${name} loss, after few iterations`, () => {
      for (const lambda of [1e-5, 1e-8]) {
        const { status, history } = solve(separable(name, lambda));
        expect(status).toBe("converged");
        expect(history.filter(({ phase }) => phase === "iteration").length).toBeLessThanOrEqual(30);
      }
    });
});

describe("the hinge with a free bias", () => {
  for (const tolerance of [1e-3, 1e-6])
    test(`ends at ${tolerance}, at a point as good as it says`, () => {
      for (const problem of [
        problemOf("hinge", { n: 120, bias: "free", lambda: 1e-3 }),
        separable("hinge", 1e-6),
      ]) {
        const best = solve(problem, { tolerance: 1e-8 }).value ?? Number.NaN;
        const made = solve(problem, { tolerance });
        expect(made.status).toBe("converged");
        expect(made.value).toBeCloseTo(primalCost(problem, made.x), 12);
        expect((made.value ?? Number.NaN) - best).toBeLessThanOrEqual(tolerance * best);
      }
    });
});

test("a narrow smoothed hinge on rows that can be separated ends certified, after as few iterations as the hinge", () => {
  for (const width of [0.1, 0.01, 1e-3])
    for (const bias of ["free", "regularized"] as const)
      for (const lambda of [1e-2, 1e-3, 1e-4, 1e-6]) {
        const problem: LinearProblem = {
          ...separable("hinge", lambda),
          loss: linearLoss("smoothed-hinge", { width }),
          bias,
        };
        const { x, value, status, history } = solve(problem);
        expect(status).toBe("converged");
        expect(history.filter(({ phase }) => phase === "iteration").length).toBeLessThanOrEqual(40);
        expect(value).toBeCloseTo(primalCost(problem, x), 12);
      }
});

describe("the logistic loss near known slopes", () => {
  // The same bound by its logarithms, which the fuzz of certificates holds against optima in 80 bits.
  for (const size of [1e-6, 0.03, 1, 30, 900])
    for (const step of [0, 1e-9, 1e-3, 0.3, 3])
      test(`has the bound of its logarithms: scores of ${size}, a step of ${step}`, () => {
        const problem = problemOf("logistic", { n: 300, lambda: 1e-4 * size, bias: "none" });
        const inner = centered(problem, undefined);
        const [line, bound] = [new Line(inner), new DualBound(inner)];
        const sweeps = rowSweeps(problem.rows, "none");
        for (let j = 0; j < line.w.length; j++) line.w[j] = size * Math.sin(3 * j + 1);
        sweeps.multiply(line.w, line.z, 0, 300);
        line.renew();
        line.measure(0);
        const a = line.a.map((slope, i) => slope + line.h[i] * step * Math.cos(7 * i));
        bound.project(a);
        const v = new Float64Array(line.w.length);
        sweeps.addTransposed(a, v, 0, 300);
        const near = bound.value(a, v, 0, 0, line);
        const byLogarithms = bound.value(a, v, 0, 0);
        expect(near.value).toBeLessThanOrEqual(byLogarithms.value + byLogarithms.rounding + near.rounding);
        expect(near.value).toBeGreaterThanOrEqual(byLogarithms.value - 1e-8 * Math.abs(byLogarithms.value));
      });
});

describe("rounding", () => {
  const problem = problemOf("logistic", { n: 200, bias: "regularized" });

  test("a tolerance of 0 ends as stalled, at a gap that is no claim of 0", () => {
    for (const name of [...lossNames, "hinge"] as const)
      for (const bias of ["none", "regularized", "free"] as const) {
        const made = solve(problemOf(name, { bias }), { tolerance: 0 });
        expect(made.status).toBe("stalled");
        expect(gapOf(made)).toBeGreaterThan(0);
        expect(gapOf(made)).toBeLessThan(1e-8);
      }
  });

  test("no solver claims a gap of 0 at an optimum of doubles", () => {
    const { x } = solve(problem, { tolerance: 0 });
    expect(certify(problem, x).gap).toBeGreaterThan(1e-15);
    const hinge = { ...problem, loss: linearLoss("squared-hinge") };
    const solvers = [
      new LinearLbfgs(problem, { tolerance: 0 }),
      new DualCoordinateDescent(hinge, { tolerance: 0, maxPasses: 1e4 }),
    ];
    for (const solver of solvers) {
      const { status, history } = runSync(solver, { stop: maxIterations(1e5), history: true });
      expect(status).not.toBe("converged");
      expect(history.at(-1)?.details.gap).toBeGreaterThan(1e-15);
    }
  });

  test("that is as large as P leaves nothing to claim", () => {
    // columns of 1e9 and scores near 1: the last digits of the scores are those of P
    const base = problemOf("squared-hinge", { n: 12, d: 20, lambda: 1e-12, bias: "regularized" });
    const data = Float64Array.from(denseData(base), (entry) => 1e9 + entry);
    const made = solve({ ...base, rows: { rows: 12, columns: 20, data } }, { tolerance: 1e-9 });
    expect(made.status).not.toBe("converged");
    expect(gapOf(made)).toBeGreaterThan(1e-9);
  });
});

test("P = 0 is an optimum", () => {
  const made = solve({
    ...problemOf("squared-error", { bias: "free" }),
    targets: new Float64Array(80).fill(7),
  });
  expect([made.status, made.value, gapOf(made)]).toEqual(["converged", 0, 0]);
});

test("is what other solvers end with, too", () => {
  const problem = problemOf("squared-hinge", { n: 200 });
  const best = solve(problem, { tolerance: 1e-11 }).value ?? Number.NaN;
  for (const solver of [new LinearLbfgs(problem), new DualCoordinateDescent(problem)]) {
    const { status, value = Number.NaN, history } = runSync(solver, { stop: forever, history: true });
    const { gap = Number.NaN, certificate } = history.at(-1)?.details ?? {};
    expect([status, certificate]).toEqual(["converged", "duality-gap"]);
    expect((value - best) / value).toBeLessThanOrEqual(gap);
  }
});
