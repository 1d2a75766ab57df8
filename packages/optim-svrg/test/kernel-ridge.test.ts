import { normal, RandomGenerator } from "@curvature/linalg";
import { expect, test } from "vitest";
import { kernelRidge, retrieval } from "../src/index.js";

const smooth = (x: number): number[] => [Math.sin(x), x * x];
const at = (from: number, to: number, count: number): number[] =>
  Array.from({ length: count }, (_, n) => from + ((to - from) * n) / (count - 1));

test("a smooth way from features to coordinates is learnt, and λ is chosen for it", () => {
  const known = at(-2, 2, 40);
  const model = kernelRidge(
    known.map((x) => [x]),
    known.map(smooth),
  );
  const asked = at(-1.9, 1.9, 33);
  const found = model.predict(asked.map((x) => [x]));
  expect([found.rows, found.columns]).toEqual([33, 2]);
  asked.forEach((x, n) => {
    smooth(x).forEach((y, t) => {
      expect(Math.abs(found.data[2 * n + t] - y)).toBeLessThan(0.05);
    });
  });
  expect(model.ridge).toBeLessThan(0.01);
});

test("the error of leaving one out is that of leaving one out", () => {
  const random = new RandomGenerator(1);
  const features = Array.from({ length: 12 }, () => [normal(random), normal(random)]);
  const raw = features.map(([x, y]) => [x + 0.1 * normal(random), x * y]);
  const mean = [0, 1].map((t) => raw.reduce((sum, row) => sum + row[t] / 12, 0));
  const options = { ridge: 0.1, bandwidth: 2 };
  const { leaveOneOutError } = kernelRidge(features, raw, options);
  // Around the mean of all, which the formula keeps: pairs of mirrored objects keep it in the smaller fits too.
  let squares = 0;
  features.forEach((_, left) => {
    const others = features.filter((_f, n) => n !== left);
    const points = raw.filter((_f, n) => n !== left).map((row) => row.map((y, t) => y - mean[t]));
    const K = (a: number[], b: number[]): number => Math.exp(-((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) / 4);
    const A = others.map((a, n) => others.map((b, m) => K(a, b) + (n === m ? 0.1 : 0)));
    for (const t of [0, 1]) {
      const weights = solved(
        A,
        points.map((row) => row[t]),
      );
      const guess = weights.reduce((sum, w, n) => sum + w * K(others[n], features[left]), 0);
      squares += (raw[left][t] - mean[t] - guess) ** 2;
    }
  });
  expect(leaveOneOutError).toBeCloseTo(Math.sqrt(squares / 12), 10);
});

/** Gauss, for a well-conditioned matrix. */
function solved(matrix: readonly number[][], right: readonly number[]): number[] {
  const A = matrix.map((row, n) => [...row, right[n]]);
  A.forEach((row, c) => {
    for (const other of A) {
      if (other === row) continue;
      const factor = other[c] / row[c];
      row.forEach((x, t) => {
        other[t] -= factor * x;
      });
    }
  });
  return A.map((row, c) => row[right.length] / row[c]);
}

test("classes are found again by coordinates that were learnt", () => {
  const random = new RandomGenerator(2);
  const made = (count: number) => {
    const labels = Array.from({ length: count }, (_, n) => n % 3);
    const features = labels.map((label) =>
      Array.from({ length: 5 }, (_, t) => (t === label ? 3 : 0) + normal(random)),
    );
    return { labels, features };
  };
  const known = made(90);
  const asked = made(60);
  const angle = (label: number): number[] => [Math.cos(2.1 * label), Math.sin(2.1 * label)];
  const model = kernelRidge(known.features, known.labels.map(angle));
  const { meanAveragePrecision } = retrieval(
    { points: model.predict(asked.features), labels: asked.labels },
    { points: model.predict(known.features), labels: known.labels },
  );
  expect(meanAveragePrecision).toBeGreaterThan(0.8); // by chance 1/3
});

test.each([
  ["no objects", [], [], {}, "ERR_SHAPE"],
  ["one object", [[1]], [[1]], {}, "ERR_SHAPE"],
  ["other rows", [[1], [2]], [[1]], {}, "ERR_SHAPE"],
  ["NaN", [[1], [Number.NaN]], [[1], [2]], {}, "ERR_NON_FINITE"],
  ["features that are all the same", [[1], [1]], [[1], [2]], {}, "ERR_ARGUMENT"],
  ["λ of 0", [[1], [2]], [[1], [2]], { ridge: 0 }, "ERR_OPTION"],
  ["a misspelt option", [[1], [2]], [[1], [2]], JSON.parse('{"sigma": 1}'), "ERR_OPTION"],
])("%s is refused", (_, features, points, options, code) => {
  expect(() => kernelRidge(features, points, options)).toThrow(
    expect.objectContaining({ name: "CurvatureError", code }),
  );
});

test("features of another kind are refused", () => {
  const model = kernelRidge([[1], [2]], [[1], [2]]);
  expect(() => model.predict([[1, 2]])).toThrow(expect.objectContaining({ code: "ERR_SHAPE" }));
});
