import { zeros } from "@curvature/linalg";
import { describe, expect, test } from "vitest";
import { solveRing } from "../src/ring.js";
import { maximizeLinear } from "../src/simplex.js";
import { referenceSet } from "./helpers/reference.js";
import { worstViolation } from "./helpers/verify.js";

/** Optima by an exact linear programme of another make: n, K, value. */
const recorded: readonly (readonly [number, number, number])[] = [
  [100, 1, 0],
  [100, 1.5, 25],
  [100, 2, 50],
  [100, 3, 73.081795758],
  [100, 4, 83.645060973],
  [100, 6, 92.382707374],
  [100, 12, 98.045995514],
  [100, 16, 98.899908574],
  [100, 25, 99.546900039],
  [100, 33, 99.743830366],
  [100, 50, 99.901336421],
  [100, 100, 100],
  [8, 3, 3 + 2 * Math.SQRT2],
  [8, 4, 6.828427125],
  [12, 3, 8.830127019],
  [12, 4, 10.143593539],
  [12, 6, 11.196152423],
  [24, 4, 20.087244221],
  [24, 5, 21.422342668],
];

describe("the ring's linear programme", () => {
  for (const [n, K, value] of recorded)
    test(`n = ${n}, K = ${K}: ${value}`, () => {
      expect(Math.abs(solveRing(n, K).value - value)).toBeLessThan(2e-9);
    });

  test("closed forms: n (K − 1)/2 for K <= 2, K + (n − K) cos 2π/n for K >= n/2", () => {
    for (const n of [3, 4, 5, 11, 30, 31]) {
      for (const K of [1, 1.3, 2]) expect(solveRing(n, K).value).toBeCloseTo((n * (K - 1)) / 2, 9);
      for (const K of [n / 2, n / 2 + 0.7, n])
        if (K >= 2) expect(solveRing(n, K).value).toBeCloseTo(K + (n - K) * Math.cos((2 * Math.PI) / n), 9);
    }
  });

  test("its Q is feasible", () => {
    for (const [n, K] of [
      [11, 3],
      [24, 5],
      [50, 7.5],
    ]) {
      const { row } = solveRing(n, K);
      const Q = zeros(n, n);
      for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) Q.data[i * n + j] = row[(j - i + n) % n];
      expect(worstViolation(Q, K)).toBeLessThan(1e-12);
    }
  });

  test("values agree with the reference problems", () => {
    for (const { K, optimum } of referenceSet("ring-n100").problems)
      expect(Math.abs(solveRing(100, K).value - optimum)).toBeLessThan(1e-9);
  });

  test("bad n and K are refused", () => {
    expect(() => solveRing(2, 1)).toThrowError(/whole number from 3/);
    expect(() => solveRing(8, 9)).toThrowError(expect.objectContaining({ code: "ERR_OPTION" }));
  });
});

test("Beale's programme, on which the largest reduced cost alone cycles, ends at its optimum", () => {
  const A = {
    rows: 3,
    columns: 4,
    data: Float64Array.of(0.25, -60, -1 / 25, 9, 0.5, -90, -1 / 50, 3, 0, 0, 1, 0),
  };
  const { value, x } = maximizeLinear(Float64Array.of(0.75, -150, 0.02, -6), A, Float64Array.of(0, 0, 1));
  expect(value).toBeCloseTo(0.05, 12);
  expect(x[2]).toBeCloseTo(1, 12);
});

test("an unbounded programme is said to be so", () => {
  const A = { rows: 1, columns: 1, data: Float64Array.of(-1) };
  expect(() => maximizeLinear(Float64Array.of(1), A, Float64Array.of(1))).toThrowError(/unbounded/);
});
