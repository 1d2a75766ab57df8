import { applyScaling, fitScaling, type ScalingMethod, zeros } from "@curvature/linalg";
import fc from "fast-check";
import { expect, test } from "vitest";

const value = fc.double({ min: -1e6, max: 1e6, noNaN: true });
const matrix = fc
  .tuple(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 5 }))
  .chain(([n, d]) =>
    fc
      .array(value, { minLength: n * d, maxLength: n * d })
      .map((data) => ({ rows: n, columns: d, data: Float64Array.from(data) })),
  );
const column = (X: { rows: number; columns: number; data: Float64Array }, j: number): number[] =>
  Array.from({ length: X.rows }, (_, i) => X.data[i * X.columns + j]);

test("max-abs: every column's largest magnitude is 1 exactly, zeros stay zeros", () => {
  fc.assert(
    fc.property(matrix, (X) => {
      const Z = applyScaling(fitScaling(X, "max-abs"), X);
      for (let j = 0; j < X.columns; j++) {
        const largest = Math.max(...column(Z, j).map(Math.abs));
        expect(largest).toBe(column(X, j).some((x) => x !== 0) ? 1 : 0);
        column(X, j).forEach((x, i) => {
          if (x === 0) expect(Math.abs(column(Z, j)[i])).toBe(0);
        });
      }
    }),
  );
});

test("standard: mean 0 and variance 1, or exactly 0 where the column is constant", () => {
  fc.assert(
    fc.property(matrix, (X) => {
      const Z = applyScaling(fitScaling(X, "standard"), X);
      for (let j = 0; j < X.columns; j++) {
        const z = column(Z, j);
        if (column(X, j).every((x) => x === X.data[j])) {
          expect(z.every((x) => x === 0)).toBe(true);
          continue;
        }
        if (Math.max(...column(X, j)) - Math.min(...column(X, j)) < 1e-300) {
          expect(z.every((x) => Math.abs(x) <= Math.sqrt(z.length))).toBe(true); // perhaps too little to divide by
          continue;
        }
        const mean = z.reduce((a, b) => a + b) / z.length;
        const variance = z.reduce((a, b) => a + (b - mean) ** 2, 0) / z.length;
        expect(variance).toBeCloseTo(1, 9);
        // the mean's last place, seen in units of the deviation
        const deviation = fitScaling(X, "standard").scales[j];
        const most = Math.max(...column(X, j).map(Math.abs));
        expect(Math.abs(mean)).toBeLessThan(1e-14 + (4e-16 * most) / deviation);
      }
    }),
  );
});

test.each([
  ["neighbouring numbers", [1e6, 1e6 + 2 ** -33]],
  ["neighbouring numbers, unevenly", [1, 1, 1, 1 + 2 ** -52]],
  ["the smallest normal numbers", [0, 2 ** -1020]],
])("standard: %s are spread to variance 1", (_, values) => {
  const X = values.map((x) => [x]);
  const z = applyScaling(fitScaling(X, "standard"), X).data;
  const mean = z.reduce((a, b) => a + b) / z.length;
  expect(z.reduce((a, b) => a + (b - mean) ** 2, 0) / z.length).toBeCloseTo(1, 12);
});

test("standard: numbers that differ by less than can be divided by give no NaN and no infinity", () => {
  const X = Array.from({ length: 100 }, (_, i) => [i === 0 ? Number.MIN_VALUE : 0]);
  expect(applyScaling(fitScaling(X, "standard"), X).data.every((z) => Math.abs(z) < 1e-300)).toBe(true);
});

test("unit-rows: every row has length 1, rows of zeros stay", () => {
  fc.assert(
    fc.property(matrix, (X) => {
      const Z = applyScaling(fitScaling(X, "unit-rows"), X);
      for (let i = 0; i < X.rows; i++) {
        const row = X.data.slice(i * X.columns, (i + 1) * X.columns);
        const scaled = Z.data.slice(i * X.columns, (i + 1) * X.columns);
        const length = Math.sqrt(scaled.reduce((a, b) => a + b * b, 0));
        if (row.every((x) => x === 0)) expect(scaled.every((x) => x === 0)).toBe(true);
        else expect(length).toBeCloseTo(1, 12);
      }
    }),
  );
});

test.each<[ScalingMethod, number]>([
  ["max-abs", 1e300],
  ["standard", 1e200],
  ["unit-rows", 1e300],
  ["max-abs", 1e-300],
  ["standard", 1e-200],
  ["unit-rows", 1e-300],
])("%s: numbers of size %d neither overflow nor vanish", (method, size) => {
  const scale = (by: number) => {
    const X = [
      [1 * by, 2 * by],
      [3 * by, -2 * by],
      [2 * by, 5 * by],
    ];
    return applyScaling(fitScaling(X, method), X).data;
  };
  const expected = scale(1);
  scale(size).forEach((z, k) => {
    expect(z).toBeCloseTo(expected[k], 12);
  });
});

test("the scaling of the training data is applied to other data", () => {
  const scaling = fitScaling([[0], [10]], "standard");
  expect(Array.from(applyScaling(scaling, [[5], [20]]).data)).toEqual([0, 3]);
  expect(structuredClone(scaling)).toEqual(scaling);
});

test("a mean keeps its digits beside an outlier in the first row", () => {
  const data = [[1e16], ...Array.from({ length: 999 }, (_, i) => [i / 7])];
  const exact = 1e13 + (998 * 999) / 2 / 7 / 1000;
  expect(Math.abs(fitScaling(data, "standard").offsets[0] - exact)).toBeLessThan(0.01);
});

test("data that leave the range of float64 on their way are refused", () => {
  expect(() => fitScaling([[1.7e308], [-1.7e308]], "standard")).toThrowError("spread over more than float64");
  const narrow = fitScaling([[1e-300], [2e-300]], "standard");
  expect(() => applyScaling(narrow, [[0], [1e300]])).toThrowError(
    "the scaled data has Infinity at row 1, column 0",
  );
});

test("bad input is refused", () => {
  expect(() => fitScaling(zeros(0, 3), "max-abs")).toThrowError("data has no rows");
  expect(() => fitScaling([[1], [Number.NaN]], "max-abs")).toThrowError("data has NaN at row 1, column 0");
  const unknown: string = "robust";
  expect(() => fitScaling([[1]], unknown as ScalingMethod)).toThrowError('method must be one of "max-abs"');
  expect(() => applyScaling(fitScaling([[1, 2]], "max-abs"), [[1]])).toThrowError(
    "fitted on 2 columns; data has 1",
  );
});

test("what is no scaling is refused", () => {
  const scaling = fitScaling([[1, 2]], "max-abs");
  for (const given of [undefined, null, 3, {}, { ...scaling, scales: [1, 1] }, { ...scaling, offsets: "x" }])
    expect(() => applyScaling(given as never, [[1, 2]])).toThrowError(
      "scaling must be what fitScaling returned",
    );
});
