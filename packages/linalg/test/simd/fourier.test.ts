import { EvenConvolution, Fft, fillNormal, RandomGenerator } from "@curvature/linalg";
import { disableSimd, enableSimd } from "@curvature/linalg/simd";
import { afterEach, expect, test, vi } from "vitest";
import { expectSameBits, inBothForms } from "./both-forms.js";

afterEach(() => {
  vi.restoreAllMocks();
  disableSimd();
});

const random = new RandomGenerator(9);
function drawn(count: number): Float64Array {
  const numbers = new Float64Array(count);
  fillNormal(random, numbers);
  return numbers;
}

/** With passes of one radix, of several, in an even and an odd number; SIMD serves no odd batches. */
test.each([
  [256, 16],
  [512, 16],
  [1024, 4],
  [480, 16],
  [900, 10],
  [2000, 3],
  [4096, 1],
  [625, 16],
  [64, 2],
])("length %i, %i side by side", { tags: ["full"] }, (length, batch) => {
  const [re, im] = [drawn(length * batch), drawn(length * batch)];
  const { simd, typescript } = inBothForms(() => {
    const fft = new Fft(length, batch);
    const [forthRe, forthIm] = [re.slice(), im.slice()];
    fft.transform(forthRe, forthIm);
    fft.re.set(re);
    fft.im.set(im);
    fft.transform(fft.re, fft.im);
    const [ownRe, ownIm] = [fft.re.slice(), fft.im.slice()];
    fft.transform(fft.im, fft.re);
    return [forthRe, forthIm, ownRe, ownIm, fft.re.slice(), fft.im.slice()];
  });
  for (const [k, numbers] of simd.entries()) expectSameBits(numbers, typescript[k]);
  const [forthRe, forthIm, ownRe, ownIm, backRe, backIm] = typescript;
  expectSameBits(ownRe, forthRe);
  expectSameBits(ownIm, forthIm);
  const largest = re.reduce((most, entry, k) => Math.max(most, Math.abs(entry), Math.abs(im[k])), 0);
  for (let k = 0; k < re.length; k++) {
    expect(Math.abs(backRe[k] / length - re[k])).toBeLessThan(1e-13 * largest);
    expect(Math.abs(backIm[k] / length - im[k])).toBeLessThan(1e-13 * largest);
  }
});

test.each([
  [200, 300, 400, 600],
  [129, 127, 256, 256],
  [250, 131, 270, 150],
  [128, 90, 128, 90],
  [4000, 1, 8000, 2],
  [2, 3001, 6, 6250],
])(
  "a grid of %i x %i in %i x %i is convolved to the same bits",
  (rows, columns, paddedRows, paddedColumns) => {
    const kernel = drawn((paddedRows / 2 + 1) * (paddedColumns / 2 + 1));
    const grid = drawn(rows * columns);
    const { simd, typescript } = inBothForms(() => {
      const field = grid.slice();
      new EvenConvolution({ rows, columns, paddedRows, paddedColumns }, kernel).apply(field);
      return field;
    });
    expectSameBits(simd, typescript);
  },
);

test("where there is no memory, TypeScript transforms", () => {
  const [re, im] = [drawn(4096), drawn(4096)];
  const expected = [re.slice(), im.slice()];
  new Fft(256, 16).transform(expected[0], expected[1]);
  enableSimd();
  vi.spyOn(WebAssembly, "Memory").mockImplementation(function none() {
    throw new RangeError("no memory");
  });
  const fft = new Fft(256, 16);
  fft.transform(re, im);
  expect(fft.re.buffer.byteLength).toBe(8 * 4096); // no view of another memory
  expectSameBits(re, expected[0]);
  expectSameBits(im, expected[1]);
});
