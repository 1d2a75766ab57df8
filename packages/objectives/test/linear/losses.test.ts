/** Every loss: its slope and curvature against differences, its formula, its bound, and its behaviour far out. */
import { linearLoss, linearLossNames } from "@curvature/objectives/linear";
import { describe, expect, test } from "vitest";

const all = linearLossNames.flatMap((name) =>
  name === "smoothed-hinge" || name === "huber"
    ? [linearLoss(name), linearLoss(name, { width: 0.3 })]
    : [linearLoss(name)],
);
const targetsOf = (task: string) => (task === "classification" ? [-1, 1] : [-0.7, 0, 2.5]);
/** Away from every kink (at distances 0, ±0.3, ±1, 2 of the target or margin). */
const scores = [-40, -5.3, -1.57, -0.61, 0.13, 0.44, 0.83, 1.57, 3.9, 31];

describe.each(all)("$name (width $width)", (loss) => {
  const points = targetsOf(loss.task).flatMap((y) => scores.map((s) => ({ s, y })));

  test("slope and curvature are the derivatives of the value", () => {
    const h = 1e-6;
    for (const { s, y } of points) {
      const slope = (loss.value(s + h, y) - loss.value(s - h, y)) / (2 * h);
      const curvature = (loss.slope(s + h, y) - loss.slope(s - h, y)) / (2 * h);
      // central differences of width h: truncation h², rounding 1e-16 |l| / h
      expect(Math.abs(loss.slope(s, y) - slope)).toBeLessThanOrEqual(1e-9 * (1 + Math.abs(loss.value(s, y))));
      expect(Math.abs(loss.curvature(s, y) - curvature)).toBeLessThanOrEqual(1e-8);
    }
  });

  test("it is convex, not negative, and curves no more than its bound", () => {
    for (const { s, y } of points) {
      expect(loss.value(s, y)).toBeGreaterThanOrEqual(0);
      expect(loss.slope(s + 0.37, y)).toBeGreaterThanOrEqual(loss.slope(s, y));
      expect(loss.curvature(s, y)).toBeLessThanOrEqual(loss.curvatureBound);
      expect(loss.curvature(s, y)).toBeGreaterThanOrEqual(0);
      const rise = Math.abs(loss.slope(s + 0.37, y) - loss.slope(s, y));
      expect(rise).toBeLessThanOrEqual(0.37 * loss.curvatureBound * (1 + 1e-12));
    }
  });

  test("an implicit step solves its equation, and of length 0 it is the slope", () => {
    for (const { s, y } of points) {
      expect(loss.implicitSlope(s, y, 0)).toBe(loss.slope(s, y));
      for (const a of [1e-6, 0.01, 0.3, 1, 7, 200, 1e6]) {
        const slope = loss.implicitSlope(s, y, a);
        const u = s - a * slope;
        // l' is monotone, so it must lie between the slopes on both sides of u (at a kink they differ)
        const around = 1e-9 * (1 + Math.abs(s) + a);
        expect(slope).toBeGreaterThanOrEqual(loss.slope(u - around, y) - 1e-8);
        expect(slope).toBeLessThanOrEqual(loss.slope(u + around, y) + 1e-8);
        expect(Math.abs(slope)).toBeLessThanOrEqual(Math.abs(loss.slope(s, y)));
      }
    }
  });

  test("far out it stays finite", () => {
    for (const y of targetsOf(loss.task)) {
      for (const s of [-1e100, -1e5, 1e5, 1e100]) {
        expect(Number.isFinite(loss.value(s, y))).toBe(true);
        expect(Number.isFinite(loss.slope(s, y))).toBe(true);
        expect(Number.isFinite(loss.curvature(s, y))).toBe(true);
      }
    }
  });
});

test("values by hand", () => {
  expect(linearLoss("hinge").value(0.25, 1)).toBe(0.75);
  expect(linearLoss("hinge").slope(1, 1)).toBe(0);
  expect(linearLoss("squared-hinge").value(-1, 1)).toBe(2);
  expect(linearLoss("smoothed-hinge").value(-1, 1)).toBe(1.5);
  expect(linearLoss("smoothed-hinge", { width: 0.5 }).value(0.75, 1)).toBe(0.0625);
  expect(linearLoss("logistic").value(0, -1)).toBe(Math.LN2);
  expect(linearLoss("logistic").value(-3, 1)).toBeCloseTo(Math.log(1 + Math.exp(3)), 14);
  expect(linearLoss("modified-huber").value(-2, 1)).toBe(8);
  expect(linearLoss("modified-huber").value(0.5, 1)).toBe(0.25);
  expect(linearLoss("squared-error").value(3, 1)).toBe(2);
  expect(linearLoss("huber").value(3, 1)).toBe(1.5);
  expect(linearLoss("huber", { width: 2 }).value(-4, 1)).toBe(8);
});

test("the logistic loss keeps its digits where it is small", () => {
  const { value, slope } = linearLoss("logistic");
  for (const m of [20, 40, 300, 700]) {
    expect(Math.abs(value(m, 1) / Math.exp(-m) - 1)).toBeLessThan(3e-9); // log(1 + e) = e − e²/2 …
    expect(Math.abs(slope(m, 1) / -Math.exp(-m) - 1)).toBeLessThan(3e-9);
    expect(value(-m, 1)).toBe(m + value(m, 1));
  }
});

test("names and widths that are none are refused", () => {
  // @ts-expect-error: an unknown name
  expect(() => linearLoss("hing")).toThrowError(/name must be one of hinge, squared-hinge/);
  expect(() => linearLoss("huber", { width: 0 })).toThrowError(/width must be a finite number above 0/);
  // @ts-expect-error: an unknown option
  expect(() => linearLoss("huber", { widht: 1 })).toThrowError(/Did you mean "width"/);
  expect(linearLossNames).toHaveLength(7);
});
