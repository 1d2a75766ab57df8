import { RandomGenerator } from "@curvature/linalg";
import { LbfgsMemory } from "@curvature/optim-core";
import { restore, saved } from "@curvature/optim-core/state";
import { describe, expect, test } from "vitest";

const random = new RandomGenerator(3);
const vector = (n: number): Float64Array => Float64Array.from({ length: n }, () => 2 * random.uniform() - 1);
const zero = (n: number): Float64Array => new Float64Array(n);
const dot = (a: Float64Array, b: Float64Array): number => a.reduce((sum, ai, i) => sum + ai * b[i], 0);

/** H after the pairs, by the BFGS formula on dense matrices: H ← (I − ρsyᵀ) H (I − ρysᵀ) + ρssᵀ, eq. (7.16). */
function denseInverse(
  n: number,
  H0: (i: number) => number,
  pairs: readonly (readonly [Float64Array, Float64Array])[],
) {
  let H = Array.from({ length: n }, (_, i) =>
    Float64Array.from({ length: n }, (_, j) => (i === j ? H0(i) : 0)),
  );
  for (const [s, y] of pairs) {
    const rho = 1 / dot(s, y);
    const Hy = H.map((row) => dot(row, y));
    const yHy = dot(y, Float64Array.from(Hy));
    H = H.map((row, i) =>
      row.map((h, j) => h - rho * (s[i] * Hy[j] + Hy[i] * s[j]) + rho * (rho * yHy + 1) * s[i] * s[j]),
    );
  }
  return H;
}

/** Pairs with positive curvature. */
const pairsOf = (n: number, count: number) =>
  Array.from({ length: count }, () => {
    const s = vector(n);
    const y = s.map((si, i) => si * (1 + i));
    y[0] += 0.3 * s[n - 1];
    y[n - 1] += 0.3 * s[0];
    return [s, y] as const;
  });

describe("the two-loop recursion", () => {
  for (const [count, capacity] of [
    [0, 3],
    [2, 3],
    [3, 3],
    [7, 3],
  ])
    for (const isPlugged of [false, true])
      test(`${count} pairs in a memory of ${capacity}${isPlugged ? ", plugged in" : ""}, as the dense formula`, () => {
        const n = 6;
        const B = (i: number) => (isPlugged ? 1 / (2 + i) : 1);
        const inverse = (v: Float64Array, out: Float64Array) => {
          for (let i = 0; i < n; i++) out[i] = B(i) * v[i];
        };
        const memory = new LbfgsMemory(n, capacity, isPlugged ? inverse : undefined);
        const pairs = pairsOf(n, count);
        for (const [s, y] of pairs) expect(memory.update(s, zero(n), y, zero(n))).toBe(true);
        expect(memory.size).toBe(Math.min(count, capacity));

        const newest = pairs.at(-1);
        const gamma =
          newest === undefined
            ? 1
            : dot(...newest) /
              dot(
                newest[1],
                newest[1].map((yi, i) => B(i) * yi),
              );
        const H = denseInverse(n, (i) => gamma * B(i), pairs.slice(-capacity));
        const v = vector(n);
        const out = zero(n);
        memory.apply(v, out);
        for (let i = 0; i < n; i++) expect(out[i]).toBeCloseTo(dot(H[i], v), 12);
        memory.apply(v, v);
        expect(v).toEqual(out);
      });
});

test("a pair without safely positive curvature is refused and displaces none", () => {
  const memory = new LbfgsMemory(2, 2);
  for (const [s, y] of pairsOf(2, 2)) memory.update(s, zero(2), y, zero(2));
  const before = zero(2);
  memory.apply(Float64Array.of(1, 2), before);
  const refused = [
    [1, 0, -1, 0],
    [1, 0, 0, 1],
    [1, 0, 1e-13, 1],
    [1, 0, Number.NaN, 0],
    [0, 0, 0, 0],
  ];
  for (const [s0, s1, y0, y1] of refused)
    expect(memory.update(Float64Array.of(s0, s1), zero(2), Float64Array.of(y0, y1), zero(2))).toBe(false);
  const after = zero(2);
  memory.apply(Float64Array.of(1, 2), after);
  expect(after).toEqual(before);
  expect(memory.update(Float64Array.of(1, 0), zero(2), Float64Array.of(1e-11, 1), zero(2))).toBe(true);
});

test("saved and restored it gives the same bits, and forgets nothing on what follows", () => {
  const n = 5;
  const memory = new LbfgsMemory(n, 3);
  for (const [s, y] of pairsOf(n, 5)) memory.update(s, zero(n), y, zero(n));
  const copy = new LbfgsMemory(n, 3);
  restore("memory", copy.state, saved("memory", memory.state));
  for (const [s, y] of pairsOf(n, 4)) {
    const [a, b, v] = [zero(n), zero(n), vector(n)];
    memory.apply(v, a);
    copy.apply(v, b);
    expect(b).toEqual(a);
    memory.update(s, zero(n), y, zero(n));
    copy.update(s, zero(n), y, zero(n));
  }
  memory.clear();
  const v = vector(n);
  const out = zero(n);
  memory.apply(v, out);
  expect(out).toEqual(v);
});

test("on a face it is the memory of the restricted pairs, and what of them has no positive curvature is left out", () => {
  const n = 7;
  const face = [0, 2, 3, 6];
  const free = Float64Array.from({ length: n }, (_, i) => (face.includes(i) ? 1 : 0));
  const on = (v: Float64Array) => Float64Array.from(face, (i) => v[i]);
  const whole = new LbfgsMemory(n, 3);
  const restricted = new LbfgsMemory(face.length, 3);
  const pairs = [...pairsOf(n, 3)];
  const bent = vector(n);
  pairs[1] = [bent, bent.map((entry, i) => (free[i] === 1 ? -0.1 * entry : 9 * entry))]; // useful off the face only
  for (const [s, y] of pairs) {
    expect(whole.update(s, zero(n), y, zero(n))).toBe(true);
    restricted.update(on(s), zero(4), on(y), zero(4));
  }
  expect(restricted.size).toBe(2);
  const v = vector(n);
  const [out, expected] = [vector(n), zero(4)];
  expect(whole.applyWithin(free, v, out)).toBeCloseTo(restricted.state.gamma, 12);
  restricted.apply(on(v), expected);
  for (let i = 0; i < n; i++) {
    const at = face.indexOf(i);
    expect(out[i]).toBeCloseTo(at < 0 ? 0 : expected[at], 12);
  }
  expect(new LbfgsMemory(n, 3).applyWithin(free, v, out)).toBe(0);
  expect(Array.from(out)).toEqual(Array.from(v, (vi, i) => free[i] * vi));
});

test.each([-1, 0, 1.5, Number.NaN, 10_001, "3" as never])("%s pairs are refused", (capacity) => {
  expect(() => new LbfgsMemory(4, capacity)).toThrowError(
    /^LbfgsMemory: capacity must be a whole number from 1 to 10000/,
  );
});
