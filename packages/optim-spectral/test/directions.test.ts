import { fromTriplets } from "@curvature/linalg";
import { tsne, type Weights } from "@curvature/objectives/embedding";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { countComponents, degreesOf, strongestEdges } from "../src/directions/graph.js";
import { sparseSpectralMatrix } from "../src/directions/spectral-matrix.js";
import {
  attractiveGraph,
  type Direction,
  diagonalHessianDirection,
  fixedPointDirection,
  gradientDirection,
  PartialHessian,
  spectralDirection,
  spectralMinusDirection,
  spectralSolve,
} from "../src/index.js";
import { disconnected, iterativeMethods, noise, smallModel } from "./helpers/small.js";

function stepOf(
  direction: Direction,
  objective: ReturnType<typeof smallModel>,
  X: Float64Array,
): Float64Array {
  const G = new Float64Array(X.length);
  const P = new Float64Array(X.length);
  objective.evaluate(X, G);
  direction.compute(objective, X, G, P);
  return P;
}

function largestDifference(a: Float64Array, b: Float64Array): number {
  return a.reduce((most, x, k) => Math.max(most, Math.abs(x - b[k])), 0);
}

const size = (a: Float64Array): number => a.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
const graphOf = (objective: ReturnType<typeof smallModel>) => attractiveGraph(objective.attractiveWeights());

/** The weights as CSR. */
function sparse(weights: Weights): Weights {
  if (!("data" in weights)) return weights;
  const N = weights.rows;
  const [rows, columns, values]: [number[], number[], number[]] = [[], [], []];
  weights.data.forEach((w, k) => {
    if (w === 0) return;
    rows.push(Math.floor(k / N));
    columns.push(k % N);
    values.push(w);
  });
  return fromTriplets(N, N, { rows, columns, values });
}

describe.each(iterativeMethods)("every direction on %s", (method) => {
  const objective = smallModel(method, { dimensions: 3 });
  const graph = graphOf(objective);
  const directions: readonly Direction[] = [
    gradientDirection(),
    fixedPointDirection(graph),
    diagonalHessianDirection(graph),
    spectralDirection(graph),
    spectralDirection(graph, 4),
    spectralMinusDirection(graph),
  ];

  test("descends, whatever the point", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1000 }), fc.constantFrom(1e-5, 0.1, 1, 5), (seed, scale) => {
        const X = noise(90, scale, seed);
        const G = new Float64Array(90);
        objective.evaluate(X, G);
        for (const direction of directions) {
          const P = stepOf(direction, objective, X);
          const slope = P.reduce((sum, p, k) => sum + p * G[k], 0);
          if (!(slope < 0)) throw new Error(`${direction.name} has slope ${slope}`);
        }
      }),
      { numRuns: 25 },
    );
  });

  test("E never increases", { tags: ["full"] }, () => {
    for (const direction of directions) {
      const solver = new PartialHessian(objective, noise(90, 0.1), direction, { growth: 2 });
      let before = objective.evaluate(noise(90, 0.1));
      for (let k = 0; k < 30; k++) {
        const { value, outcome } = solver.step();
        expect(value).toBeLessThanOrEqual(before);
        before = value ?? Number.NaN;
        if (outcome !== undefined) break;
      }
    }
  });

  test("turning the map turns the step", () => {
    const X = noise(90, 1);
    const turned = new Float64Array(90);
    const turn = (from: Float64Array, to: Float64Array): void => {
      for (let n = 0; n < 90; n += 3) {
        to[n] = 0.6 * from[n] - 0.8 * from[n + 1];
        to[n + 1] = 0.8 * from[n] + 0.6 * from[n + 1];
        to[n + 2] = from[n + 2];
      }
    };
    turn(X, turned);
    for (const direction of [gradientDirection(), fixedPointDirection(graph), spectralDirection(graph)]) {
      const expected = new Float64Array(90);
      turn(stepOf(direction, objective, X), expected);
      const P = stepOf(direction, objective, turned);
      expect(largestDifference(P, expected)).toBeLessThan(1e-5 * size(P));
    }
  });
});

describe("the spectral direction", () => {
  test("without repulsion reaches X = 0 in one unit step (EE and s-SNE)", () => {
    for (const method of ["ee", "ssne"] as const) {
      const objective = smallModel(method, { lambda: 0 });
      const solver = new PartialHessian(objective, noise(60, 1), spectralDirection(graphOf(objective)));
      const { stepLength } = solver.step();
      expect(stepLength).toBe(1);
      const { x } = solver.last;
      const means = [0, 1].map((i) => x.reduce((sum, v, k) => (k % 2 === i ? sum + v / 30 : sum), 0));
      const rest = x.map((v, k) => v - means[k % 2]);
      expect(size(rest)).toBeLessThan(1e-6);
    }
  });

  test("with kappa = 0 is the fixed-point iteration", () => {
    const objective = smallModel("tsne");
    const graph = graphOf(objective);
    const X = noise(60, 1);
    const P = stepOf(fixedPointDirection(graph), objective, X);
    const means = [0, 1].map((i) => P.reduce((sum, v, k) => (k % 2 === i ? sum + v / 30 : sum), 0));
    const centred = P.map((v, k) => v - means[k % 2]);
    const sparsified = stepOf(spectralDirection(graph, 0), objective, X);
    expect(largestDifference(sparsified, centred)).toBeLessThan(1e-8 * size(P));
  });

  test.each([0, 1, 3])("with kappa = N is the dense direction (seed %i)", (seed) => {
    const objective = smallModel("tsne", { seed });
    const graph = graphOf(objective);
    const X = noise(60, 1, seed);
    const dense = stepOf(spectralDirection(graph, "all"), objective, X);
    const viaSparse = attractiveGraph(sparse(objective.attractiveWeights()));
    const P = stepOf(spectralDirection(viaSparse, 30), objective, X);
    expect(largestDifference(P, dense)).toBeLessThan(1e-7 * size(dense));
  });

  test("keeps the full degree on the diagonal, whatever kappa", () => {
    const graph = graphOf(smallModel("tsne"));
    for (const kappa of [0, 1, 5, 12]) {
      const B = sparseSpectralMatrix(graph, kappa);
      for (let n = 0; n < 30; n++) {
        let diagonal = Number.NaN;
        let beside = 0;
        for (let k = B.rowPointers[n]; k < B.rowPointers[n + 1]; k++) {
          if (B.columnIndices[k] === n) diagonal = B.values[k];
          else beside += Math.abs(B.values[k]);
        }
        expect(diagonal).toBeCloseTo(4 * graph.degrees[n] + graph.mu, 14);
        expect(diagonal).toBeGreaterThan(beside);
      }
    }
  });

  test("where the factor does not fit keeps fewer neighbours, or solves by conjugate gradients, and says so", () => {
    const objective = smallModel("tsne", { N: 90 });
    const graph = attractiveGraph(sparse(objective.attractiveWeights()));
    const fewer = spectralSolve(graph, "auto", { densePoints: 0, factorNonzeros: 4000, factorFlops: 1e9 });
    expect(fewer.warnings[0].message).toContain("(kappa = 60)");
    const iterated = spectralSolve(graph, "auto", { densePoints: 0, factorNonzeros: 10, factorFlops: 1e9 });
    expect(iterated.warnings[0].message).toContain("conjugate gradients");
    const slow = spectralSolve(graph, "auto", { densePoints: 0, factorNonzeros: 1e9, factorFlops: 10 });
    expect(slow.warnings[0].message).toContain("conjugate gradients");
    const asked = spectralSolve(graph, 5, { densePoints: 0, factorNonzeros: 10, factorFlops: 1e9 });
    expect(asked.warnings[0].message).toContain("kappa = 5");
    const exact = spectralSolve(graph, 5);
    expect(exact.warnings).toEqual([]);
    const V = noise(180, 1);
    const [a, b] = [V.slice(), V.slice()];
    asked.solve(a, 2);
    exact.solve(b, 2);
    const difference = a.map((x, k) => x - b[k]);
    expect(Math.hypot(...difference)).toBeLessThan(0.5 * Math.hypot(...b));
  });
});

describe("SD−", () => {
  test("without repulsion is SD, to the tolerance of its conjugate gradients", () => {
    for (const method of ["tsne", "ee"] as const) {
      const objective = smallModel(method, { lambda: 0 });
      const graph = graphOf(objective);
      const X = noise(60, 0.3);
      const sd = stepOf(spectralDirection(graph), objective, X);
      const minus = stepOf(spectralMinusDirection(graph), objective, X);
      // In the norm of B, in which conjugate gradients come nearer with every iteration.
      const B = sparseSpectralMatrix(graph, 29);
      const energy = (V: Float64Array): number => {
        let sum = 0;
        for (let n = 0; n < 30; n++)
          for (let k = B.rowPointers[n]; k < B.rowPointers[n + 1]; k++)
            for (let i = 0; i < 2; i++) sum += V[2 * n + i] * B.values[k] * V[2 * B.columnIndices[k] + i];
        return sum;
      };
      expect(energy(minus.map((p, k) => p - sd[k]))).toBeLessThan(0.05 * energy(sd));
    }
  });
});

describe("a graph in two parts", () => {
  const { P } = disconnected(30);
  const objective = tsne(P);

  test("is seen, and every direction stays finite and moderate", () => {
    const graph = attractiveGraph(objective.attractiveWeights());
    expect(graph.components).toBe(2);
    for (const direction of [
      spectralDirection(graph),
      spectralDirection(graph, 5),
      spectralMinusDirection(graph),
    ]) {
      const solver = new PartialHessian(objective, noise(60, 1e-2), direction);
      const E0 = objective.evaluate(noise(60, 1e-2));
      let value = E0;
      for (let k = 0; k < 40; k++) value = solver.step().value ?? Number.NaN;
      expect(value).toBeLessThan(E0);
      expect(size(solver.last.x)).toBeLessThan(1e4);
    }
    expect(spectralDirection(graph).warnings[0].message).toContain("2 parts");
  });

  test("edges lighter than the regularisation do not connect", () => {
    const data = P.data.slice();
    data[29] = 1e-30;
    data[29 * 30] = 1e-30;
    expect(attractiveGraph({ ...P, data }).components).toBe(2);
    expect(countComponents({ ...P, data }, 0)).toBe(1);
  });
});

describe("the strongest edges", () => {
  test("are each point's heaviest and those that point at it, in dense and sparse form alike", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 0, max: 12 }), (seed, kappa) => {
        const weights = smallModel("tsne", { N: 12, seed }).attractiveWeights();
        if (!("data" in weights)) throw new Error("expected dense weights");
        const kept = strongestEdges(weights, kappa);
        expect(strongestEdges(sparse(weights), kappa)).toEqual(kept);
        const rank = (n: number, m: number): number => {
          const own = weights.data.subarray(12 * n, 12 * n + 12);
          return own.filter((w, j) => w > own[m] || (w === own[m] && j < m && j !== n)).length;
        };
        for (let n = 0; n < 12; n++) {
          const columns = Array.from(
            kept.columnIndices.subarray(kept.rowPointers[n], kept.rowPointers[n + 1]),
          );
          const expected = Array.from({ length: 12 }, (_, m) => m).filter(
            (m) => m !== n && (rank(n, m) < kappa || rank(m, n) < kappa),
          );
          expect(columns).toEqual(expected);
        }
      }),
      { numRuns: 50 },
    );
  });

  test("with all of them are the weights", () => {
    const weights = sparse(smallModel("tsne").attractiveWeights());
    expect(strongestEdges(weights, 29)).toEqual(weights);
    expect(degreesOf(weights).reduce((sum, d) => sum + d, 0)).toBeCloseTo(1, 12);
  });
});

test("a direction without a name is refused", () => {
  const objective = smallModel("tsne");
  for (const name of [Number.NaN, undefined]) {
    const nameless = { ...gradientDirection(), name };
    expect(() =>
      Reflect.construct(PartialHessian, [objective, noise(objective.dimension, 1), nameless]),
    ).toThrowError(/direction must be a direction such as spectralDirection/);
  }
});
