/** What holds for every objective on the list, whatever its formula. */
import { createHash } from "node:crypto";
import { type DenseMatrix, permutation, RandomGenerator } from "@curvature/linalg";
import type { MinibatchSum } from "@curvature/objectives/sums";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Data, models } from "./models.js";

const rowsOf = ({ rows, labels }: Data, indices: readonly number[]): Data => ({
  rows: {
    rows: indices.length,
    columns: rows.columns,
    data: Float64Array.from(indices.flatMap((n) => [...row(rows, n)])),
  },
  labels: labels.length === 0 ? [] : indices.map((n) => labels[n]),
});

const row = ({ columns, data }: DenseMatrix, n: number): Float64Array =>
  data.subarray(n * columns, (n + 1) * columns);

const pointFor = ({ initial }: MinibatchSum, seed: number): Float64Array => {
  const random = new RandomGenerator(seed);
  return initial.map((entry) => entry + 0.4 * random.uniform() - 0.2);
};

/** Sums of the same terms in another order: some 100 terms of size f, each rounded once. */
const CLOSE = 1e-13;

function expectEqual(
  [value, gradient]: readonly [number, Float64Array],
  [otherValue, other]: readonly [number, Float64Array],
): void {
  const size = gradient.reduce((most, entry) => Math.max(most, Math.abs(entry)), Math.abs(value));
  expect(Math.abs(value - otherValue)).toBeLessThanOrEqual(CLOSE * size);
  gradient.forEach((entry, j) => {
    expect(Math.abs(entry - other[j])).toBeLessThanOrEqual(CLOSE * size);
  });
}

function added(
  sum: MinibatchSum,
  indices: Iterable<number>,
  x: Float64Array,
  factor = 1,
): [number, Float64Array] {
  const gradient = new Float64Array(x.length);
  const part = new Float64Array(x.length).fill(Number.NaN);
  let value = 0;
  for (const i of indices) {
    value += factor * sum.evaluate(i, x, part);
    part.forEach((entry, j) => {
      gradient[j] += factor * entry;
    });
  }
  return [value, gradient];
}

const aCase = fc.record({
  count: fc.integer({ min: 1, max: 11 }),
  seed: fc.integer({ min: 0, max: 1000 }),
});

describe.each(models)("$label", (model) => {
  const { data, make } = model;
  const D = data.rows.rows;

  test("the minibatches add up to the whole, and to any batch", () => {
    fc.assert(
      fc.property(aCase, fc.uniqueArray(fc.nat(10), { minLength: 1 }), ({ count, seed }, chosen) => {
        const sum = make(data, count);
        const x = pointFor(sum, seed);
        const gradient = new Float64Array(x.length).fill(Number.NaN);
        const all = Array.from({ length: count }, (_, i) => i);
        expectEqual([sum.whole.evaluate(x, gradient), gradient], added(sum, all, x));
        const batch = Int32Array.from(chosen.filter((i) => i < count));
        expectEqual([sum.evaluateBatch(batch, x, gradient), gradient], added(sum, batch, x));
        expect(sum.evaluateBatch(batch, x)).toBe(sum.evaluateBatch(batch, x, gradient));
      }),
      { numRuns: 6 },
    );
  });

  test("minibatch i is the rows i, i + N, …, with the factor N/D", () => {
    fc.assert(
      fc.property(aCase, fc.nat(10), ({ count, seed }, at) => {
        const i = at % count;
        const indices = Array.from({ length: D }, (_, n) => n).filter((n) => n % count === i);
        const sum = make(data, count, 0);
        const x = pointFor(sum, seed);
        const alone = make(rowsOf(data, indices), 1, 0);
        const factor = (count * indices.length) / D;
        expectEqual(added(sum, [i], x), added(alone, [0], x, factor));
      }),
      { numRuns: 6 },
    );
  });

  test("the order of the rows does not matter to the whole, and N is a factor of it", () => {
    fc.assert(
      fc.property(aCase, ({ count, seed }) => {
        const order = [...permutation(new RandomGenerator(seed), D)];
        const sum = make(data, count);
        const x = pointFor(sum, seed);
        const gradient = new Float64Array(x.length);
        const value = sum.whole.evaluate(x, gradient);
        expectEqual([value, gradient], added(make(rowsOf(data, order), 1), [0], x, count));
      }),
      { numRuns: 6 },
    );
  });

  test("an evaluation leaves x and the next evaluation alone", () => {
    const sum = make(data, 3);
    const [x, y] = [pointFor(sum, 1), pointFor(sum, 2)];
    const kept = x.slice();
    const first = added(sum, [0], x);
    added(sum, [0, 1, 2], y);
    sum.whole.gaussNewtonVector?.(y, x, new Float64Array(x.length));
    expect(added(sum, [0], x)).toEqual(first);
    expect(x).toEqual(kept);
  });

  test("a NaN among the parameters shows in the value", () => {
    const sum = make(data, 3, 0);
    for (let j = 0; j < sum.dimension; j++) {
      const x = sum.initial.slice();
      x[j] = Number.NaN;
      expect(sum.evaluate(1, x)).toBeNaN();
    }
  });

  test("seeds, layouts and fingerprints", () => {
    const sum = make(data, 3);
    expect(sum.initialPoint(0)).toEqual(sum.initial);
    const isConvex = sum.initial.every((entry) => entry === 0);
    if (!isConvex) expect(sum.initialPoint(1)).not.toEqual(sum.initial);
    let offset = 0;
    for (const block of sum.layout) {
      expect(block.offset).toBe(offset);
      offset += block.rows * block.columns;
    }
    expect(offset).toBe(sum.dimension);
    expect(make(data, 3).fingerprint).toBe(sum.fingerprint);
    expect(sum.whole.fingerprint).toBe(sum.fingerprint);
    const changed = { rows: 11, columns: data.rows.columns, data: data.rows.data.slice() };
    changed.data[3] = 1 - changed.data[3];
    const others = [make(data, 2), make(data, 3, 0.5), make({ ...data, rows: changed }, 3)];
    expect(new Set([sum, ...others].map((other) => other.fingerprint)).size).toBe(4);
  });
});

test("models on the same data have different fingerprints", () => {
  const prints = models.map(({ make, data }) => make(data, 3, 0.1).fingerprint);
  expect(new Set(prints).size).toBe(models.length);
});

test("the same bits on every engine", () => {
  const hash = createHash("sha256");
  for (const { make, data } of models) {
    const { whole, initial } = make(data, 3);
    const gradient = new Float64Array(initial.length);
    hash.update(new Uint8Array(initial.buffer));
    hash.update(String(whole.evaluate(initial, gradient)));
    hash.update(new Uint8Array(gradient.buffer));
    whole.gaussNewtonVector?.(initial, gradient.slice(), gradient);
    hash.update(new Uint8Array(gradient.buffer));
  }
  expect(hash.digest("hex").slice(0, 16)).toBe("7719c1aa59027956");
});
