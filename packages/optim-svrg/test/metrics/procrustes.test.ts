import { CurvatureError, type MatrixLike, multiplyTranspose, toDense } from "@curvature/linalg";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { procrustes } from "../../src/index.js";

const coordinate = fc.double({ min: -100, max: 100, noNaN: true });
/** n × p with points that are not all the same. */
const map = (p: number) =>
  fc
    .array(fc.array(coordinate, { minLength: p, maxLength: p }), { minLength: p + 2, maxLength: 12 })
    .filter((rows) => rows.some((row) => row.some((x, t) => Math.abs(x - rows[0][t]) > 1e-3)));
const pair = fc
  .integer({ min: 1, max: 4 })
  .chain((p) =>
    map(p).chain((A) =>
      fc.tuple(
        fc.constant(A),
        fc.array(fc.array(coordinate, { minLength: p, maxLength: p }), {
          minLength: A.length,
          maxLength: A.length,
        }),
      ),
    ),
  )
  .filter(([, B]) => B.some((row) => row.some((x, t) => Math.abs(x - B[0][t]) > 1e-3)));

/** Turned by two angles, reflected if asked for, scaled and moved; 3 columns. */
function moved(
  rows: readonly (readonly number[])[],
  angle: number,
  scale: number,
  reflect: boolean,
): number[][] {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return rows.map(([x, y, z]) => {
    const [u, v] = [c * x - s * y, s * x + c * y];
    const [w, q] = [c * v - s * z, s * v + c * z];
    return [scale * u + 3, scale * (reflect ? -w : w) - 7, scale * q + 0.5];
  });
}

describe("laws", () => {
  test("a map moved, turned, reflected and scaled is alike, and comes back", () => {
    fc.assert(
      fc.property(
        map(3),
        fc.double({ min: -4, max: 4, noNaN: true }),
        fc.double({ min: 0.01, max: 50, noNaN: true }),
        fc.boolean(),
        (A, angle, scale, reflect) => {
          const { disparity, aligned } = procrustes(A, moved(A, angle, scale, reflect));
          // Extents below √ε of the size are lost in the products, and may be turned either way.
          expect(disparity).toBeLessThan(1e-14);
          aligned.data.forEach((x, k) => {
            expect(Math.abs(x - A[Math.floor(k / 3)][k % 3])).toBeLessThan(1e-5);
          });
        },
      ),
    );
  });

  test("the disparity is from 0 to 1, the same from both sides, and that of what is returned", () => {
    fc.assert(
      fc.property(pair, ([A, B]) => {
        const there = procrustes(A, B);
        const back = procrustes(B, A);
        expect(there.disparity).toBeGreaterThanOrEqual(0);
        expect(there.disparity).toBeLessThan(1 + 1e-12);
        expect(there.disparity).toBeCloseTo(back.disparity, 9);
        const target = toDense(A);
        const p = target.columns;
        const mean = Array.from({ length: p }, (_, t) => A.reduce((sum, row) => sum + row[t] / A.length, 0));
        const share = (data: Float64Array): number =>
          data.reduce((sum, x, k) => sum + (target.data[k] - x) ** 2, 0);
        const whole = share(Float64Array.from(target.data, (_, k) => mean[k % p]));
        expect(share(there.aligned.data) / whole).toBeCloseTo(there.disparity, 9);
      }),
    );
  });

  test("the rotation is orthogonal, and scale, rotation and translation make the aligned map", () => {
    fc.assert(
      fc.property(pair, fc.boolean(), fc.boolean(), ([A, B], scaling, reflection) => {
        const { rotation, scale, translation, aligned } = procrustes(A, B, { scaling, reflection });
        const p = translation.length;
        multiplyTranspose(rotation, rotation).data.forEach((x, k) => {
          expect(x).toBeCloseTo(k % (p + 1) === 0 ? 1 : 0, 9);
        });
        if (!scaling) expect(scale).toBe(1);
        B.forEach((row, n) => {
          for (let t = 0; t < p; t++) {
            const x =
              translation[t] + scale * row.reduce((sum, b, s) => sum + b * rotation.data[s * p + t], 0);
            expect(Math.abs(x - aligned.data[n * p + t])).toBeLessThan(1e-7);
          }
        });
      }),
    );
  });

  test("less freedom is never better", () => {
    fc.assert(
      fc.property(pair, ([A, B]) => {
        const free = procrustes(A, B).disparity;
        for (const options of [
          { scaling: false },
          { reflection: false },
          { scaling: false, reflection: false },
        ])
          expect(procrustes(A, B, options).disparity).toBeGreaterThan(free - 1e-12);
      }),
    );
  });
});

test("a reflection is one only where it is allowed", () => {
  const A = [
    [0, 0],
    [4, 0],
    [0, 1],
    [3, 5],
  ];
  const B = A.map(([x, y]) => [-x, y]);
  expect(procrustes(A, B).disparity).toBeLessThan(1e-20);
  const { disparity, rotation } = procrustes(A, B, { reflection: false });
  expect(disparity).toBeGreaterThan(0.1);
  const [a, b, c, d] = rotation.data;
  expect(a * d - b * c).toBeCloseTo(1, 12);
});

test("points on a line, and numbers of any size", () => {
  const line = [
    [0, 0, 0],
    [1, 1, 1],
    [2, 2, 2],
    [5, 5, 5],
  ];
  const axis = line.map(([x]) => [x, 0, 0]);
  expect(procrustes(line, axis).disparity).toBeLessThan(1e-25);
  const vast = axis.map((row) => row.map((x) => 1e200 * x));
  expect(procrustes(line, vast).disparity).toBeLessThan(1e-25);
  expect(procrustes(vast, line).aligned.data[9]).toBeCloseTo(5e200, -190);
});

test.each<[string, MatrixLike, MatrixLike, string]>([
  [
    "other rows",
    [
      [0, 1],
      [1, 0],
    ],
    [[0, 1]],
    "ERR_SHAPE",
  ],
  [
    "other columns",
    [
      [0, 1],
      [1, 0],
    ],
    [[0], [1]],
    "ERR_SHAPE",
  ],
  ["nothing", [], [], "ERR_SHAPE"],
  [
    "NaN",
    [
      [0, 1],
      [1, Number.NaN],
    ],
    [
      [0, 1],
      [1, 0],
    ],
    "ERR_NON_FINITE",
  ],
  [
    "one place for all",
    [
      [0, 1],
      [1, 0],
    ],
    [
      [3, 3],
      [3, 3],
    ],
    "ERR_ARGUMENT",
  ],
  [
    "a place of rounding",
    [
      [0, 1],
      [1, 0],
    ],
    [
      [0.1 + 0.2, 3],
      [0.3, 3],
    ],
    "ERR_ARGUMENT",
  ],
  [
    "too far apart",
    [
      [1.7e308, 1],
      [1.7e308, 1],
      [-1.7e308, 0],
    ],
    [
      [0, 1],
      [1, 0],
      [0, 0],
    ],
    "ERR_ARGUMENT",
  ],
])("%s is refused", (_, A, B, code) => {
  expect(() => procrustes(A, B)).toThrow(expect.objectContaining({ name: "CurvatureError", code }));
  expect(() => procrustes(A, B)).toThrow(CurvatureError);
});
