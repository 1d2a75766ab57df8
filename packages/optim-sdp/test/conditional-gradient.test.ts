import {
  type DenseMatrix,
  dot,
  matrixTimesVector,
  outerGram,
  symmetricEigen,
  zeros,
} from "@curvature/linalg";
import { maxIterations, runSync } from "@curvature/optim-core";
import { Faults, solverConformance } from "@curvature/optim-core/conformance";
import { describe, expect, test } from "vitest";
import type { SpectraplexProblem } from "../src/conditional-gradient.js";
import { ConditionalGradient } from "../src/conditional-gradient.js";
import { simplexThreshold } from "../src/solvers/simplex-projection.js";
import { randomPoints } from "./helpers/small.js";

/** f(Z) = Tr(C Z) − (q/2) ‖Z‖²: for q = 1 its maximiser is the projection of C. */
function quadratic(
  C: DenseMatrix,
  q: number,
  rest: Pick<SpectraplexProblem, "trace" | "orthogonalTo">,
  faults = new Faults(),
): SpectraplexProblem {
  const n = C.rows;
  const gradient = zeros(n, n);
  let inner = 0;
  return {
    size: n,
    ...rest,
    at: (Z) => {
      const poison = faults.next();
      for (let k = 0; k < gradient.data.length; k++) gradient.data[k] = C.data[k] - q * Z.data[k];
      inner = dot(gradient.data, Z.data);
      return poison ?? dot(C.data, Z.data) - (q / 2) * dot(Z.data, Z.data);
    },
    multiply: (v, out) => matrixTimesVector(gradient, v, out),
    inner: () => inner,
  };
}

const symmetric = (n: number, seed: number): DenseMatrix => outerGram(randomPoints(n, n, seed));

for (const set of ["spectraplex", "fantope"] as const)
  describe(`conditional gradients over the ${set} conform`, () => {
    const checks = solverConformance({
      name: set,
      create: (seed, faults) =>
        new ConditionalGradient(
          quadratic(symmetric(9, 1), 1, { trace: 2.5, orthogonalTo: new Float64Array(9).fill(1) }, faults),
          { set, seed, tolerance: 1e-3 },
        ),
      createTiny: (seed) =>
        new ConditionalGradient(quadratic(symmetric(1, 1), 1, { trace: 1 }), { set, seed }),
      sense: "maximize",
      longSteps: 100,
      bytesInUse: () => process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers,
    });
    for (const { name, check } of checks) test(name, check);
  });

describe("optima that are known", () => {
  test("of a linear f: the leading eigenvalue, and the Fantope's sum of them", () => {
    const C = symmetric(30, 2);
    const l = symmetricEigen(C).values.reverse();
    for (const [set, trace, right] of [
      ["spectraplex", 2.5, 2.5 * l[0]],
      ["fantope", 2.5, l[0] + l[1] + 0.5 * l[2]],
    ] as const) {
      const solver = new ConditionalGradient(quadratic(C, 0, { trace }), { set, tolerance: 1e-4 });
      const { status, value } = runSync(solver, { stop: maxIterations(300) });
      expect(status).toBe("converged");
      expect(value).toBeLessThanOrEqual(right * (1 + 1e-12));
      expect(value).toBeGreaterThanOrEqual(right * (1 - 1.01e-4)); // the gap bounds what is missing
    }
  });

  test("of a quadratic f: the projection onto the spectraplex, b's complement respected", () => {
    const n = 12;
    const C = symmetric(n, 3);
    const b = randomPoints(n, 1, 4).data;
    const { values } = symmetricEigen(projectedAway(C, b));
    const decreasing = values.filter((l) => Math.abs(l) > 1e-9).reverse();
    const theta = simplexThreshold(decreasing, 10);
    const p = decreasing.map((l) => Math.max(0, l - theta));
    const right = dot(p, decreasing) - dot(p, p) / 2;
    const solver = new ConditionalGradient(quadratic(C, 1, { trace: 10, orthogonalTo: b }), {
      tolerance: 1e-3,
    });
    const { status, value, history } = runSync(solver, { stop: maxIterations(20_000), history: 1 });
    expect(status).toBe("converged");
    expect(value).toBeLessThanOrEqual(right + 1e-9);
    expect(history[0].details.upper).toBeGreaterThanOrEqual(right - 1e-9);
    expect(value).toBeGreaterThan(right * (1 - 1e-3));
    const Z = { rows: n, columns: n, data: solver.best.x };
    const Zb = new Float64Array(n);
    matrixTimesVector(Z, b, Zb);
    expect(Math.max(...Zb.map(Math.abs))).toBeLessThan(1e-12);
    expect(Array.from({ length: n }, (_, i) => Z.data[i * (n + 1)]).reduce((x, y) => x + y)).toBeCloseTo(
      10,
      11,
    );
  });
});

test("problems that are none are refused", () => {
  const good = quadratic(symmetric(3, 1), 1, { trace: 1 });
  for (const bad of [
    JSON.parse("null"),
    { ...good, size: 0 },
    { ...good, trace: 0 },
    { ...good, trace: Number.NaN },
    { ...good, orthogonalTo: new Float64Array(3) },
    { ...good, orthogonalTo: new Float64Array(2).fill(1) },
  ])
    expect(() => new ConditionalGradient(bad)).toThrowError(
      expect.objectContaining({ code: "ERR_ARGUMENT" }),
    );
  expect(() => new ConditionalGradient({ ...good, trace: 4 }, { set: "fantope" })).toThrowError(/at most 3/);
});

/** C restricted to b's complement, as an n × n matrix with the eigenvalue 0 along b. */
function projectedAway(C: DenseMatrix, b: Float64Array): DenseMatrix {
  const n = C.rows;
  const Cb = new Float64Array(n);
  matrixTimesVector(C, b, Cb);
  const bb = dot(b, b);
  const bCb = dot(b, Cb);
  const A = zeros(n, n);
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++)
      A.data[i * n + j] =
        C.data[i * n + j] - (b[i] * Cb[j] + Cb[i] * b[j]) / bb + (bCb * b[i] * b[j]) / (bb * bb);
  return A;
}
