/** Operators, transforms, columns, pairs, options, random numbers. */
import * as linalg from "../../src/index.js";
import { nothing, sizes } from "./bad-operands.js";
import { type Calls, each, numbers, twoArrays } from "./calls.js";

const random = new linalg.RandomGenerator(1);
const double = (v: Float64Array, out: Float64Array): void => out.set(v.map((x) => 2 * x));
const shape = { rows: 2, columns: 2, paddedRows: 4, paddedColumns: 4 };

export const otherCalls: Readonly<Record<string, Calls>> = {
  lanczos: {
    "no operator": () => linalg.lanczos(nothing, 2),
    ...each("n", sizes, (n) => linalg.lanczos(double, n)),
    ...each("count", sizes, (count) => linalg.lanczos(double, 2, { count })),
    "too many": () => linalg.lanczos(double, 2, { count: 3 }),
  },
  blockEigen: {
    "no operator": () => linalg.blockEigen(nothing, 2),
    ...each("n", sizes, (n) => linalg.blockEigen(double, n)),
    ...each("count", sizes, (count) => linalg.blockEigen(double, 2, { count })),
    "a diagonal too short": () => linalg.blockEigen(double, 2, { diagonal: numbers(1) }),
    "a diagonal with 0": () => linalg.blockEigen(double, 2, { diagonal: numbers(1, 0) }),
  },
  EvenConvolution: {
    ...each("rows", sizes, (rows) => new linalg.EvenConvolution({ ...shape, rows }, new Float64Array(9))),
    ...each(
      "paddedRows",
      sizes,
      (paddedRows) => new linalg.EvenConvolution({ ...shape, paddedRows }, new Float64Array(9)),
    ),
    "a kernel too short": () => new linalg.EvenConvolution(shape, new Float64Array(8)),
    "no gain": () => new linalg.EvenConvolution(shape, new Float64Array(9), JSON.parse("1")),
    "a grid too short": () => new linalg.EvenConvolution(shape, new Float64Array(9)).apply(numbers(1)),
  },
  checkArgument: {
    "a number too small": () => linalg.checkArgument("f", "count", linalg.integerFrom(1), 0),
  },
  fastLength: each("size", sizes, linalg.fastLength),
  Fft: {
    ...each("length", sizes, (length) => new linalg.Fft(length)),
    ...each("batch", sizes, (batch) => new linalg.Fft(2, batch)),
    "a prime factor of 7": () => new linalg.Fft(7),
    ...twoArrays((re, im) => new linalg.Fft(2).transform(re, im)),
  },
  PlanePairs: {
    ...each("points", sizes, (points) => new linalg.PlanePairs("student", points)),
    "another kernel": () => new linalg.PlanePairs(nothing, 2),
    ...twoArrays((x, y) => new linalg.PlanePairs("student", 2).sum(x, y)),
    "forces too short": () =>
      new linalg.PlanePairs("student", 1).forces(numbers(1), numbers(1), numbers(), numbers(1)),
  },
  symmetricEntries: {
    ...each("length", sizes, (length) => linalg.symmetricEntries(length, 2)),
    ...each("rows", sizes, (rows) => linalg.symmetricEntries(4, rows)),
  },
  tallColumns: {
    ...each("length", sizes, (length) => linalg.tallColumns(length, 1, "float64")),
    ...each("most", sizes, (most) => linalg.tallColumns(1, most, "float64")),
    ...each("count", sizes, (count) => linalg.tallColumns(1, 2, "float64").widen(count)),
    "wider than it was made for": () => linalg.tallColumns(1, 2, "float64").widen(3),
    "another precision": () => linalg.tallColumns(1, 1, nothing),
  },
  RandomGenerator: {
    ...each("seed", sizes, (seed) => new linalg.RandomGenerator(seed)),
    ...each("bound", sizes, (bound) => random.integer(bound)),
    "a state of zeros": () => random.restore([0, 0, 0, 0]),
  },
  normal: { "no generator": () => linalg.normal(nothing) },
  fillNormal: {
    "no generator": () => linalg.fillNormal(nothing, numbers(1)),
    "no array": () => linalg.fillNormal(random, nothing),
  },
  shuffle: {
    "no generator": () => linalg.shuffle(nothing, [1, 2]),
    "no array": () => linalg.shuffle(random, nothing),
    ...each("length", sizes, (length) => linalg.shuffle(random, { length })),
  },
  permutation: {
    "no generator": () => linalg.permutation(nothing, 2),
    ...each("n", sizes, (n) => linalg.permutation(random, n)),
  },
  sampleWithoutReplacement: {
    "no generator": () => linalg.sampleWithoutReplacement(nothing, 1, 2),
    ...each("count", sizes, (count) => linalg.sampleWithoutReplacement(random, count, 2)),
    ...each("n", sizes, (n) => linalg.sampleWithoutReplacement(random, 0, n)),
    "more than there are": () => linalg.sampleWithoutReplacement(random, 3, 2),
  },
  LinearConjugateGradient: {
    ...each("size", sizes, (size) => new linalg.LinearConjugateGradient(size)),
    ...twoArrays((b, x) => new linalg.LinearConjugateGradient(2).solve(double, b, x)),
    "no operator": () => new linalg.LinearConjugateGradient(2).solve(nothing, numbers(1, 2), numbers(0, 0)),
  },
};
