/** Values, curvature weights and attractive weights against the formulas, written as they stand in the literature. */
import { type DenseMatrix, RandomGenerator } from "@curvature/linalg";
import type { EmbeddingObjective } from "@curvature/objectives/embedding";
import { describe, expect, test } from "vitest";
import { dot } from "./algebra.js";
import { type ModelData, models, N, randomData, randomMap, squaredDistances } from "./models.js";

type Pairwise = (t: number) => number;

interface Definition {
  readonly K: Pairwise;
  readonly K2: Pairwise;
  readonly A: Pairwise;
  readonly A1: Pairwise;
  readonly kind: "joint" | "conditional" | "weighted" | "constant";
}

const gaussian = { K: (t: number) => Math.exp(-t), K2: (t: number) => Math.exp(-t) };
const student = { K: (t: number) => 1 / (1 + t), K2: (t: number) => 2 / (1 + t) ** 3 };
const epanechnikov = { K: (t: number) => Math.max(0, 1 - t), K2: () => 0 };
const biweight = { K: (t: number) => Math.max(0, 1 - t) ** 2, K2: (t: number) => (t < 1 ? 2 : 0) };
const quadratic = { A: (t: number) => t, A1: () => 1 };
const logarithmic = { A: (t: number) => Math.log1p(t), A1: (t: number) => 1 / (1 + t) };

/** The definition behind a label of the list. */
function definitionOf(label: string, factory: string): Definition {
  const isStudent = /student|tsne|tElastic/i.test(label);
  const kernel = /epanechnikov/.test(label)
    ? epanechnikov
    : /biweight/.test(label)
      ? biweight
      : isStudent
        ? student
        : gaussian;
  const isLogarithmic = isStudent && !/quadratic/.test(label);
  const kind = /constant/.test(label)
    ? "constant"
    : /elastic|unnormalized/i.test(factory)
      ? "weighted"
      : /^sne$|nonsymmetric/.test(factory)
        ? "conditional"
        : "joint";
  return { ...kernel, ...(isLogarithmic ? logarithmic : quadratic), kind };
}

const sumOver = (W: (n: number, m: number) => number): number => {
  let sum = 0;
  for (let n = 0; n < N; n++) for (let m = 0; m < N; m++) if (n !== m) sum += W(n, m);
  return sum;
};
const at = (W: DenseMatrix, n: number, m: number): number => W.data[n * W.columns + m];
const row = (n: number, W: (m: number) => number): number => sumOver((i, m) => (i === n ? W(m) : 0));

function definedValue({ K, A, kind }: Definition, data: ModelData, lambda: number, t: number[][]): number {
  const p = kind === "conditional" ? data.conditional : data.joint;
  const attraction = sumOver((n, m) => at(p, n, m) * A(t[n][m]));
  const S = sumOver((n, m) => K(t[n][m]));
  const rows = t.map((_, n) => row(n, (m) => K(t[n][m])));
  const repulsion = {
    joint: Math.log(S),
    conditional: rows.reduce((sum, S_n) => sum + Math.log(S_n), 0),
    weighted: sumOver((n, m) => at(data.repulsive, n, m) * K(t[n][m])),
    constant: S / (N * (N - 1)),
  }[kind];
  return attraction + lambda * repulsion;
}

function definedCurvature({ K, K2, kind }: Definition, data: ModelData, t: number[][]) {
  const S = sumOver((n, m) => K(t[n][m]));
  const rows = t.map((_, n) => row(n, (m) => K(t[n][m])));
  return (n: number, m: number): number =>
    K2(t[n][m]) *
    {
      joint: 1 / S,
      conditional: (1 / rows[n] + 1 / rows[m]) / 2,
      weighted: at(data.repulsive, n, m),
      constant: 1 / (N * (N - 1)),
    }[kind];
}

/** A map in which every point is within reach of another, whatever the kernel. */
const closeMap = (random: RandomGenerator, dimensions: number): Float64Array =>
  randomMap(random, dimensions).map((x) => 0.6 * x);

function laplacianProduct(W: (n: number, m: number) => number, X: Float64Array, v: Float64Array, d: number) {
  const out = new Float64Array(X.length);
  for (let n = 0; n < N; n++)
    for (let m = 0; m < N; m++)
      for (let i = 0; n !== m && i < d; i++) out[n * d + i] += W(n, m) * (v[n * d + i] - v[m * d + i]);
  return out;
}

describe.each(models)("$label", (model) => {
  const definition = definitionOf(model.label, model.factory);
  const setting = (dimensions: number, lambda: number, seed = 5) => {
    const random = new RandomGenerator(seed + dimensions);
    const data = randomData(random);
    const objective: EmbeddingObjective = model.make(data, { dimensions, lambda });
    const X = closeMap(random, dimensions);
    const v = Float64Array.from(X, () => 2 * random.uniform() - 1);
    return { data, objective, X, v, t: squaredDistances(X, dimensions) };
  };

  test.each([1, 2, 3])("value and parts, d = %i", (d) => {
    const { data, objective, X, t } = setting(d, 0.7);
    const expected = definedValue(definition, data, 0.7, t);
    expect(Math.abs(objective.evaluate(X) - expected)).toBeLessThanOrEqual(1e-13 * (1 + Math.abs(expected)));
    const attraction = new Float64Array(X.length);
    const repulsion = new Float64Array(X.length);
    const G = new Float64Array(X.length);
    const parts = objective.evaluateParts(X, attraction, repulsion);
    const E = objective.evaluate(X, G);
    expect(parts.attractive + 0.7 * parts.repulsive).toBe(E);
    expect(attraction.map((a, i) => a + 0.7 * repulsion[i])).toEqual(G);
    const other = objective.atLambda(3);
    expect(other.evaluate(X)).toBe(parts.attractive + 3 * parts.repulsive);
    expect(other.lambda).toBe(3);
    expect(objective.lambda).toBe(0.7);
    expect(objective.evaluate(X)).toBe(E);
  });

  test.each([1, 2, 3])(
    "weights of the repulsive curvature, and that the part they make is positive, d = %i",
    (d) => {
      const { data, objective, X, v, t } = setting(d, 1);
      const c = new Float64Array(N * N).fill(Number.NaN);
      objective.repulsiveCurvature(X, c);
      const expected = definedCurvature(definition, data, t);
      let quadraticForm = 0;
      for (let n = 0; n < N; n++) {
        expect(c[n * N + n]).toBe(0);
        for (let m = 0; m < N; m++) {
          if (n === m) continue;
          expect(c[n * N + m]).toBeGreaterThanOrEqual(0);
          expect(Math.abs(c[n * N + m] - expected(n, m))).toBeLessThanOrEqual(
            1e-13 * (1e-3 + expected(n, m)),
          );
          let along = 0;
          for (let i = 0; i < d; i++) along += (X[n * d + i] - X[m * d + i]) * (v[n * d + i] - v[m * d + i]);
          quadraticForm += 4 * c[n * N + m] * along * along;
        }
      }
      expect(quadraticForm).toBeGreaterThanOrEqual(0);
      // ∇²E⁻ is this part plus parts that are negative: 4 Lap(q K₁) ⊗ I and the rank-one terms.
      const full = new Float64Array(X.length);
      const attractive = new Float64Array(X.length);
      objective.atLambda(1).hessianVector(X, v, full);
      objective.atLambda(0).hessianVector(X, v, attractive);
      expect(dot(v, full) - dot(v, attractive)).toBeLessThanOrEqual(quadraticForm + 1e-12);
    },
  );

  test.each([1, 2, 3])(
    "attractive weights, at 0 and at X, and that their Laplacian gives the gradient, d = %i",
    (d) => {
      const { data, objective, X, v, t } = setting(d, 1);
      const p = definition.kind === "conditional" ? data.conditional : data.joint;
      const symmetric = (n: number, m: number) => (at(p, n, m) + at(p, m, n)) / 2;
      const atZero = objective.attractiveWeights();
      const atX = objective.attractiveWeightsAt(X);
      if (!("data" in atZero && "data" in atX)) throw new Error("dense weights give dense weights");
      for (let n = 0; n < N; n++) {
        for (let m = 0; m < N; m++) {
          const slope = n === m ? 0 : definition.A1(t[n][m]);
          expect(at(atZero, n, m)).toBe(symmetric(n, m));
          expect(Math.abs(at(atX, n, m) - symmetric(n, m) * slope)).toBeLessThanOrEqual(1e-15);
        }
      }
      const G = new Float64Array(X.length);
      objective.atLambda(0).evaluate(X, G);
      const product = laplacianProduct((n, m) => 4 * at(atX, n, m), X, X, d);
      G.forEach((g, i) => {
        expect(Math.abs(g - product[i])).toBeLessThanOrEqual(1e-14);
      });
      expect(
        dot(
          v,
          laplacianProduct((n, m) => at(atX, n, m), X, v, d),
        ),
      ).toBeGreaterThanOrEqual(0);
    },
  );

  test("whether it is a divergence: at λ = 1 with the constant never negative, and 0 where q = p", () => {
    const { objective, X } = setting(2, 1);
    const isLogKernel =
      (definition.K === gaussian.K && definition.A === quadratic.A) || definition.A === logarithmic.A;
    const isNormalized = definition.kind === "joint" || definition.kind === "conditional";
    expect(objective.isDivergence).toBe(isLogKernel && isNormalized);
    if (!objective.isDivergence) return;
    expect(objective.evaluate(X) + objective.entropyConstant).toBeGreaterThan(0);
    const q = affinitiesOfMap(definition, squaredDistances(X, 2));
    const fitted = model.make(
      { ...setting(2, 1).data, joint: q, conditional: q },
      { dimensions: 2, lambda: 1 },
    );
    expect(Math.abs(fitted.evaluate(X) + fitted.entropyConstant)).toBeLessThanOrEqual(1e-13);
  });
});

/** The distribution that the map itself has under a model. */
function affinitiesOfMap({ K, kind }: Definition, t: number[][]): DenseMatrix {
  const S = sumOver((n, m) => K(t[n][m]));
  const data = Float64Array.from({ length: N * N }, (_, k) => {
    const n = Math.floor(k / N);
    const m = k % N;
    if (n === m) return 0;
    return K(t[n][m]) / (kind === "joint" ? S : row(n, (i) => K(t[n][i])));
  });
  return { rows: N, columns: N, data };
}
