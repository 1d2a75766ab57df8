/**
 * Gauss-Newton products, by what they are: Jᵀ H_L J, symmetric and positive semidefinite; the Hessian's mean over labels
 * drawn by the network itself; the Hessian where the outputs meet their targets; for sums of squares 2 Jᵀ J.
 */
import { dot, norm2, RandomGenerator } from "@curvature/linalg";
import { autoencoder, convolutionalNetwork, multilayerPerceptron } from "@curvature/objectives/networks";
import type { MinibatchSum } from "@curvature/objectives/sums";
import { checkHessianVector, type Objective } from "@curvature/optim-core";
import { describe, expect, test } from "vitest";
import { denseLayers, denseStages } from "../../src/networks/dense-layers.js";
import { type OutputLoss, SigmoidCrossEntropy, SquaredError } from "../../src/networks/losses.js";
import { Network } from "../../src/networks/network.js";
import { minibatchSum } from "../../src/sums/minibatch-sum.js";
import { models, randomRows } from "../sums/models.js";

const drawn = (length: number, seed: number, width = 0.5): Float64Array => {
  const random = new RandomGenerator(seed);
  return Float64Array.from({ length }, () => width * (2 * random.uniform() - 1));
};

function product({ whole }: MinibatchSum, x: Float64Array, v: Float64Array): Float64Array {
  if (whole.gaussNewtonVector === undefined) throw new Error("no Gauss-Newton product");
  const out = new Float64Array(v.length).fill(Number.NaN);
  whole.gaussNewtonVector(x, v, out);
  return out;
}

function hessianProduct(objective: Objective, x: Float64Array, v: Float64Array): Float64Array {
  const h = 1e-5;
  const [low, high] = [-h, h].map((step) => {
    const g = new Float64Array(x.length);
    objective.evaluate(
      x.map((entry, i) => entry + step * v[i]),
      g,
    );
    return g;
  });
  return high.map((entry, i) => (entry - low[i]) / (2 * h));
}

function expectNear(given: Float64Array, right: Float64Array, tolerance: number): void {
  const off = norm2(given.map((entry, i) => entry - right[i]));
  expect(off).toBeLessThanOrEqual(tolerance * norm2(right));
}

describe.each(models.filter(({ make, data }) => make(data, 3).whole.gaussNewtonVector !== undefined))(
  "$label",
  ({ make, data }) => {
    test("linear, symmetric, positive semidefinite; the ridge is in it", () => {
      const sum = make(data, 3, 0);
      const x = sum.initial.map((entry, i) => entry + drawn(sum.dimension, 1)[i]);
      const [u, v] = [drawn(x.length, 2), drawn(x.length, 3)];
      const [Gu, Gv] = [product(sum, x, u), product(sum, x, v)];
      const size = norm2(Gu) * norm2(v) + norm2(Gv) * norm2(u);
      expect(Math.abs(dot(Gu, v) - dot(Gv, u))).toBeLessThanOrEqual(1e-13 * size);
      expect(dot(Gv, v)).toBeGreaterThanOrEqual(-1e-14 * size);
      expect(norm2(Gv)).toBeGreaterThan(0);
      const both = product(
        sum,
        x,
        u.map((entry, i) => entry - 2 * v[i]),
      );
      expectNear(
        both,
        Gu.map((entry, i) => entry - 2 * Gv[i]),
        1e-12,
      );
      const ridged = product(make(data, 3, 0.5), x, v);
      expectNear(
        ridged,
        Gv.map((entry, i) => entry + 3 * 0.5 * v[i]),
        1e-12,
      );
    });
  },
);

describe.each([
  [
    "perceptron, tanh",
    (label: number) =>
      multilayerPerceptron(randomRows(1, 4), [label], { hidden: [5, 3], classes: 3, count: 1, lambda: 0 }),
  ],
  [
    "perceptron, rectified linear",
    (label: number) =>
      multilayerPerceptron(randomRows(1, 4), [label], {
        hidden: [6, 4],
        activation: "rectified-linear",
        classes: 3,
        count: 1,
        lambda: 0,
      }),
  ],
  [
    "convolutional network",
    (label: number) =>
      convolutionalNetwork(randomRows(1, 100), { channels: 1, height: 10, width: 10 }, [label], {
        ...{ maps: [3, 2], filterSide: 3, poolSide: 2, dense: 4, classes: 3, count: 1, lambda: 0 },
      }),
  ],
] as const)("%s", (_, make) => {
  test("the mean of the Hessian over labels of the network's own probabilities", () => {
    const sums = [0, 1, 2].map(make);
    const x = sums[0].initial.map((entry, i) => entry + drawn(sums[0].dimension, 1, 0.3)[i]);
    const v = drawn(x.length, 2);
    const mean = new Float64Array(x.length);
    let total = 0;
    for (const { whole } of sums) {
      const probability = Math.exp(-whole.evaluate(x));
      total += probability;
      hessianProduct(whole, x, v).forEach((entry, i) => {
        mean[i] += probability * entry;
      });
    }
    expect(total).toBeCloseTo(1, 14);
    for (const sum of sums) expectNear(product(sum, x, v), mean, 1e-8);
  });
});

describe.each([
  [
    "squared error",
    (outputs: Float64Array) => new SquaredError([{ rows: 3, columns: 2, data: outputs.slice() }]),
    "linear",
  ],
  [
    "squared error of sigmoids",
    (outputs: Float64Array) => new SquaredError([{ rows: 3, columns: 2, data: outputs.slice() }]),
    "sigmoid",
  ],
  [
    "sigmoid cross-entropy",
    (outputs: Float64Array) =>
      new SigmoidCrossEntropy([{ rows: 3, columns: 2, data: outputs.map((u) => 1 / (1 + Math.exp(-u))) }]),
    "linear",
  ],
] as const)("%s", (_, lossWith, output) => {
  test("the Hessian where the outputs meet the targets", () => {
    const data = randomRows(3, 4);
    const shape = denseLayers([4, 5, 3, 2], ["tanh", "sigmoid", output]);
    let outputs = new Float64Array();
    const spy: OutputLoss = {
      add: (_index, _rows, u) => {
        outputs = Float64Array.from(u);
        return 0;
      },
      curve: () => undefined,
    };
    const settings = { name: "network", minibatches: [data], shape: [], lambda: 0 };
    const watched = minibatchSum(
      new Network(shape.layout, () => denseStages(shape.layers, "scaled"), [data], spy),
      settings,
    );
    const x = watched.initial.map((entry, i) => entry + drawn(watched.dimension, 4)[i]);
    watched.evaluate(0, x);
    const { whole } = minibatchSum(
      new Network(shape.layout, () => denseStages(shape.layers, "scaled"), [data], lossWith(outputs)),
      settings,
    );
    const { gaussNewtonVector } = whole;
    expect(gaussNewtonVector).toBeDefined();
    if (gaussNewtonVector === undefined) return;
    const report = checkHessianVector({ ...whole, hessianVector: gaussNewtonVector }, x);
    expect(report.isCorrect, report.message).toBe(true);
  });
});

test("contraction: the sum of the squares of h (1 − h) W", () => {
  const rows = randomRows(3, 4, 0, 1);
  const [plain, contractive] = [0, 0.8].map((contraction) =>
    autoencoder(rows, { hidden: 2, contraction, count: 1 }),
  );
  const x = drawn(plain.dimension, 1, 1);
  const v = drawn(plain.dimension, 2);
  const [W, b] = plain.layout;
  const entries = (at: Float64Array): number[] =>
    [0, 1, 2].flatMap((n) =>
      [0, 1].flatMap((j) => {
        const weights = [...at.subarray(W.offset + 4 * j, W.offset + 4 * j + 4)];
        const z = weights.reduce((sum, w, k) => sum + w * rows.data[4 * n + k], at[b.offset + j]);
        const h = 1 / (1 + Math.exp(-z));
        return weights.map((w) => h * (1 - h) * w);
      }),
    );
  const column = (direction: Float64Array): number[] => {
    const step = (h: number) => entries(x.map((entry, i) => entry + h * direction[i]));
    const low = step(-1e-5);
    return step(1e-5).map((entry, e) => (entry - low[e]) / 2e-5);
  };
  const along = column(v);
  const expected = x.map((_, i) => {
    const unit = new Float64Array(x.length);
    unit[i] = 1;
    return column(unit).reduce((sum, entry, e) => sum + ((2 * 0.8) / 3) * entry * along[e], 0);
  });
  const without = product(plain, x, v);
  expectNear(
    product(contractive, x, v).map((entry, i) => entry - without[i]),
    expected,
    1e-8,
  );
});
