/** The networks against their definitions, unit by unit. */
import { RandomGenerator } from "@curvature/linalg";
import {
  autoencoder,
  convolutionalNetwork,
  deepAutoencoder,
  type MinibatchSum,
  multilayerPerceptron,
} from "@curvature/objectives/networks";
import { expect, test } from "vitest";
import { randomRows } from "../sums/models.js";

const around = (initial: Float64Array, width = 0.5): Float64Array => {
  const random = new RandomGenerator(3);
  return initial.map((entry) => entry + width * (2 * random.uniform() - 1));
};

/** Entry (i, j) of the named block of x. */
function reader(sum: MinibatchSum, x: Float64Array) {
  const blocks = new Map(sum.layout.map((block) => [block.name, block]));
  return (name: string, i: number, j: number): number => {
    const block = blocks.get(name);
    if (block === undefined || i >= block.rows || j >= block.columns) throw new Error(`no ${name} ${i} ${j}`);
    return x[block.offset + i * block.columns + j];
  };
}

const sigmoid = (z: number): number => 1 / (1 + Math.exp(-z));

/** The outputs of dense layers "weights l", "biases l". */
function denseOutputs(
  sum: MinibatchSum,
  x: Float64Array,
  input: readonly number[],
  activations: readonly ((z: number) => number)[],
): readonly number[] {
  const at = reader(sum, x);
  return activations.reduce(
    (a, phi, l) =>
      Array.from({ length: sum.layout[2 * l].rows }, (_, i) =>
        phi(a.reduce((z, aj, j) => z + at(`weights ${l + 1}`, i, j) * aj, at(`biases ${l + 1}`, 0, i))),
      ),
    input,
  );
}

const rowsOf = (data: Float64Array, columns: number): number[][] =>
  Array.from({ length: data.length / columns }, (_, n) => [...data.subarray(n * columns, (n + 1) * columns)]);

const crossEntropy = (scores: readonly number[], label: number): number =>
  Math.log(scores.reduce((sum, u) => sum + Math.exp(u), 0)) - scores[label];

const relu = (z: number): number => Math.max(z, 0);
const same = (z: number): number => z;

test.each([
  ["tanh", Math.tanh],
  ["sigmoid", sigmoid],
  ["rectified-linear", relu],
  ["linear", same],
] as const)("perceptron with %s units", (activation, phi) => {
  const { data, ...size } = randomRows(6, 4);
  const labels = [0, 1, 2, 2, 1, 0];
  const sum = multilayerPerceptron({ data, ...size }, labels, {
    hidden: [5, 3],
    activation,
    count: 2,
    lambda: 0,
  });
  const x = around(sum.initial);
  const losses = rowsOf(data, 4).map((row, n) =>
    crossEntropy(denseOutputs(sum, x, row, [phi, phi, same]), labels[n]),
  );
  const expected = losses.reduce((total, loss) => total + loss, 0) / 3;
  expect(sum.whole.evaluate(x)).toBeCloseTo(expected, 13);
});

test("perceptron with real targets: the squared distance", () => {
  const targets = randomRows(4, 2, -1, 1, 8);
  const rows = randomRows(4, 3);
  const sum = multilayerPerceptron(rows, targets, { hidden: [3], count: 1, lambda: 0 });
  const x = around(sum.initial);
  let expected = 0;
  rowsOf(rows.data, 3).forEach((row, n) => {
    denseOutputs(sum, x, row, [Math.tanh, same]).forEach((u, k) => {
      expected += (u - targets.data[2 * n + k]) ** 2 / 4;
    });
  });
  expect(sum.whole.evaluate(x)).toBeCloseTo(expected, 13);
});

test("the paper's perceptron has 784-1200-1200-10 units", { tags: ["full"] }, () => {
  const sum = multilayerPerceptron(randomRows(2, 784, 0, 1), [0, 9], {
    hidden: [1200, 1200],
    activation: "sigmoid",
    count: 1,
  });
  expect(sum.dimension).toBe(785 * 1200 + 1201 * 1200 + 1201 * 10);
});

test("deep autoencoder: cross-entropy of every pixel, the code linear", () => {
  const rows = randomRows(5, 6, 0, 1);
  const sum = deepAutoencoder(rows, { hidden: [4, 2], count: 1, lambda: 0 });
  const x = around(sum.initial, 1);
  let expected = 0;
  for (const row of rowsOf(rows.data, 6)) {
    const shares = denseOutputs(sum, x, row, [sigmoid, same, sigmoid, sigmoid]);
    shares.forEach((share, k) => {
      expected -= (row[k] * Math.log(share) + (1 - row[k]) * Math.log(1 - share)) / 5;
    });
  }
  expect(sum.whole.evaluate(x)).toBeCloseTo(expected, 12);
});

test("figure 3's autoencoder: twelve layers, 15 inputs of each unit, biases 0", () => {
  const sum = deepAutoencoder(randomRows(2, 784, 0, 1), { count: 1 });
  const widths = sum.layout.filter(({ name }) => name.startsWith("weights")).map(({ rows }) => rows);
  expect(widths).toEqual([400, 200, 100, 50, 25, 6, 25, 50, 100, 200, 400, 784]);
  for (const { name, offset, rows, columns } of sum.layout)
    for (let i = 0; i < rows; i++) {
      const row = sum.initial.subarray(offset + i * columns, offset + (i + 1) * columns);
      const inUse = row.filter((entry) => entry !== 0).length;
      expect(inUse).toBe(name.startsWith("biases") ? 0 : Math.min(15, columns));
    }
});

test("autoencoder: reconstruction and the Jacobian of the encoder, by differences", () => {
  const rows = randomRows(3, 4, 0, 1);
  const beta = 0.7;
  const sum = autoencoder(rows, { hidden: 2, contraction: beta, count: 1 });
  const x = around(sum.initial);
  const at = reader(sum, x);
  const encode = (v: readonly number[], j: number): number =>
    sigmoid(v.reduce((z, vk, k) => z + at("weights", j, k) * vk, at("hidden biases", 0, j)));
  let expected = 0;
  for (const v of rowsOf(rows.data, 4)) {
    const h = [encode(v, 0), encode(v, 1)];
    v.forEach((vk, k) => {
      const u = at("visible biases", 0, k) + h[0] * at("weights", 0, k) + h[1] * at("weights", 1, k);
      expected += (sigmoid(u) - vk) ** 2 / 3;
      for (const j of [0, 1]) {
        const moved = (by: number): number => encode(v.with(k, vk + by), j);
        expected += (beta * ((moved(1e-4) - moved(-1e-4)) / 2e-4) ** 2) / 3;
      }
    });
  }
  expect(sum.whole.evaluate(x)).toBeCloseTo(expected, 8); // differences of width 1e-4
});

test("convolutional network, pixel by pixel", () => {
  const [channels, height, width] = [2, 6, 8];
  const { data, ...size } = randomRows(3, channels * height * width);
  const labels = [1, 0, 2];
  const options = { maps: [3], filterSide: 3, poolSide: 2, dense: 4, count: 1, lambda: 0 };
  const sum = convolutionalNetwork({ data, ...size }, { channels, height, width }, labels, options);
  const x = around(sum.initial);
  const at = reader(sum, x);
  let expected = 0;
  rowsOf(data, channels * height * width).forEach((image, n) => {
    const map = (m: number, r: number, s: number): number => {
      let z = at("biases 1", 0, m);
      for (let c = 0; c < channels; c++)
        for (let i = 0; i < 3; i++)
          for (let j = 0; j < 3; j++)
            z += at("filters 1", m, (c * 3 + i) * 3 + j) * image[(c * height + r + i) * width + s + j];
      return relu(z);
    };
    const pooled: number[] = [];
    for (let m = 0; m < 3; m++)
      for (let r = 0; r < 4; r += 2)
        for (let s = 0; s < 6; s += 2)
          pooled.push(Math.max(map(m, r, s), map(m, r, s + 1), map(m, r + 1, s), map(m, r + 1, s + 1)));
    const hidden = [0, 1, 2, 3].map((i) =>
      relu(pooled.reduce((z, a, j) => z + at("dense weights", i, j) * a, at("dense biases", 0, i))),
    );
    const scores = [0, 1, 2].map((k) =>
      hidden.reduce((z, a, j) => z + at("output weights", k, j) * a, at("output biases", 0, k)),
    );
    expected += crossEntropy(scores, labels[n]) / 3;
  });
  expect(sum.whole.evaluate(x)).toBeCloseTo(expected, 13);
});

test("the paper's convolutional network on images of CIFAR-10's size", () => {
  const sum = convolutionalNetwork(randomRows(1, 3072), { channels: 3, height: 32, width: 32 }, [7], {
    classes: 10,
    count: 1,
  });
  expect(sum.layout.map(({ rows, columns }) => [rows, columns])).toEqual([
    [48, 75],
    [1, 48],
    [128, 1200],
    [1, 128],
    [240, 3200],
    [1, 240],
    [10, 240],
    [1, 10],
  ]);
  expect(sum.initial.every(Number.isFinite)).toBe(true);
});

test("hidden units may change places", () => {
  const sum = multilayerPerceptron(randomRows(7, 3), [0, 1, 0, 1, 1, 0, 1], { hidden: [4], count: 2 });
  const x = around(sum.initial);
  const order = [2, 0, 3, 1];
  const [W, b, V] = sum.layout;
  const moved = x.slice();
  order.forEach((from, to) => {
    for (let j = 0; j < 3; j++) moved[W.offset + 3 * to + j] = x[W.offset + 3 * from + j];
    moved[b.offset + to] = x[b.offset + from];
    for (let k = 0; k < 2; k++) moved[V.offset + 4 * k + to] = x[V.offset + 4 * k + from];
  });
  expect(sum.whole.evaluate(moved)).toBeCloseTo(sum.whole.evaluate(x), 13);
});
