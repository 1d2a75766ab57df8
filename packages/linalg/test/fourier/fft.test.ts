import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { fastLength } from "../../src/fourier/fast-length.js";
import { Fft } from "../../src/fourier/fft.js";
import { fillNormal, RandomGenerator } from "../../src/random/generator.js";

/** The definition, O(n²). */
function definition(re: Float64Array, im: Float64Array): { re: Float64Array; im: Float64Array } {
  const n = re.length;
  const out = { re: new Float64Array(n), im: new Float64Array(n) };
  for (let k = 0; k < n; k++) {
    for (let j = 0; j < n; j++) {
      const angle = (-2 * Math.PI * ((j * k) % n)) / n;
      out.re[k] += re[j] * Math.cos(angle) - im[j] * Math.sin(angle);
      out.im[k] += re[j] * Math.sin(angle) + im[j] * Math.cos(angle);
    }
  }
  return out;
}

function noise(length: number, seed: number): Float64Array {
  const array = new Float64Array(length);
  fillNormal(new RandomGenerator(seed), array);
  return array;
}

describe.each([1, 2, 3, 4, 5, 6, 8, 9, 12, 16, 25, 27, 60, 64, 90, 100, 125, 240])("length %i", (n) => {
  test.each([1, 3])("is the definition's transform, in a batch of %i", (batch) => {
    const re = noise(n * batch, n);
    const im = noise(n * batch, n + 1);
    const sequences = Array.from({ length: batch }, (_, b) =>
      definition(
        Float64Array.from({ length: n }, (_, j) => re[j * batch + b]),
        Float64Array.from({ length: n }, (_, j) => im[j * batch + b]),
      ),
    );
    new Fft(n, batch).transform(re, im);
    for (let b = 0; b < batch; b++) {
      for (let k = 0; k < n; k++) {
        expect(Math.abs(re[k * batch + b] - sequences[b].re[k])).toBeLessThan(1e-13 * n);
        expect(Math.abs(im[k * batch + b] - sequences[b].im[k])).toBeLessThan(1e-13 * n);
      }
    }
  });

  test("with its arrays in each other's place it goes back", () => {
    const re = noise(n, 3);
    const im = noise(n, 4);
    const [re0, im0] = [re.slice(), im.slice()];
    const fft = new Fft(n);
    fft.transform(re, im);
    fft.transform(im, re);
    for (let j = 0; j < n; j++) {
      expect(re[j] / n).toBeCloseTo(re0[j], 13);
      expect(im[j] / n).toBeCloseTo(im0[j], 13);
    }
  });
});

test("keeps the sum of squares, times n (Parseval)", () => {
  const lengths = fc.integer({ min: 1, max: 400 }).map(fastLength);
  fc.assert(
    fc.property(lengths, fc.nat(), (n, seed) => {
      const re = noise(n, seed);
      const im = noise(n, seed + 1);
      const squares = () => re.reduce((sum, x, j) => sum + x * x + im[j] * im[j], 0);
      const before = squares();
      new Fft(n).transform(re, im);
      expect(squares() / n / before).toBeCloseTo(1, 12);
    }),
    { numRuns: 50 },
  );
});

test("fastLength gives the least even length of factors 2, 3 and 5", () => {
  expect([1, 2, 7, 11, 13, 97, 101, 1021].map(fastLength)).toEqual([2, 2, 8, 12, 16, 100, 108, 1024]);
});

test("bad lengths, batches and arrays are told", () => {
  for (const bad of [0, -2, 7, 2.5, Number.NaN, 14, "4"]) {
    // @ts-expect-error a text is not a length
    expect(() => new Fft(bad)).toThrow(expect.objectContaining({ code: "ERR_OPTION", path: "length" }));
  }
  expect(() => new Fft(4, 0)).toThrow(expect.objectContaining({ code: "ERR_OPTION", path: "batch" }));
  expect(() => new Fft(4).transform(new Float64Array(4), new Float64Array(3))).toThrow(
    expect.objectContaining({ code: "ERR_SHAPE" }),
  );
  const fft = new Fft(4);
  for (const bad of [undefined, null, [1, 2, 3, 4], new Float32Array(4)])
    expect(() => Reflect.apply(fft.transform, fft, [bad, new Float64Array(4)])).toThrow(
      expect.objectContaining({ code: "ERR_SHAPE", path: "re" }),
    );
  for (const bad of [0, -1, 1.5, Number.NaN, 1e9, Number.POSITIVE_INFINITY])
    expect(() => fastLength(bad)).toThrow(expect.objectContaining({ code: "ERR_OPTION" }));
});

test("a transform for which there is no memory is told as such", () => {
  expect(() => new Fft(2 ** 40)).toThrow(expect.objectContaining({ code: "ERR_MEMORY" }));
});

test("arrays of which one would be overwritten before it is read are refused", () => {
  const fft = new Fft(4);
  const other = noise(4, 1);
  const long = noise(6, 1);
  const overlapping = [
    [other, other],
    [long.subarray(0, 4), long.subarray(2)],
    [other, fft.re],
    [fft.im, other],
    [fft.im.subarray(0), fft.re.subarray(0)],
  ];
  for (const [re, im] of overlapping)
    expect(() => fft.transform(re, im)).toThrow(expect.objectContaining({ code: "ERR_ARGUMENT" }));
});

test("one of the transform's own arrays may stand beside one of the caller's", () => {
  const [re, im] = [noise(8, 1), noise(8, 2)];
  const expected = [re.slice(), im.slice()];
  new Fft(8).transform(expected[0], expected[1]);
  const fft = new Fft(8);
  fft.re.set(re);
  const given = im.slice();
  fft.transform(fft.re, given);
  expect([fft.re, given]).toEqual(expected);
});
