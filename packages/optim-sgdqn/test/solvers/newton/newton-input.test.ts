/** Newton's method on hostile data, and what it refuses. */
import { type LinearProblem, linearLoss } from "@curvature/objectives/linear";
import { describe, expect, test } from "vitest";
import { SharedRows } from "../../../src/multiclass/shared-rows.js";
import { Newton } from "../../../src/solvers/newton/newton.js";
import { noisyHalves } from "../../helpers/rows.js";
import { denseData, lossNames, methods, problemOf, solve } from "./newton-problems.js";

describe("hostile data", () => {
  const reaches = (problem: LinearProblem): void => {
    for (const method of ["explicit", "sampled"] as const) {
      const { value = Number.NaN, status } = solve(problem, { tolerance: 1e-4, method });
      const best =
        solve(problem, { tolerance: 1e-13, method: "explicit", maxPasses: 1e5 }).value ?? Number.NaN;
      expect(status).toBe("converged");
      expect(value).toBeLessThanOrEqual(best * (1 + 1e-4));
    }
  };

  test("separable rows and a tiny λ", () => {
    const { rows } = noisyHalves(200, 5);
    const targets = Float64Array.from({ length: 200 }, (_, i) => (rows.data[5 * i] > 0 ? 1 : -1));
    for (const name of ["squared-hinge", "logistic", "smoothed-hinge"] as const)
      reaches({ rows, targets, loss: linearLoss(name), lambda: 1e-8, bias: "none" });
  });

  test("constant, empty and repeated columns, empty rows", () => {
    const { rows, targets } = noisyHalves(200, 3);
    const data = new Float64Array(200 * 8);
    for (let i = 20; i < 200; i++) {
      for (let j = 0; j < 3; j++) for (const k of [j, j + 3]) data[8 * i + k] = rows.data[3 * i + j];
      data[8 * i + 6] = 5;
    }
    for (const name of ["squared-hinge", "logistic", "huber"] as const)
      for (const bias of ["none", "regularized", "free"] as const)
        reaches({
          rows: { rows: 200, columns: 8, data },
          targets,
          loss: linearLoss(name),
          lambda: 1e-6,
          bias,
        });
  });

  test("columns of very different size", () => {
    const base = problemOf("squared-hinge", { n: 400, d: 8, lambda: 1e-3 });
    const sizes = Float64Array.from([1e-6, 1e-4, 1e-2, 1, 1e2, 1e4, 1e6, 1e8]);
    const data = Float64Array.from(denseData(base), (entry, k) => entry * sizes[k % 8]);
    for (const name of ["squared-hinge", "logistic"] as const)
      reaches({ ...base, loss: linearLoss(name), rows: { rows: 400, columns: 8, data } });
  });

  test("one class only, with a free bias", () => {
    const base = problemOf("squared-hinge", { bias: "free" });
    const { x, status, value } = solve({ ...base, targets: new Float64Array(80).fill(1) });
    expect([status, value]).toEqual(["converged", expect.closeTo(0, 12)]);
    expect(x.at(-1)).toBeCloseTo(1, 6);
  });

  test("no row that counts", () => {
    const base = problemOf("logistic");
    expect(solve({ ...base, importances: new Float64Array(80) })).toMatchObject({
      status: "converged",
      value: 0,
    });
  });

  test("entries too large for their squares end in diverged or a lower P, never in NaN", () => {
    for (const name of lossNames)
      for (const size of [1e120, 1e160, 1e300])
        for (const method of methods) {
          const base = problemOf(name);
          const data = Float64Array.from(denseData(base), (entry) => entry * size);
          const { x, status, usable } = solve(
            { ...base, rows: { rows: 80, columns: 6, data } },
            { method, maxPasses: 200 },
          );
          expect(x.every(Number.isFinite)).toBe(true);
          expect(usable || status === "diverged").toBe(true);
        }
  });
});

describe("refuses", () => {
  const problem = problemOf("logistic");
  const cases: readonly [string, () => unknown, string][] = [
    ["λ = 0", () => new Newton({ ...problem, lambda: 0 }), "ERR_OPTION"],
    ["a tolerance of NaN", () => new Newton(problem, { tolerance: Number.NaN }), "ERR_OPTION"],
    ["no passes", () => new Newton(problem, { maxPasses: 0 }), "ERR_OPTION"],
    [
      "a first point of another length",
      () => new Newton(problem, { initial: new Float64Array(3) }),
      "ERR_SHAPE",
    ],
    [
      "a first point with NaN",
      () => new Newton(problem, { initial: new Float64Array(6).fill(Number.NaN) }),
      "ERR_NON_FINITE",
    ],
    [
      "other rows than the shared ones",
      () => new Newton(problem, { shared: new SharedRows(problemOf("logistic")) }),
      "ERR_OPTION",
    ],
  ];
  test.each(cases)("%s", (_, make, code) => {
    expect(make).toThrowError(expect.objectContaining({ name: "CurvatureError", code }));
  });

  test("a snapshot of another problem, and goes on as before", () => {
    const solver = new Newton(problem);
    solver.step();
    const before = solver.save();
    const other = new Newton(problemOf("logistic", { n: 81 }));
    expect(() => solver.restore(other.save())).toThrowError(
      expect.objectContaining({ code: "ERR_SNAPSHOT" }),
    );
    expect(solver.save()).toEqual(before);
  });
});
