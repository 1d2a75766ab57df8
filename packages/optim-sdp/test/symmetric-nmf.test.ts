import { outerGram } from "@curvature/linalg";
import { describe, expect, test } from "vitest";
import { symmetricNmf } from "../src/symmetric-nmf.js";
import { clusteringPoint, randomPoints } from "./helpers/small.js";

const absolute = (n: number, r: number, seed: number) => {
  const Y = randomPoints(n, r, seed);
  return { ...Y, data: Y.data.map(Math.abs) };
};

describe("symmetric nonnegative factorisation", () => {
  test("finds a clustering's factor", () => {
    const Q = clusteringPoint([0, 1, 1, 2, 0, 2, 2, 0, 1, 2]);
    const errors = [0, 1, 2, 3, 4].map((seed) => symmetricNmf(Q, 3, { seed }).error);
    expect(Math.min(...errors)).toBeLessThan(1e-4);
  });

  test("comes near a matrix that has a factor, and says how near", () => {
    const A = outerGram(absolute(20, 3, 1));
    const { factor, error, converged } = symmetricNmf(A, 4);
    expect(converged).toBe(true);
    expect(error).toBeLessThan(0.02); // a local minimum at worst
    expect(Math.min(...factor.data)).toBeGreaterThanOrEqual(0);
    const product = outerGram(factor);
    let squares = 0;
    let size = 0;
    for (let k = 0; k < 400; k++) {
      squares += (product.data[k] - A.data[k]) ** 2;
      size += A.data[k] ** 2;
    }
    expect(Math.sqrt(squares / size)).toBeCloseTo(error, 10);
  });

  test("is of the unit of A: c A has the factor √c Y", () => {
    const A = outerGram(absolute(8, 2, 2));
    const larger = { ...A, data: A.data.map((a) => 1024 * a) };
    const one = symmetricNmf(A, 2).factor.data;
    const other = symmetricNmf(larger, 2).factor.data;
    one.forEach((y, k) => {
      expect(other[k]).toBeCloseTo(32 * y, 10);
    });
  });

  test("more columns fit no worse; negative entries count as 0; zero has the factor 0", () => {
    const A = outerGram(absolute(12, 5, 3));
    expect(symmetricNmf(A, 6).error).toBeLessThan(symmetricNmf(A, 1).error);
    const signed = [
      [2, -1],
      [-1, 3],
    ];
    expect(symmetricNmf(signed, 2)).toEqual(
      symmetricNmf(
        [
          [2, 0],
          [0, 3],
        ],
        2,
      ),
    );
    expect(symmetricNmf([[-1]], 1)).toEqual({
      factor: { rows: 1, columns: 1, data: Float64Array.of(0) },
      error: 0,
      iterations: 0,
      converged: true,
    });
  });

  test("bad input ends in an error of its own", () => {
    const code = (code: string) => expect.objectContaining({ name: "CurvatureError", code });
    expect(() => symmetricNmf([], 1)).toThrowError(code("ERR_SHAPE"));
    expect(() => symmetricNmf([[1, 2]], 1)).toThrowError(code("ERR_SHAPE"));
    expect(() =>
      symmetricNmf(
        [
          [1, 2],
          [0, 1],
        ],
        1,
      ),
    ).toThrowError(code("ERR_ARGUMENT"));
    expect(() => symmetricNmf([[Number.NaN]], 1)).toThrowError(code("ERR_NON_FINITE"));
    for (const r of [0, 1.5, Number.NaN])
      expect(() => symmetricNmf([[1]], r)).toThrowError(code("ERR_ARGUMENT"));
  });
});
