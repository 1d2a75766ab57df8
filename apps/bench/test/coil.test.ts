/** COIL-10 from its distances, and how maps of classes are measured. */
import { expect, test } from "vitest";
import { coilDistances, coilScores } from "../src/data/coil.ts";
import { classAccuracy } from "../src/experiments/spectral/model-measures.ts";

test("distances are symmetric, and views of one object beside each other are near", () => {
  const { squaredDistances, labels } = coilDistances();
  const { rows: N, data } = squaredDistances;
  expect(N).toBe(720);
  expect([labels[71], labels[72], labels[719]]).toEqual([0, 1, 9]);
  for (let i = 0; i < N; i += 7) {
    expect(data[i * N + i]).toBe(0);
    for (let j = 0; j < N; j += 5) expect(data[i * N + j]).toBe(data[j * N + i]);
    const row = data.subarray(i * N, (i + 1) * N);
    const nearest = row.indexOf(Math.min(...row.filter((value) => value > 0)));
    expect(labels[nearest]).toBe(labels[i]);
  }
});

test("fewer objects and poses are a part of them", () => {
  const { squaredDistances: all } = coilDistances();
  const { squaredDistances: some, labels } = coilDistances(3, 36);
  expect([...labels.subarray(34, 38)]).toEqual([0, 0, 1, 1]);
  expect(some.data[1 * 108 + 37]).toBe(all.data[2 * 720 + 74]);
});

test("scores are about the mean, uncorrelated, and their distances are a part of those that were given", () => {
  const count = 20;
  const { data } = coilScores(count);
  const { squaredDistances } = coilDistances();
  const along = (k: number): number[] => Array.from({ length: 720 }, (_, n) => data[n * count + k]);
  const product = (a: readonly number[], b: readonly number[]): number =>
    a.reduce((sum, x, n) => sum + x * b[n], 0);
  expect(Math.abs(along(0).reduce((a, b) => a + b))).toBeLessThan(1e-6);
  expect(Math.abs(product(along(0), along(1)))).toBeLessThan(1e-6 * product(along(0), along(0)));
  for (const [i, j] of [
    [0, 1],
    [5, 400],
    [719, 72],
  ]) {
    let squared = 0;
    for (let k = 0; k < count; k++) squared += (data[i * count + k] - data[j * count + k]) ** 2;
    expect(squared).toBeLessThanOrEqual(squaredDistances.data[i * 720 + j] * (1 + 1e-9));
  }
  // Σ |x_i|² of all components is Σ d²_ij / 2N; twenty of 256 have most of it, and one less than twenty
  const size = (scores: Float64Array): number => scores.reduce((sum, x) => sum + x * x, 0);
  const whole = squaredDistances.data.reduce((sum, squared) => sum + squared / (2 * 720), 0);
  expect(size(data)).toBeLessThan(whole);
  expect(size(data)).toBeGreaterThan(0.75 * whole);
  expect(size(coilScores(1).data)).toBeCloseTo(product(along(0), along(0)), 6);
});

test("points among their own class are right, the one among others is not", () => {
  const at = (group: number, n: number): number[] => [100 * group + (n % 4), Math.floor(n / 4)];
  const places = Array.from({ length: 24 }, (_, n) => at(n < 12 ? 0 : 1, n % 12));
  const labels = places.map((_, n) => (n < 12 ? "a" : "b"));
  const map = { rows: 24, columns: 2, data: Float64Array.from(places.flat()) };
  expect(classAccuracy(map, labels)).toBe(1);
  labels[3] = "b";
  expect(classAccuracy(map, labels)).toBe(23 / 24);
});
