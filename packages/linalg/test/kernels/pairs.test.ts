import {
  CurvatureError,
  exp,
  fillNormal,
  type PairKernel,
  type PairPrecision,
  PlanePairs,
  RandomGenerator,
} from "@curvature/linalg";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { blockCount, blockStart } from "../../src/kernels/pairs.js";
import { expectSameBits, inBothForms } from "../simd/both-forms.js";

const kernelNames = ["student", "gaussian"] as const;
const strange = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0, 1e308, 1e154, 5e-324];

interface Plane {
  readonly x: Float64Array;
  readonly y: Float64Array;
}

function planeOf(points: number, seed: number, extent = 3): Plane {
  const random = new RandomGenerator(seed);
  const plane = { x: new Float64Array(points), y: new Float64Array(points) };
  for (const numbers of [plane.x, plane.y]) {
    fillNormal(random, numbers);
    for (let n = 0; n < points; n++) numbers[n] *= extent;
  }
  return plane;
}

function computed(kernel: PairKernel, { x, y }: Plane, precision?: PairPrecision) {
  const pairs = new PlanePairs(kernel, x.length, precision);
  const fx = new Float64Array(x.length).fill(7); // to be overwritten
  const fy = new Float64Array(x.length).fill(7);
  const alone = pairs.sum(x, y);
  const S = pairs.forces(x, y, fx, fy);
  return { alone, S, fx, fy };
}

/** −K′ and K, pair by pair in whatever order. */
function naive(kernel: PairKernel, { x, y }: Plane) {
  const N = x.length;
  const fx = new Float64Array(N);
  const fy = new Float64Array(N);
  let S = 0;
  for (let n = 0; n < N; n++) {
    for (let m = 0; m < N; m++) {
      const dx = x[n] - x[m];
      const dy = y[n] - y[m];
      const t = dx * dx + dy * dy;
      const k = kernel === "student" ? 1 / (1 + t) : exp(-t);
      const slope = kernel === "student" ? -k * k : -k;
      if (m < n) S += k;
      if (m === n) continue;
      fx[n] += slope * dx;
      fy[n] += slope * dy;
    }
  }
  return { S, fx, fy };
}

function expectBothFormsAlike(kernel: PairKernel, plane: Plane, precision: PairPrecision): void {
  const { simd, typescript } = inBothForms(() => computed(kernel, plane, precision));
  expectSameBits(simd.fx, typescript.fx);
  expectSameBits(simd.fy, typescript.fy);
  expect(simd.S).toBe(typescript.S);
  expect(simd.alone).toBe(typescript.alone);
  expect(typescript.alone).toBe(typescript.S); // one order of additions, with forces or without
}

const cases = kernelNames.flatMap((kernel) =>
  (["double", "single"] as const).map((precision) => ({ kernel, precision })),
);

describe.each(cases)("$kernel, $precision precision", ({ kernel, precision }) => {
  test("both forms give the same bits: any number of points, duplicates, far points, no numbers", {
    tags: ["full"],
  }, () => {
    const size = fc.oneof(fc.constantFrom(0, 1, 2, 3, 31, 32, 33, 127, 128, 129, 257), fc.nat(400));
    const extent = fc.constantFrom(0, 1e-170, 1e-3, 1, 10, 300, 1e9, 1e160);
    fc.assert(
      fc.property(size, extent, fc.nat(1000), fc.constantFrom(0, 0, 2), (points, extent, seed, oddities) => {
        const plane = planeOf(points, seed, extent);
        const random = new RandomGenerator(seed);
        for (let k = 0; k < 3 && points > 0; k++) {
          const [to, from] = [random.integer(points), random.integer(points)];
          plane.x[to] = plane.x[from];
          plane.y[to] = plane.y[from];
        }
        for (let k = 0; k < oddities && points > 0; k++)
          plane.x[random.integer(points)] = strange[random.integer(strange.length)];
        expectBothFormsAlike(kernel, plane, precision);
      }),
      { numRuns: 100 },
    );
  });

  test("and over many blocks", { tags: ["full"] }, () => {
    expectBothFormsAlike(kernel, planeOf(2500, 5, 8), precision);
  });
});

describe.each(kernelNames)("%s", (kernel) => {
  test.each([2, 3, 50, 301, 900])(
    "%i points: the sums over all pairs, to rounding",
    { tags: ["full"] },
    (points) => {
      const plane = planeOf(points, points);
      const expected = naive(kernel, plane);
      const { S, fx, fy } = computed(kernel, plane);
      // sums of N² / 2 terms, and N terms, of one sign or of magnitudes at most 1: some 1e-16 each, at random
      expect(Math.abs(S - expected.S)).toBeLessThanOrEqual(1e-15 * points * expected.S);
      for (let n = 0; n < points; n++) {
        expect(Math.abs(fx[n] - expected.fx[n])).toBeLessThanOrEqual(2e-16 * points);
        expect(Math.abs(fy[n] - expected.fy[n])).toBeLessThanOrEqual(2e-16 * points);
      }
    },
  );

  test("the forces add up to nothing, and do not change when all points move alike", () => {
    const plane = planeOf(333, 9);
    const { S, fx, fy } = computed(kernel, plane);
    for (const f of [fx, fy]) expect(Math.abs(f.reduce((sum, force) => sum + force, 0))).toBeLessThan(1e-11);
    // a power of two far above the coordinates, which it costs some bits
    const moved = computed(kernel, { x: plane.x.map((x) => x + 1024), y: plane.y });
    expect(Math.abs(moved.S - S)).toBeLessThan(1e-11 * S);
    for (let n = 0; n < 333; n++) expect(Math.abs(moved.fx[n] - fx[n])).toBeLessThan(1e-10);
  });
});

describe.each(kernelNames)("%s in single precision", (kernel) => {
  test.each([1.5, 3, 10, 40])("is good to some 1e-6 on maps of size %f", { tags: ["full"] }, (extent) => {
    const plane = planeOf(900, 12, extent);
    const expected = naive(kernel, plane);
    const { S, fx, fy } = computed(kernel, plane, "single");
    expect(Math.abs(S - expected.S)).toBeLessThanOrEqual(1e-6 * expected.S);
    const size = Math.sqrt([...expected.fx, ...expected.fy].reduce((sum, f) => sum + f * f, 0) / 1800);
    const reach = Math.max(...plane.x.map(Math.abs), ...plane.y.map(Math.abs));
    const most = 5e-6 * size + 2 ** -23 * reach; // rounding moves a point by up to 2^-24 of its distance from the mean
    for (let n = 0; n < 900; n++) {
      expect(Math.abs(fx[n] - expected.fx[n])).toBeLessThanOrEqual(most);
      expect(Math.abs(fy[n] - expected.fy[n])).toBeLessThanOrEqual(most);
    }
  });

  test("a map far from the origin is the same map", () => {
    const plane = planeOf(400, 13, 4);
    const moved = { x: plane.x.map((x) => x + 2 ** 20), y: plane.y.map((y) => y - 2 ** 21) };
    const [here, there] = [plane, moved].map((map) => computed(kernel, map, "single"));
    expect(Math.abs(there.S - here.S)).toBeLessThan(1e-6 * here.S);
    for (let n = 0; n < 400; n++) expect(Math.abs(there.fx[n] - here.fx[n])).toBeLessThan(1e-5);
  });

  test.each([
    ["wide ones", planeOf(100, 1, 1e5)],
    ["narrow ones", planeOf(100, 2, 1e-2)],
    [
      "narrow ones but for one point",
      { x: planeOf(100, 2, 1e-2).x.fill(30, 5, 6), y: planeOf(100, 3, 1e-2).y },
    ],
    ["one place", planeOf(100, 3, 0)],
    ["hardly a neighbour", { x: Float64Array.of(0, 200, 400), y: new Float64Array(3) }],
    ["no number", { x: planeOf(50, 4).x.fill(Number.NaN, 7, 8), y: planeOf(50, 4).y }],
    ["infinite ones", { x: planeOf(50, 4).x.fill(Number.POSITIVE_INFINITY, 7, 8), y: planeOf(50, 4).y }],
  ])("leaves maps to double precision that it is not for: %s", (_name, plane) => {
    const [single, double] = [computed(kernel, plane, "single"), computed(kernel, plane)];
    expectSameBits(single.fx, double.fx);
    expectSameBits(single.fy, double.fy);
    expect(single.S).toBe(double.S);
    expect(single.alone).toBe(double.alone);
  });
});

test("e^−t in single precision is within 2e-7 of itself", () => {
  // piles of 12 points on either side, d apart, whose forces are 12 e^(−d²) d, and far ones, which give the map its width
  const pairs = new PlanePairs("gaussian", 40, "single");
  const [x, y, fx, fy] = [0, 0, 0, 0].map(() => new Float64Array(40));
  for (let k = 0; k <= 2000; k++) {
    const half = Math.fround(0.1 + (3.06 * k) / 2000);
    for (let n = 0; n < 40; n++) {
      const side = n % 2 === 0 ? -1 : 1;
      x[n] = n < 24 ? side * half : 0;
      y[n] = n < 24 ? 0 : side * 100;
    }
    pairs.forces(x, y, fx, fy);
    const d = 2 * half;
    const t = Math.fround(d * d);
    expect(Math.abs(-fx[23] / (12 * Math.exp(-t) * d) - 1)).toBeLessThan(5e-7); // with the roundings of the sum
  }
});

test("both forms have e^−t of all magnitudes from `exp`, also where it is not normal any more", () => {
  const random = new RandomGenerator(4);
  const distances = [0, 708, 708.5, 745.13, 745.1332191019411, 745.1332191019412, 745.2, 745.3, 1e17, 1e300];
  for (let k = 0; k < 3000; k++) distances.push(random.uniform() * (k % 2 === 0 ? 1 : 750));
  // all but the first two points are infinitely far from each other
  const x = Float64Array.from({ length: 40 }, (_, n) => 1e200 * Math.max(0, n - 1));
  const { simd, typescript } = inBothForms(() => {
    const pairs = new PlanePairs("gaussian", 40);
    const y = new Float64Array(40);
    return distances.map((t) => {
      y[1] = Math.sqrt(t);
      return pairs.sum(x, y);
    });
  });
  const expected = distances.map((t) => exp(-(Math.sqrt(t) * Math.sqrt(t))));
  expectSameBits(Float64Array.from(simd), Float64Array.from(expected));
  expectSameBits(Float64Array.from(typescript), Float64Array.from(expected));
});

test("blocks cover all rows once, begin at even ones, and have about equally many pairs", () => {
  fc.assert(
    fc.property(fc.nat(100_000), (points) => {
      const blocks = blockCount(points);
      expect(blockStart(points, 0)).toBe(0);
      expect(blockStart(points, blocks)).toBe(points);
      for (let b = 0; b < blocks; b++) {
        const [from, to] = [blockStart(points, b), blockStart(points, b + 1)];
        expect(from % 2).toBe(0);
        expect(to).toBeGreaterThan(from);
        const pairs = (to * (to - 1) - from * (from - 1)) / 2;
        const share = (points * (points - 1)) / 2 / blocks;
        expect(Math.abs(pairs - share)).toBeLessThan(3 * points + 3); // what rounding to even rows moves
      }
    }),
  );
});

test("what is no such sum is refused", () => {
  const x = new Float64Array(3);
  const codeOf = (act: () => unknown): string | undefined => {
    try {
      act();
      return undefined;
    } catch (error) {
      return error instanceof CurvatureError ? error.code : String(error);
    }
  };
  expect(codeOf(() => Reflect.construct(PlanePairs, ["biweight", 3]))).toBe("ERR_OPTION");
  for (const points of [-1, 1.5, Number.NaN, 2 ** 40, "3"])
    expect(codeOf(() => Reflect.construct(PlanePairs, ["student", points]))).toBe("ERR_ARGUMENT");
  expect(codeOf(() => Reflect.construct(PlanePairs, ["student", 3, "half"]))).toBe("ERR_OPTION");
  const pairs = new PlanePairs("student", 3);
  expect(codeOf(() => pairs.sum(x, new Float64Array(2)))).toBe("ERR_SHAPE");
  expect(codeOf(() => Reflect.apply(pairs.sum, pairs, [x, [0, 0, 0]]))).toBe("ERR_SHAPE");
  expect(codeOf(() => Reflect.apply(pairs.sum, pairs, [x]))).toBe("ERR_SHAPE");
  expect(codeOf(() => pairs.forces(x, x, x, new Float64Array(4)))).toBe("ERR_SHAPE");
  expect(pairs.sum(x, x)).toBe(3);
});
