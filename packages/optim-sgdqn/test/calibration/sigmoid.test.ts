import { normal, RandomGenerator } from "@curvature/linalg";
import fc from "fast-check";
import { expect, test } from "vitest";
import { fitSigmoid, probability, type Sigmoid } from "../../src/calibration/sigmoid.js";

const sigmoid = (z: number) => 1 / (1 + Math.exp(-z));

/** F of eq. (1) with Platt's targets, written down anew. */
function cost(scores: readonly number[], labels: readonly number[], { slope, offset }: Sigmoid): number {
  const positives = labels.filter((label) => label === 1).length;
  const negatives = labels.length - positives;
  return scores.reduce((sum, f, i) => {
    const t = labels[i] === 1 ? (positives + 1) / (positives + 2) : 1 / (negatives + 2);
    const p = sigmoid(-(slope * f + offset));
    return sum - t * Math.log(p) - (1 - t) * Math.log(1 - p);
  }, 0);
}

test("the fit recovers the sigmoid that labels were drawn from", () => {
  const random = new RandomGenerator(5);
  const n = 20_000;
  const f = Float64Array.from({ length: n }, () => 2 * normal(random));
  const labels = Uint8Array.from(f, (s) => (random.uniform() < sigmoid(1.5 * s - 0.7) ? 1 : 0));
  const { slope, offset } = fitSigmoid(f, labels, undefined);
  // The standard errors of A and B are about 0.03 here.
  expect(Math.abs(slope + 1.5)).toBeLessThan(0.1);
  expect(Math.abs(offset - 0.7)).toBeLessThan(0.1);
});

const data = fc
  .array(fc.tuple(fc.double({ min: -10, max: 10, noNaN: true }), fc.integer({ min: 0, max: 1 })), {
    minLength: 2,
    maxLength: 40,
  })
  .filter((rows) => new Set(rows.map(([, label]) => label)).size === 2);

test("no other sigmoid that rises is better", () => {
  fc.assert(
    fc.property(
      data,
      fc.double({ min: -3, max: 0, noNaN: true }),
      fc.double({ min: -3, max: 3, noNaN: true }),
      (rows, dA, dB) => {
        const [f, labels] = [rows.map(([s]) => s), rows.map(([, label]) => label)];
        const fitted = fitSigmoid(Float64Array.from(f), Uint8Array.from(labels), undefined);
        const found = cost(f, labels, fitted);
        for (const step of [1, 0.1, 0.01]) {
          const other = {
            slope: Math.min(0, fitted.slope - step * dA - step),
            offset: fitted.offset + step * dB,
          };
          // The iteration ends at gradients of 1e-5 a row.
          expect(found).toBeLessThan(cost(f, labels, other) + 1e-4 * rows.length);
        }
      },
    ),
  );
});

test("the minimum has no gradient", () => {
  const f = [-2, -1, -0.5, 0.3, 1, 2, 3];
  const labels = [0, 1, 0, 0, 1, 1, 1];
  const fitted = fitSigmoid(Float64Array.from(f), Uint8Array.from(labels), undefined);
  const h = 1e-4;
  for (const [dA, dB] of [
    [h, 0],
    [0, h],
  ]) {
    const at = (sign: number) =>
      cost(f, labels, { slope: fitted.slope + sign * dA, offset: fitted.offset + sign * dB });
    expect(Math.abs(at(1) - at(-1)) / (2 * h)).toBeLessThan(1e-4);
  }
});

test("probabilities rise with the score, for any data", () => {
  fc.assert(
    fc.property(data, (rows) => {
      const fitted = fitSigmoid(
        Float64Array.from(rows, ([s]) => s),
        Uint8Array.from(rows, ([, label]) => label),
        undefined,
      );
      expect(fitted.slope).toBeLessThanOrEqual(0);
      const p = [-1e300, -50, -1, 0, 1, 50, 1e300].map((s) => probability(fitted, s));
      for (let k = 1; k < p.length; k++) expect(p[k]).toBeGreaterThanOrEqual(p[k - 1]);
      for (const value of p) expect(value >= 0 && value <= 1).toBe(true);
    }),
  );
});

test("scores against their labels tell nothing: the probability is that of the class", () => {
  const fitted = fitSigmoid(Float64Array.of(2, 1, -1, -2), Uint8Array.of(0, 0, 1, 1), undefined);
  expect([fitted.slope, fitted.offset]).toEqual([0, 0]);
  const equal = fitSigmoid(Float64Array.of(0, 0, 0, 0), Uint8Array.of(0, 1, 1, 1), undefined);
  expect(probability(equal, 12)).toBeCloseTo((3 * (4 / 5) + 1 / 3) / 4, 12);
});

test("the unit of the scores does not matter", () => {
  const labels = Uint8Array.of(0, 1, 0, 0, 1, 1, 1);
  const f = Float64Array.of(-2, -1, -0.5, 0.3, 1, 2, 3);
  const plain = fitSigmoid(f, labels, undefined);
  for (const unit of [1e-200, 1e-6, 1e6, 1e200]) {
    const scaled = fitSigmoid(
      f.map((s) => s * unit),
      labels,
      undefined,
    );
    expect((scaled.slope * unit) / plain.slope).toBeCloseTo(1, 9);
    expect(scaled.offset).toBeCloseTo(plain.offset, 9);
  }
});

test("a weight of 3 counts as the row three times", () => {
  const thrice = fitSigmoid(Float64Array.of(-1, 2, 0.5, 0.5, 0.5), Uint8Array.of(0, 1, 0, 0, 0), undefined);
  const weighted = fitSigmoid(Float64Array.of(-1, 2, 0.5), Uint8Array.of(0, 1, 0), Float64Array.of(1, 1, 3));
  // Scaled by other root mean squares on the way: equal up to the stopping test.
  expect(weighted.slope).toBeCloseTo(thrice.slope, 3);
  expect(weighted.offset).toBeCloseTo(thrice.offset, 3);
});

test("separable scores give steep but finite sigmoids", () => {
  const fitted = fitSigmoid(Float64Array.of(-1e3, -1e3, 1e3, 1e3), Uint8Array.of(0, 0, 1, 1), undefined);
  expect(Number.isFinite(fitted.slope) && Number.isFinite(fitted.offset)).toBe(true);
  expect(probability(fitted, 1e3)).toBeCloseTo(3 / 4, 3); // Platt's target for two rows
});
