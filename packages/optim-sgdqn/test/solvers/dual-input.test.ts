/** Dual coordinate descent on data at the edge, and what it refuses. */
import { type LinearProblem, linearLoss } from "@curvature/objectives/linear";
import { describe, expect, test } from "vitest";
import { SharedRows } from "../../src/multiclass/shared-rows.js";
import { DualCoordinateDescent } from "../../src/solvers/dual/dual-coordinate-descent.js";
import { problemOf, solve } from "./dual-problems.js";

describe("data at the edge", () => {
  test("an importance of 2 is a row twice, of 0 none", () => {
    const whole = problemOf("squared-hinge", { n: 30, d: 3 });
    const { rows } = whole;
    if (!("data" in rows)) throw new Error("dense rows expected");
    const times = Array.from({ length: 30 }, (_, i) => i % 3);
    const kept = times.flatMap((c, i) => Array.from({ length: c }, () => i));
    const data = Float64Array.from(kept.flatMap((i) => Array.from(rows.data.slice(3 * i, 3 * i + 3))));
    const repeated: LinearProblem = {
      ...whole,
      rows: { rows: 30, columns: 3, data },
      targets: Float64Array.from(kept, (i) => whole.targets[i]),
    };
    const weighted = { ...whole, importances: Float64Array.from(times) };
    expect(kept).toHaveLength(30); // so that the mean is over as many
    const [a, b] = [weighted, repeated].map((p) => solve(p, { tolerance: 1e-12 }).x);
    for (let j = 0; j < 3; j++) expect(a[j]).toBeCloseTo(b[j], 4); // each within √(2 gap P/λ) < 1.5e-5
  });

  test("empty rows, no row that counts, and labels of one sign", () => {
    const empty = { rows: 4, columns: 2, data: new Float64Array(8) };
    const targets = Float64Array.of(1, -1, -1, 1);
    const base: LinearProblem = {
      rows: empty,
      targets,
      loss: linearLoss("hinge"),
      lambda: 0.1,
      bias: "none",
    };
    expect(solve(base)).toMatchObject({ status: "converged", value: 1 });
    const unweighted = solve({ ...base, importances: new Float64Array(4) });
    expect(unweighted).toMatchObject({ status: "converged", value: 0 });
    const oneSided = {
      ...problemOf("hinge", { bias: "regularized" }),
      targets: new Float64Array(60).fill(1),
    };
    const { x, status } = solve(oneSided, { tolerance: 1e-6 });
    expect(status).toBe("converged");
    expect(x[5]).toBeGreaterThan(0.9); // the bias alone does it
  });

  test("entries too large for their squares end in diverged or a certified point, never in NaN", () => {
    for (const size of [1e120, 1e160, 1e300]) {
      const { rows, ...rest } = problemOf("squared-hinge");
      if (!("data" in rows)) throw new Error("dense rows expected");
      const huge = { rows: 60, columns: 5, data: Float64Array.from(rows.data, (entry) => entry * size) };
      const { x, status } = solve({ ...rest, rows: huge }, { maxPasses: 50 });
      expect(x.every(Number.isFinite)).toBe(true);
      expect(["diverged", "converged", "max-iterations", "stalled"]).toContain(status);
    }
  });
});

describe("refuses", () => {
  const problem = problemOf("hinge");
  const cases: readonly [string, () => unknown, string][] = [
    ["the logistic loss", () => new DualCoordinateDescent(problemOf("logistic")), "ERR_OPTION"],
    ["a free bias", () => new DualCoordinateDescent({ ...problem, bias: "free" }), "ERR_OPTION"],
    ["λ = 0", () => new DualCoordinateDescent({ ...problem, lambda: 0 }), "ERR_OPTION"],
    ["a tolerance of NaN", () => new DualCoordinateDescent(problem, { tolerance: Number.NaN }), "ERR_OPTION"],
    ["no passes", () => new DualCoordinateDescent(problem, { maxPasses: 0 }), "ERR_OPTION"],
    ["a seed of -1", () => new DualCoordinateDescent(problem, { seed: -1 }), "ERR_OPTION"],
    [
      "a start of another length",
      () => new DualCoordinateDescent(problem, { initialDual: new Float64Array(3) }),
      "ERR_SHAPE",
    ],
    [
      "a start with NaN",
      () => new DualCoordinateDescent(problem, { initialDual: new Float64Array(60).fill(Number.NaN) }),
      "ERR_NON_FINITE",
    ],
    [
      "other rows than the shared ones",
      () => new DualCoordinateDescent(problem, { shared: new SharedRows(problemOf("hinge")) }),
      "ERR_OPTION",
    ],
  ];
  test.each(cases)("%s", (_, make, code) => {
    expect(make).toThrowError(expect.objectContaining({ name: "CurvatureError", code }));
  });
});
