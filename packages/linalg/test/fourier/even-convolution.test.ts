import { expect, test, vi } from "vitest";
import { EvenConvolution } from "../../src/fourier/even-convolution.js";
import { fillNormal, RandomGenerator } from "../../src/random/generator.js";

const kernelAt = (i: number, j: number) => 1 / (1 + 0.3 * i * i + 0.2 * j * j);

/** Distances wrap. */
const apart = (a: number, b: number, period: number) => Math.min(Math.abs(a - b), period - Math.abs(a - b));

function kernelOf(P: number, Q: number): Float64Array {
  const kernel = new Float64Array((P / 2 + 1) * (Q / 2 + 1));
  for (let i = 0, at = 0; i <= P / 2; i++) for (let j = 0; j <= Q / 2; j++, at++) kernel[at] = kernelAt(i, j);
  return kernel;
}

test.each([
  [1, 1, 2, 2],
  [2, 5, 4, 10],
  [5, 3, 10, 6],
  [33, 40, 72, 80],
  [70, 17, 150, 36],
  [6, 9, 8, 10],
  [30, 1, 50, 2],
  [8, 20, 8, 20],
])("a grid of %i x %i in %i x %i is convolved as by the definition", (rows, columns, P, Q) => {
  const grid = new Float64Array(rows * columns);
  fillNormal(new RandomGenerator(rows), grid);
  const expected = grid.map((_, at) => {
    let sum = 0;
    for (let i = 0; i < rows; i++)
      for (let j = 0; j < columns; j++)
        sum +=
          kernelAt(apart(Math.floor(at / columns), i, P), apart(at % columns, j, Q)) * grid[i * columns + j];
    return sum;
  });
  const shape = { rows, columns, paddedRows: P, paddedColumns: Q };
  const convolution = new EvenConvolution(shape, kernelOf(P, Q));
  for (let times = 0; times < 2; times++) {
    const out = grid.slice();
    convolution.apply(out);
    for (let k = 0; k < out.length; k++) expect(out[k]).toBeCloseTo(expected[k], 11);
  }
});

test("a shape that is changed for the next convolution is not that of the first", () => {
  const shape = { rows: 3, columns: 4, paddedRows: 6, paddedColumns: 8 };
  const kernel = kernelOf(6, 8);
  const first = new EvenConvolution(shape, kernel);
  const grid = Float64Array.from({ length: 12 }, (_, k) => k % 5);
  const [before, after] = [grid.slice(), grid.slice()];
  first.apply(before);
  Object.assign(shape, { rows: 4, columns: 3 });
  first.apply(after);
  expect(after).toEqual(before);
  expect(first.shape).toEqual({ rows: 3, columns: 4, paddedRows: 6, paddedColumns: 8 });
});

test("the gain multiplies each frequency", () => {
  const shape = { rows: 4, columns: 4, paddedRows: 8, paddedColumns: 8 };
  const grid = Float64Array.from({ length: 16 }, (_, k) => k % 5);
  const [once, twice] = [grid.slice(), grid.slice()];
  new EvenConvolution(shape, kernelOf(8, 8)).apply(once);
  new EvenConvolution(shape, kernelOf(8, 8), () => 2).apply(twice);
  for (let k = 0; k < 16; k++) expect(twice[k]).toBeCloseTo(2 * once[k], 12);
});

test("a gain that is no finite number is refused, its frequencies named", () => {
  const shape = { rows: 3, columns: 3, paddedRows: 6, paddedColumns: 6 };
  for (const bad of [Number.NaN, Number.NEGATIVE_INFINITY, undefined, "2"]) {
    const gain = (i: number, j: number): unknown => (i === 1 && j === 2 ? bad : 1);
    expect(() => Reflect.construct(EvenConvolution, [shape, kernelOf(6, 6), gain])).toThrow(
      expect.objectContaining({
        code: "ERR_NON_FINITE",
        path: "gain",
        message: expect.stringContaining("(1, 2)"),
      }),
    );
  }
});

test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
  "a kernel with %d is refused with its place",
  (bad) => {
    const kernel = kernelOf(6, 6);
    kernel[6] = bad;
    expect(
      () => new EvenConvolution({ rows: 3, columns: 3, paddedRows: 6, paddedColumns: 6 }, kernel),
    ).toThrow(
      expect.objectContaining({
        code: "ERR_NON_FINITE",
        path: "kernel",
        message: expect.stringContaining("for (1, 2)"),
      }),
    );
  },
);

test("a kernel whose sums overflow is refused", () => {
  const shape = { rows: 3, columns: 3, paddedRows: 6, paddedColumns: 6 };
  const error = expect.objectContaining({ code: "ERR_NON_FINITE", path: "spectrum" });
  expect(() => new EvenConvolution(shape, new Float64Array(16).fill(1e308))).toThrow(error);
  expect(() => new EvenConvolution(shape, new Float64Array(16).fill(9), () => Number.MAX_VALUE)).toThrow(
    error,
  );
});

test("a kernel that there is no memory to transform in is told as such", () => {
  const shape = { rows: 3, columns: 4, paddedRows: 16, paddedColumns: 24 };
  const kernel = kernelOf(16, 24);
  const scarce = new Proxy(Float64Array, {
    construct(target, parts, newTarget) {
      if (parts[0] === kernel.length) throw new RangeError("Array buffer allocation failed");
      return Reflect.construct(target, parts, newTarget);
    },
  });
  vi.stubGlobal("Float64Array", scarce);
  try {
    expect(() => new EvenConvolution(shape, kernel)).toThrow(
      expect.objectContaining({ code: "ERR_MEMORY", path: "EvenConvolution" }),
    );
  } finally {
    vi.unstubAllGlobals();
  }
});

test("a gain that is no function is refused", () => {
  const shape = { rows: 3, columns: 3, paddedRows: 6, paddedColumns: 6 };
  for (const bad of [2, null, {}])
    expect(() => Reflect.construct(EvenConvolution, [shape, kernelOf(6, 6), bad])).toThrow(
      expect.objectContaining({ code: "ERR_ARGUMENT", path: "gain" }),
    );
});

test("wrong shapes are told", () => {
  const good = { rows: 3, columns: 3, paddedRows: 6, paddedColumns: 6 };
  for (const bad of [{ paddedRows: 2 }, { paddedColumns: 5 }, { rows: 0 }, { columns: 1.5 }])
    expect(() => new EvenConvolution({ ...good, ...bad }, new Float64Array(16))).toThrow(
      expect.objectContaining({ code: "ERR_SHAPE", path: "shape" }),
    );
  expect(() => new EvenConvolution(good, new Float64Array(15))).toThrow(
    expect.objectContaining({ code: "ERR_SHAPE", path: "kernel" }),
  );
  expect(() => new EvenConvolution(good, new Float64Array(16)).apply(new Float64Array(8))).toThrow(
    expect.objectContaining({ code: "ERR_SHAPE", path: "grid" }),
  );
  const make = (shape: unknown, kernel: unknown) => () => Reflect.construct(EvenConvolution, [shape, kernel]);
  for (const bad of [undefined, null, 3])
    expect(make(bad, new Float64Array(16))).toThrow(
      expect.objectContaining({ code: "ERR_SHAPE", path: "shape" }),
    );
  for (const bad of [undefined, null, new Array(16).fill(1)])
    expect(make(good, bad)).toThrow(expect.objectContaining({ code: "ERR_SHAPE", path: "kernel" }));
  expect(() => new EvenConvolution({ ...good, paddedRows: 14 }, new Float64Array(32))).toThrow(
    expect.objectContaining({
      code: "ERR_OPTION",
      path: "paddedRows",
      message: expect.stringContaining("14"),
    }),
  );
});
