import { type DenseMatrix, dot, norm2, zeros } from "@curvature/linalg";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Gram } from "../src/gram.js";
import { gramOfDistances, gramOfMatrix, gramOfPoints } from "../src/gram.js";
import { clusteringPoint, randomPoints } from "./helpers/small.js";

const product = (gram: Gram, v: Float64Array): Float64Array => {
  const out = new Float64Array(gram.n);
  gram.multiply(v, out);
  return out;
};

const distancesOf = (X: DenseMatrix): DenseMatrix => {
  const D = zeros(X.rows, X.rows);
  for (let i = 0; i < X.rows; i++)
    for (let j = 0; j < X.rows; j++)
      D.data[i * X.rows + j] = norm2(
        X.data.slice(i * X.columns, (i + 1) * X.columns).map((x, k) => x - X.data[j * X.columns + k]),
      );
  return D;
};

const worst = (a: Float64Array, b: Float64Array): number =>
  a.reduce((most, x, k) => Math.max(most, Math.abs(x - b[k])), 0);

describe("the Gram matrix of points", () => {
  test("is divided by the largest norm of an uncentred row", () => {
    const D = gramOfPoints([
      [3, 4],
      [3, 0],
    ]).dense(); // c = 5, mean (3, 2)
    expect(Array.from(D.data)).toEqual([0.16, -0.16, -0.16, 0.16].map((x) => expect.closeTo(x, 15)));
  });

  test("multiplies as its dense form, whose rows sum to 0", () => {
    const gram = gramOfPoints(randomPoints(13, 4, 1), { scale: "none" });
    const v = randomPoints(13, 1, 2).data;
    const D = gram.dense();
    const dense = Float64Array.from({ length: 13 }, (_, i) => dot(D.data.slice(i * 13, (i + 1) * 13), v));
    expect(worst(product(gram, v), dense)).toBeLessThan(1e-13);
    expect(maxOf(product(gram, new Float64Array(13).fill(1)))).toBeLessThan(1e-13);
    expect(gram.trace).toBeCloseTo(
      D.data.filter((_, k) => k % 14 === 0).reduce((a, b) => a + b),
      12,
    );
  });

  test("moving all points changes nothing but rounding", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.double({ min: -50, max: 50, noNaN: true }), (n, by) => {
        const X = randomPoints(n, 3, n);
        const moved = { ...X, data: X.data.map((x) => x + by) };
        const here = gramOfPoints(X, { scale: "none" }).dense().data;
        const there = gramOfPoints(moved, { scale: "none" }).dense().data;
        expect(worst(here, there)).toBeLessThan(1e-11);
      }),
    );
  });

  test("points far from the origin lose no digits to the division", () => {
    const X = randomPoints(9, 2, 3);
    for (let k = 0; k < X.data.length; k++) X.data[k] = Math.round(64 * X.data[k]) / 64;
    const far = { ...X, data: X.data.map((x) => x + 2 ** 27) };
    const here = gramOfPoints(X, { scale: "none" });
    const there = gramOfPoints(far); // in units of c
    const unit = there.trace / here.trace;
    const error = worst(
      there.dense().data,
      here.dense().data.map((d) => unit * d),
    );
    expect(error).toBeLessThan(1e-14 * there.trace);
  });

  test("entries whose squares or roundings are no numbers are refused, at once", () => {
    const X = randomPoints(6, 2, 4);
    const scaled = (by: number) => ({ ...X, data: X.data.map((x) => by * x) });
    expect(() => gramOfPoints(scaled(1e-150), { scale: "none" })).toThrowError(/Multiply the data/);
    expect(() => gramOfPoints(scaled(1e150), { scale: "none" })).toThrowError(/Divide the data/);
    expect(() =>
      gramOfPoints([
        [1.7e308, 1.7e308],
        [0, 0],
      ]),
    ).toThrowError(/Divide the data/);
    for (const by of [1e-310, 1e-150, 1e150, 1e300])
      expect(gramOfPoints(scaled(by)).trace / gramOfPoints(X).trace).toBeCloseTo(1, 9);
  });

  test("equal points have the Gram matrix 0, also where they lie at the origin", () => {
    for (const value of [0, 0.1, 1e200]) {
      const gram = gramOfPoints([[value], [value], [value]]);
      expect(gram.trace).toBe(0);
    }
  });

  test("quadratic forms agree between points and matrix", () => {
    const X = randomPoints(9, 3, 5);
    const points = gramOfPoints(X, { scale: "none" });
    const F = randomPoints(9, 4, 6);
    expect(gramOfMatrix(points.dense()).quadratic(F)).toBeCloseTo(points.quadratic(F), 10);
  });
});

describe("the Gram matrix of a matrix", () => {
  test("its offset makes up for the centring", () => {
    const X = randomPoints(8, 3, 3);
    const G = zeros(8, 8);
    for (let i = 0; i < 8; i++)
      for (let j = 0; j < 8; j++)
        for (let k = 0; k < 3; k++) G.data[i * 8 + j] += (X.data[i * 3 + k] + 1) * (X.data[j * 3 + k] + 1);
    const gram = gramOfMatrix(G);
    const Q = clusteringPoint([0, 0, 1, 1, 1, 2, 2, 0]);
    expect(dot(gram.dense().data, Q.data) + gram.offset).toBeCloseTo(dot(G.data, Q.data), 11);
  });

  test("distances give the Gram matrix of the points", () => {
    const X = randomPoints(10, 3, 4);
    const fromDistances = gramOfDistances(distancesOf(X)).dense().data;
    expect(worst(fromDistances, gramOfPoints(X, { scale: "none" }).dense().data)).toBeLessThan(1e-13);
  });

  test("small asymmetries are averaged, large ones refused by their place", () => {
    const gram = gramOfMatrix([
      [1, 2],
      [2 + 1e-9, 5],
    ]);
    const D = gram.dense().data;
    expect(D[1]).toBe(D[2]);
    expect(() =>
      gramOfMatrix([
        [1, 2],
        [2.1, 5],
      ]),
    ).toThrowError(/row 1, column 0 \(counted from 0\) has 2.1, and row 0, column 1 has 2/);
  });
});

describe("bad input ends in an error of its own", () => {
  const cases: readonly (readonly [string, () => unknown, string])[] = [
    ["no points", () => gramOfPoints([]), "ERR_SHAPE"],
    ["no coordinates", () => gramOfPoints([[], []]), "ERR_SHAPE"],
    ["ragged rows", () => gramOfPoints([[1, 2], [3]]), "ERR_SHAPE"],
    ["NaN", () => gramOfPoints([[1], [Number.NaN]]), "ERR_NON_FINITE"],
    [
      "squares whose squares overflow",
      () => gramOfPoints([[1e90], [-1e90]], { scale: "none" }),
      "ERR_NON_FINITE",
    ],
    [
      "distances that are huge",
      () =>
        gramOfDistances([
          [0, 1e200],
          [1e200, 0],
        ]),
      "ERR_NON_FINITE",
    ],
    ["squares that overflow", () => gramOfPoints([[1e200], [-1e200]], { scale: "none" }), "ERR_NON_FINITE"],
    ["an unknown scale", () => gramOfPoints([[1]], JSON.parse('{"scale":"max"}')), "ERR_OPTION"],
    ["a matrix that is not square", () => gramOfMatrix([[1, 2]]), "ERR_SHAPE"],
    ["no matrix", () => gramOfMatrix([]), "ERR_SHAPE"],
    [
      "huge entries",
      () =>
        gramOfMatrix(
          [
            [1e308, 1e308],
            [1e308, 1e308],
          ].map((r) => r.map((x) => x * 1.7)),
        ),
      "ERR_NON_FINITE",
    ],
    [
      "a negative distance",
      () =>
        gramOfDistances([
          [0, -1],
          [-1, 0],
        ]),
      "ERR_ARGUMENT",
    ],
    [
      "a distance to itself",
      () =>
        gramOfDistances([
          [1, 1],
          [1, 0],
        ]),
      "ERR_ARGUMENT",
    ],
    [
      "too little memory",
      () =>
        gramOfMatrix(
          [
            [1, 0],
            [0, 1],
          ],
          { memoryLimit: 31 },
        ),
      "ERR_MEMORY",
    ],
  ];
  for (const [what, make, code] of cases)
    test(what, () => {
      expect(make).toThrowError(expect.objectContaining({ name: "CurvatureError", code }));
    });

  test("memory is asked for before the dense form is made, with how much", () => {
    const gram = gramOfPoints(randomPoints(100, 1, 1), { memoryLimit: 79_999 });
    expect(() => gram.dense()).toThrowError(/100 x 100 Gram matrix takes 0.0000745 GiB/);
  });
});

const maxOf = (v: Float64Array): number => v.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
