import { RandomGenerator } from "@curvature/linalg";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Frame, frameOf } from "../../../../src/embedding/repulsion/grid/frame.js";
import { Placement } from "../../../../src/embedding/repulsion/grid/placement.js";

const usual = 0.5;

function frame(x: Float64Array, y: Float64Array): Frame | undefined {
  return frameOf(x, y, usual, new Float64Array(x.length));
}

/** Points outside of the frame. */
function outside(x: Float64Array, y: Float64Array, given: Frame): number {
  const placement = new Placement(x.length);
  placement.place(x, y, given);
  return placement.outsideCount;
}

function evenly(N: number, extent: number, seed: number): Float64Array {
  const random = new RandomGenerator(seed);
  return Float64Array.from({ length: N }, () => extent * (random.uniform() - 0.5));
}

test("never more nodes than 1,536 along an axis, nor more than 100 points outside per axis", () => {
  const numbers = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), {
    minLength: 2,
    maxLength: 500,
  });
  const scales = fc.double({ noNaN: true, min: -10, max: 160 });
  fc.assert(
    fc.property(numbers, scales, (values, scale) => {
      const points = values.map((value, k) => (k % 2 === 0 ? (value % 1) * 10 ** scale : value));
      const x = Float64Array.from(points);
      const y = Float64Array.from(points).reverse();
      const given = frame(x, y);
      if (given === undefined) return;
      expect(given.spacing).toBeLessThanOrEqual(usual);
      expect(Math.max(given.rows, given.columns)).toBeLessThanOrEqual(1536);
      expect(outside(x, y, given)).toBeLessThanOrEqual(200);
    }),
    { seed: 2 },
  );
});

test("a few stray points do not stretch the grid; many do, as far as it goes", () => {
  const N = 20_000;
  const [x, y] = [evenly(N, 100, 1), evenly(N, 100, 2)];
  const alone = frame(x, y);
  x.set(evenly(100, 1e150, 3));
  const stray = frame(x, y);
  expect(stray?.rows).toBeLessThanOrEqual(2 * (alone?.rows ?? 0));
  expect(stray !== undefined && outside(x, y, stray)).toBe(100);
  x.set(evenly(101, 1e150, 3));
  expect(frame(x, y)).toBeUndefined();
  x.set(evenly(150, 700, 3));
  expect(frame(x, y)?.rows).toBe(1536);
});

test("half of the points far away, and points all over a huge area, are no grid's business", () => {
  const N = 5000;
  const y = evenly(N, 50, 4);
  const halves = Float64Array.from({ length: N }, (_, n) => (n % 2) * 1e6 + y[n]);
  expect(frame(halves, y)).toBeUndefined();
  expect(frame(evenly(N, 1e9, 5), evenly(N, 1e9, 6))).toBeUndefined();
});

test("a small map has a finer spacing", () => {
  const given = frame(evenly(300, 1, 7), evenly(300, 1, 8));
  expect(given?.spacing).toBeLessThan(0.05);
  expect(given?.rows).toBeLessThanOrEqual(64);
});

test("few points far apart get no grid of many nodes", () => {
  const few = frame(evenly(300, 700, 9), evenly(300, 700, 10));
  expect(few).toBeUndefined();
  const narrow = frame(evenly(300, 120, 9), evenly(300, 120, 10));
  expect(narrow?.rows).toBe(256);
  expect(frame(evenly(25_000, 700, 9), evenly(25_000, 700, 10))?.rows).toBe(1536);
});
