/** Lanczos by blocks of rows: known spectra, multiple eigenvalues, and the pairs of one row at a time. */
import { lanczos } from "@curvature/linalg";
import { describe, expect, test } from "vitest";
import { blockLanczos, unlessEndless } from "../../src/eigen/lanczos.js";
import { difference } from "../dense/arbitrary.js";
import { departureFromOrthonormal, expectOriented } from "./laws.js";

const n = 400;
const settings = { seed: 3, tolerance: 1e-12, maxProducts: 20_000 };

/** H diag(values) H with a reflection H, so that no eigenvector is a unit vector. */
function operatorOf(values: Float64Array): (v: Float64Array, out: Float64Array) => void {
  const h = values.map((_, i) => Math.cos(3 * i + 1));
  const length = Math.hypot(...h);
  for (let i = 0; i < n; i++) h[i] /= length;
  const reflect = (v: Float64Array): void => {
    let along = 0;
    for (let i = 0; i < n; i++) along += h[i] * v[i];
    for (let i = 0; i < n; i++) v[i] -= 2 * along * h[i];
  };
  return (v, out) => {
    out.set(v);
    reflect(out);
    for (let i = 0; i < n; i++) out[i] *= values[i];
    reflect(out);
  };
}

function search(values: Float64Array, count: number, width: number) {
  const multiply = operatorOf(values);
  const widths = new Set<number>();
  const apply = (V: Float64Array, W: Float64Array): void => {
    widths.add(V.length / n);
    expect(W.length).toBe(V.length);
    for (let at = 0; at < V.length; at += n) multiply(V.subarray(at, at + n), W.subarray(at, at + n));
  };
  const pairs = blockLanczos({ width, apply }, n, count, settings);
  return { ...pairs, widths, multiply };
}

const spectra: readonly (readonly [string, (i: number) => number])[] = [
  ["falls like 1/i", (i) => 1 / (i + 1)],
  ["falls by a share", (i) => Math.exp(-i / 20)],
  ["is dense", (i) => 1 + (n - i) / n],
  ["has a few beside zeros", (i) => (i < 5 ? 9 - i : 0)],
  ["is negative", (i) => -1 - i / 10],
  ["is one number", () => 7],
  ["has twenty copies of each number", (i) => 30 - Math.floor(i / 20)],
  ["has one, and thirteen copies of the next", (i) => (i === 0 ? 3 : i < 14 ? 2 : 1 / i)],
  ["has nine copies below the first ten", (i) => (i < 10 ? 20 - i : i < 19 ? 5 : 1 / i)],
  ["is tiny", (i) => 1e-150 / (i + 1)],
  ["is huge", (i) => 1e150 / (i + 1)],
  ["is zero", () => 0],
];

describe.each(spectra)("a spectrum that %s", (_, eigenvalue) => {
  const values = Float64Array.from({ length: n }, (_, i) => eigenvalue(i));
  const sorted = values.toSorted().reverse();
  const size = Math.max(...values.map(Math.abs));

  test.each([
    [1, 8],
    [5, 8],
    [24, 8],
    [40, 8],
    [24, 3],
  ])("%i pairs by rows of %i", { tags: ["full"] }, (count, width) => {
    const found = search(values, count, width);
    expect(difference(found.values, sorted.slice(0, count))).toBeLessThanOrEqual(1e-11 * size);
    expect(departureFromOrthonormal(found.vectors)).toBeLessThan(1e-9);
    expectOriented(found.vectors);
    expect(Math.max(...found.widths)).toBe(width);
    const Au = new Float64Array(n);
    for (let i = 0; i < count; i++) {
      const u = found.vectors.data.subarray(i * n, (i + 1) * n);
      found.multiply(u, Au);
      let worst = 0;
      for (let k = 0; k < n; k++) worst = Math.max(worst, Math.abs(Au[k] - found.values[i] * u[k]));
      expect(worst).toBeLessThanOrEqual(1e-11 * size);
    }
  });
});

test("the same seed gives the same bits, and eigenvectors are those of one row at a time", () => {
  const values = Float64Array.from({ length: n }, (_, i) => 1 / (i + 1));
  const { vectors } = search(values, 6, 8);
  expect(search(values, 6, 8).vectors).toEqual(vectors);
  const single = lanczos(operatorOf(values), n, { count: 6, tolerance: 1e-12 });
  expect(difference(vectors.data, single.vectors.data)).toBeLessThan(1e-9);
});

test("a product that is not finite is an error, and so is one that is another each time", {
  tags: ["full"],
}, () => {
  const broken = { width: 8, apply: (_: Float64Array, W: Float64Array) => void W.fill(Number.NaN) };
  expect(() => unlessEndless(() => blockLanczos(broken, n, 2, settings))).toThrow(/NaN or infinite/);
  let calls = 0;
  const apply = (V: Float64Array, W: Float64Array): void => {
    for (let k = 0; k < V.length; k++) W[k] = V[k] * ((++calls * 7919) % 13);
  };
  const restless = { width: 8, apply };
  expect(() => unlessEndless(() => blockLanczos(restless, n, 2, settings))).toThrow("not symmetric");
  expect(calls / n).toBeGreaterThanOrEqual(20_000);
});
