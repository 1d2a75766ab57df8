import { outerGram } from "@curvature/linalg";
import { expect, test } from "vitest";
import { cpRankErrors, cpRankOptions } from "../src/cp-rank.js";
import { symmetricNmf } from "../src/symmetric-nmf.js";
import { clusteringPoint, randomPoints } from "./helpers/small.js";

test("a hard clustering of k groups has cp-rank k", () => {
  const Q = clusteringPoint([0, 1, 1, 2, 0, 2, 2, 0, 1, 3, 3, 3]);
  const starts = { starts: 8 };
  expect(cpRankErrors(Q, 4, starts).least).toBeLessThan(1e-4);
  // the best approximation of k equal eigenvalues 1 by r < k of them leaves √((k − r)/k)
  for (const r of [1, 2, 3])
    expect(cpRankErrors(Q, r, starts).least).toBeGreaterThanOrEqual(Math.sqrt((4 - r) / 4) - 1e-12);
});

test("a matrix that is doubly nonnegative and not completely positive stays at its distance for all r", {
  tags: ["full"],
}, () => {
  // The circulant Q = C(1, a, 0, 0, a) has the eigenvalues 1 + 2a cos(2πp/5), at least 0 for a = 1/(2 cos π/5) = 0.618.
  // Horn's matrix H = C(1, −1, 1, 1, −1) is copositive, so that ⟨H, C⟩ ≥ 0 for every completely positive C, and
  // ‖Q − C‖ ≥ −⟨H, Q⟩/‖H‖ = (10a − 5)/5. For a = ½ the sum of five (e_i + e_{i+1})(e_i + e_{i+1})ᵀ/2 is Q itself.
  const circulant = (a: number): number[][] =>
    Array.from({ length: 5 }, (_, i) =>
      Array.from({ length: 5 }, (_, j) => [1, a, 0, 0, a][(j - i + 5) % 5]),
    );
  const a = 1 / (2 * Math.cos(Math.PI / 5));
  const distance = (10 * a - 5) / 5 / Math.sqrt(5 + 10 * a * a);
  for (const r of [1, 5, 8, 20]) {
    const { least } = cpRankErrors(circulant(a), r, { starts: 10 });
    expect(least).toBeGreaterThanOrEqual(distance - 1e-12);
    if (r >= 5) expect(least).toBeLessThan(1.5 * distance);
  }
  const tight = { starts: 10, tolerance: 1e-8, maxIterations: 10_000 };
  expect(cpRankErrors(circulant(0.5), 5, tight).least).toBeLessThan(1e-4);
});

test("the errors are those of the starts one by one, and the factor belongs to the least", () => {
  const Q = outerGram({ ...randomPoints(7, 3, 5), data: randomPoints(7, 3, 5).data.map(Math.abs) });
  const { errors, least, factor, converged } = cpRankErrors(Q, 3, { starts: 4, seed: 10 });
  const each = [10, 11, 12, 13].map((seed) => symmetricNmf(Q, 3, { seed }));
  expect([...errors]).toEqual(each.map(({ error }) => error));
  expect(least).toBe(Math.min(...errors));
  expect(factor).toEqual(each.find(({ error }) => error === least)?.factor);
  expect(converged).toBe(each.filter((one) => one.converged).length);
});

test("defaults are documented, bad options refused", () => {
  expect(cpRankOptions.defaults).toEqual({ starts: 50, seed: 0, tolerance: 1e-5, maxIterations: 1000 });
  const misspelt: object = { start: 3 };
  expect(() => cpRankErrors([[1]], 1, misspelt)).toThrowError(/Did you mean "starts"/);
  expect(() => cpRankErrors([[1]], 0)).toThrowError(expect.objectContaining({ code: "ERR_ARGUMENT" }));
  expect(() => cpRankErrors([[1, 2]], 1)).toThrowError(expect.objectContaining({ code: "ERR_SHAPE" }));
  expect(() => cpRankErrors([[Number.NaN]], 1)).toThrowError(
    expect.objectContaining({ code: "ERR_NON_FINITE" }),
  );
});
