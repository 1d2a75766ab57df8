/** What holds for every embedding objective: symmetries, forms of storage, special values. */
import { RandomGenerator } from "@curvature/linalg";
import {
  elasticEmbedding,
  nonsymmetricTsne,
  outOfSampleObjective,
  sne,
  symmetricSne,
  tsne,
} from "@curvature/objectives/embedding";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { distance, gradientOf, norm } from "./algebra.js";
import { type ModelData, models, N, outOfSampleModels, randomData, randomMap } from "./models.js";

const cases = fc.record({
  seed: fc.integer({ min: 0, max: 1e6 }),
  dimensions: fc.integer({ min: 1, max: 4 }),
  lambda: fc.constantFrom(0, 0.1, 1, 30),
});

/** A map on which every point is within reach of others, so that all values are finite. */
function setting(seed: number, dimensions: number) {
  const random = new RandomGenerator(seed);
  return { random, data: randomData(random), X: randomMap(random, dimensions).map((x) => 0.5 * x) };
}

/** A random orthogonal d × d matrix: Gram-Schmidt on random columns, a reflection as often as not. */
function orthogonal(random: RandomGenerator, d: number): number[][] {
  const rows: number[][] = [];
  while (rows.length < d) {
    const row = Array.from({ length: d }, () => 2 * random.uniform() - 1);
    for (let pass = 0; pass < 2; pass++) {
      for (const other of rows) {
        const overlap = row.reduce((sum, x, i) => sum + x * other[i], 0);
        other.forEach((x, i) => {
          row[i] -= overlap * x;
        });
      }
    }
    const length = norm(row);
    if (length > 0.1) rows.push(row.map((x) => x / length));
  }
  return rows;
}

const rotated = (X: Float64Array, R: number[][]): Float64Array => {
  const d = R.length;
  return X.map((_, k) => {
    const n = Math.floor(k / d);
    return R.reduce((sum, row, i) => sum + X[n * d + i] * row[k % d], 0);
  });
};

const permutedMap = (X: Float64Array, order: readonly number[], d: number): Float64Array =>
  X.map((_, k) => X[order[Math.floor(k / d)] * d + (k % d)]);

const permutedData = (data: ModelData, order: readonly number[]): ModelData => {
  const move = (W: ModelData["joint"]) => ({
    ...W,
    data: W.data.map((_, k) => W.data[order[Math.floor(k / N)] * N + order[k % N]]),
  });
  return {
    joint: move(data.joint),
    conditional: move(data.conditional),
    repulsive: move(data.repulsive),
  };
};

describe.each(models)("$label", (model) => {
  test("forces balance, and shifts, rotations, reflections and permutations change nothing", {
    tags: ["full"],
  }, () => {
    fc.assert(
      fc.property(cases, ({ seed, dimensions: d, lambda }) => {
        const { random, data, X } = setting(seed, d);
        const objective = model.make(data, { dimensions: d, lambda });
        const E = objective.evaluate(X);
        const G = gradientOf(objective, X);
        const scale = 1 + Math.abs(E);
        for (let i = 0; i < d; i++) {
          const sum = G.reduce((total, g, k) => (k % d === i ? total + g : total), 0);
          expect(Math.abs(sum)).toBeLessThanOrEqual(1e-12 * (1 + norm(G)));
        }
        const shifted = X.map((x, k) => x + 3 + (k % d));
        expect(Math.abs(objective.evaluate(shifted) - E)).toBeLessThanOrEqual(1e-12 * scale);
        const R = orthogonal(random, d);
        expect(Math.abs(objective.evaluate(rotated(X, R)) - E)).toBeLessThanOrEqual(1e-12 * scale);
        const turned = gradientOf(objective, rotated(X, R));
        expect(distance(turned, rotated(G, R))).toBeLessThanOrEqual(1e-12 * (1 + norm(G)));
        const order = Array.from({ length: N }, (_, n) => (4 * n + (seed % N)) % N);
        const other = model.make(permutedData(data, order), { dimensions: d, lambda });
        const Y = permutedMap(X, order, d);
        expect(Math.abs(other.evaluate(Y) - E)).toBeLessThanOrEqual(1e-12 * scale);
        expect(distance(gradientOf(other, Y), permutedMap(G, order, d))).toBeLessThanOrEqual(
          1e-12 * (1 + norm(G)),
        );
      }),
      { numRuns: 20 },
    );
  });

  test("sparse weights give what dense ones give, in every part", { tags: ["full"] }, () => {
    fc.assert(
      fc.property(cases, ({ seed, dimensions, lambda }) => {
        const { random, data, X } = setting(seed, dimensions);
        const dense = model.make(data, { dimensions, lambda }, "dense");
        const sparse = model.make(data, { dimensions, lambda }, "sparse");
        const v = X.map(() => 2 * random.uniform() - 1);
        const close = (a: Float64Array, b: Float64Array) =>
          expect(distance(a, b)).toBeLessThanOrEqual(1e-12 * norm(a));
        const E = dense.evaluate(X);
        expect(Math.abs(sparse.evaluate(X) - E)).toBeLessThanOrEqual(1e-12 * Math.abs(E));
        close(gradientOf(dense, X), gradientOf(sparse, X));
        const result = (compute: (out: Float64Array) => void, length: number) => {
          const out = new Float64Array(length).fill(Number.NaN);
          compute(out);
          return out;
        };
        close(
          result((out) => dense.hessianVector(X, v, out), X.length),
          result((out) => sparse.hessianVector(X, v, out), X.length),
        );
        close(
          result((out) => dense.diagonalHessian(X, out), X.length),
          result((out) => sparse.diagonalHessian(X, out), X.length),
        );
        close(
          result((out) => dense.repulsiveCurvature(X, out), N * N),
          result((out) => sparse.repulsiveCurvature(X, out), N * N),
        );
        const weights = sparse.attractiveWeightsAt(X);
        const whole = dense.attractiveWeightsAt(X);
        if (!("values" in weights && "data" in whole)) throw new Error("each form gives its own");
        for (let n = 0; n < N; n++) {
          for (let p = weights.rowPointers[n]; p < weights.rowPointers[n + 1]; p++) {
            expect(Math.abs(weights.values[p] - whole.data[n * N + weights.columnIndices[p]])).toBeLessThan(
              1e-15,
            );
          }
        }
      }),
      { numRuns: 20 },
    );
  });

  test("names, sizes and fingerprints", () => {
    const { data } = setting(3, 2);
    const objective = model.make(data, { dimensions: 2, lambda: 1 });
    expect(objective).toMatchObject({ points: N, dimensions: 2, dimension: 2 * N, lambda: 1 });
    expect(model.make(setting(3, 2).data, { dimensions: 2, lambda: 1 }).fingerprint).toBe(
      objective.fingerprint,
    );
    const others = [
      objective.atLambda(2),
      model.make(data, { dimensions: 3, lambda: 1 }),
      model.make(setting(4, 2).data, { dimensions: 2, lambda: 1 }),
    ];
    for (const other of others) expect(other.fingerprint).not.toBe(objective.fingerprint);
  });

  test("points that are not finite have no value; far points have no NaN; nothing is written to X", () => {
    const { data, X } = setting(8, 2);
    const objective = model.make(data, { dimensions: 2, lambda: 1 });
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      const Y = X.slice();
      Y[5] = bad;
      const G = new Float64Array(Y.length);
      expect(objective.evaluate(Y, G)).toBeNaN();
      expect(objective.evaluate(Y)).toBeNaN();
      expect(G.every(Number.isNaN)).toBe(true);
    }
    for (const far of [1e3, 1e10, 1e100, 1e200, 1e308]) {
      const Y = X.slice();
      Y[5] = far;
      const kept = Y.slice();
      const E = objective.evaluate(Y);
      expect(E > Number.NEGATIVE_INFINITY, `E = ${E} with a point at ${far}`).toBe(true);
      const everyPointFar = objective.evaluate(X.map((x) => far * x));
      expect(everyPointFar > Number.NEGATIVE_INFINITY, `E = ${everyPointFar} at scale ${far}`).toBe(true);
      expect(Y).toEqual(kept);
    }
  });
});

describe("values at X = 0", () => {
  const { data } = setting(1, 2);
  const zero = new Float64Array(2 * N);
  const relative = (value: number, expected: number) =>
    expect(Math.abs(value - expected)).toBeLessThanOrEqual(1e-14 * Math.abs(expected));

  test.each([0.3, 1, 7])("λ = %d", (lambda) => {
    const options = { dimensions: 2, lambda };
    const weights = { attraction: data.joint, repulsion: data.repulsive };
    relative(elasticEmbedding(weights, options).evaluate(zero), lambda);
    relative(elasticEmbedding({ ...weights, repulsion: "constant" }, options).evaluate(zero), lambda);
    relative(symmetricSne(data.joint, options).evaluate(zero), lambda * Math.log(N * (N - 1)));
    relative(tsne(data.joint, options).evaluate(zero), lambda * Math.log(N * (N - 1)));
    relative(sne(data.conditional, options).evaluate(zero), lambda * N * Math.log(N - 1));
    relative(nonsymmetricTsne(data.conditional, options).evaluate(zero), lambda * N * Math.log(N - 1));
  });

  test("the gradient there is zero", () => {
    for (const model of models) {
      const G = gradientOf(model.make(data, { dimensions: 2, lambda: 3 }), zero);
      expect(G.every((g) => g === 0)).toBe(true);
    }
  });
});

describe.each(outOfSampleModels)("$label", (model) => {
  const make = (lambda: number, form: "dense" | "sparse" = "dense") => {
    const { random, data, X } = setting(11, 2);
    const objective = model.make(data, X, { dimensions: 2, lambda }, form);
    return { objective, map: X, data, Y: randomMap(random, 2, objective.points) };
  };

  test("the points do not know of each other, and sparse affinities give what dense ones give", () => {
    const { objective, Y } = make(1.5);
    const G = gradientOf(objective, Y);
    let sum = 0;
    for (let i = 0; i < objective.points; i++) {
      const g = new Float64Array(2);
      sum += objective.evaluatePoint(i, Y.slice(2 * i, 2 * i + 2), g);
      expect(g).toEqual(G.slice(2 * i, 2 * i + 2));
    }
    expect(sum).toBe(objective.evaluate(Y));
    const { objective: sparse } = make(1.5, "sparse");
    expect(Math.abs(sparse.evaluate(Y) - sum)).toBeLessThanOrEqual(1e-13 * Math.abs(sum));
    expect(distance(gradientOf(sparse, Y), G)).toBeLessThanOrEqual(1e-13 * norm(G));
  });

  test("without repulsion and with quadratic attraction one spectral step from anywhere ends at the start", () => {
    const { objective, Y } = make(0);
    const G = gradientOf(objective, Y);
    const stepped = Y.map((y, k) => y - G[k] / objective.scale);
    if (/, (ssne|sne|ee),/.test(model.label)) {
      expect(distance(stepped, objective.start())).toBeLessThanOrEqual(1e-14 * norm(Y));
    } else {
      expect(objective.evaluate(stepped)).toBeLessThan(objective.evaluate(Y));
    }
  });

  test("the scale at a place is that of A′ there, and its step never climbs where there is no repulsion", () => {
    const { objective, map, data, Y } = make(0);
    const isStudent = /, (tsne|tee),/.test(model.label);
    const G = gradientOf(objective, Y);
    for (let i = 0; i < objective.points; i++) {
      const y = Y.slice(2 * i, 2 * i + 2);
      const t = Array.from({ length: N }, (_, m) => (y[0] - map[2 * m]) ** 2 + (y[1] - map[2 * m + 1]) ** 2);
      const pull = t.reduce(
        (sum, tm, m) => sum + data.conditional.data[i * N + m] / (isStudent ? 1 + tm : 1),
        0,
      );
      const b = objective.scaleAt(i, y);
      expect(Math.abs(b - objective.scale * pull)).toBeLessThanOrEqual(1e-14 * b);
      const stepped = y.map((entry, k) => entry - G[2 * i + k] / b);
      expect(objective.evaluatePoint(i, stepped)).toBeLessThan(objective.evaluatePoint(i, y));
    }
  });

  test("points far out or not finite give no NaN where there is a value, and no value where there is none", () => {
    const { objective, Y } = make(1);
    for (const far of [1e2, 1e10, 1e160, 1e300]) {
      expect(objective.evaluate(Y.map((y) => far * y)) > Number.NEGATIVE_INFINITY).toBe(true);
    }
    expect(Number.isFinite(objective.evaluate(Y.map((y) => 1e3 * y)))).toBe(true);
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(Number.isFinite(objective.evaluate(Y.map((y, k) => (k === 3 ? bad : y))))).toBe(false);
      expect(objective.evaluate(Y.fill(Number.NaN, 3, 4))).toBeNaN();
    }
  });
});

test("a training point's own terms are those of a new point with its weights (elastic embedding)", () => {
  const { data, X } = setting(21, 2);
  const whole = elasticEmbedding({ attraction: data.joint, repulsion: data.repulsive }, { lambda: 2 });
  const moved = X.map((x, k) => (k < 2 ? x + 0.3 : x));
  const p = data.joint.data.slice(0, N);
  const mass = p.reduce((a, b) => a + b, 0);
  const alone = outOfSampleModels
    .find((model) => model.label === "outOfSampleObjective, ee, given repulsion")
    ?.make(
      {
        ...data,
        // p_m / N must be w⁺_m, so the repulsion is scaled by as much as the attraction
        conditional: { rows: N, columns: N, data: repeatRow(p.map((w) => w / mass)) },
        repulsive: { rows: N, columns: N, data: repeatRow(data.repulsive.data.slice(0, N)) },
      },
      X,
      { dimensions: 2, lambda: 2 / (mass * N) },
    );
  if (alone === undefined) throw new Error("not on the list");
  const change = whole.evaluate(moved) - whole.evaluate(X);
  const changeAlone = alone.evaluatePoint(0, moved.slice(0, 2)) - alone.evaluatePoint(0, X.slice(0, 2));
  expect(Math.abs(mass * N * changeAlone - change)).toBeLessThanOrEqual(1e-12);
});

test.each(["ee", "tee"] as const)(
  "constant repulsion of new points is that of equal weights of sum 1 (%s)",
  (model) => {
    const { data, X } = setting(22, 2);
    const map = { rows: N, columns: 2, data: X };
    const repulsion = { rows: N, columns: N, data: new Float64Array(N * N).fill(1 / (N * (N - 1))) };
    const constant = outOfSampleObjective(model, map, data.conditional);
    const given = outOfSampleObjective(model, map, data.conditional, { repulsion });
    const Y = X.map((x) => x + 0.1);
    expect(Math.abs(given.evaluate(Y) - constant.evaluate(Y))).toBeLessThanOrEqual(
      1e-13 * constant.evaluate(Y),
    );
  },
);

function repeatRow(row: Float64Array): Float64Array {
  return Float64Array.from({ length: N * N }, (_, k) => row[k % N]);
}
