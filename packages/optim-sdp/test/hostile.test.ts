/** What a stranger hands to the functions: each ends in a sentence. */
import { shown } from "@curvature/linalg";
import { describe, expect, test } from "vitest";
import * as library from "../src/index.js";
import { randomGram, randomPoints } from "./helpers/small.js";

const gram = randomGram(8, 2, 1);
const problem = { gram, clusters: 3 };
const Q = library.centralPoint(8, 3);
const point = library.repairFactor(3, { ...randomPoints(8, 4, 2), data: new Float64Array(32).fill(0.5) });
const order = Int32Array.from({ length: 8 }, (_, i) => i);

const good: Readonly<Record<string, readonly unknown[]>> = {
  upperBounds: [problem, Q],
  repairMatrix: [problem, Q, randomPoints(8, 8, 1)],
  repairFactor: [3, randomPoints(8, 4, 1), 10],
  factoredDense: [point],
  factoredValue: [gram, point],
  blockMeans: [Q, order, 4],
  embeddingByComponent: [Q, order, 2],
  centralPoint: [8, 3],
  centralValue: [problem],
  isClosed: [problem],
  problemFingerprint: [problem],
  solveRing: [8, 3],
  primalDualBytes: [8, 3],
  denseBytes: [8, 1],
  checkMemory: ["a test", "an array", 8, 9],
  Certificate: [Q, 1],
};

const hostile: readonly unknown[] = [
  ...[undefined, null, {}, [], "x", Number.NaN, Number.POSITIVE_INFINITY, -1, true, Symbol("s"), 10n],
  ...[
    { rows: 2, columns: 2, data: null },
    { rows: 1e9, columns: 1e9, data: new Float64Array(4) },
  ],
  ...[{ rows: 8, columns: 8, data: new Float64Array(9) }, { gram: null, clusters: 3 }, { gram }],
  ...[{ gram: { multiply: () => undefined }, clusters: 1 }, { factor: null }, new Float64Array(0)],
  ...[{ factor: Q, diagonal: new Float64Array(2), constant: 0 }, Int32Array.of(0, 0, 1, 2, 3, 4, 5, 6)],
];

const anyLibraryError = expect.objectContaining({ code: expect.stringMatching(/^ERR_/) });

const cases = Object.entries(good).flatMap(([name, words]) => words.map((_, k) => [name, k] as const));

describe("bad arguments", () => {
  test.each(cases)("%s, argument %i", (name, place) => {
    const called = Reflect.get(library, name);
    const words = good[name];
    for (const bad of hostile) {
      if (bad === undefined && place === 2 && (name === "repairFactor" || name === "embeddingByComponent"))
        continue; // left out
      const given = words.map((word, k) => (k === place ? bad : word));
      const call = () => (name === "Certificate" ? Reflect.construct(called, given) : called(...given));
      if (isAllowed(name, place, bad)) continue;
      expect(call, `${name} of ${shown(bad)}`).toThrowError(anyLibraryError);
    }
  });

  test("a factor that does not fit is refused before its arrays are made", () => {
    for (const solver of [library.BurerMonteiro, library.PrimalDual])
      expect(() => new solver(problem, { rank: 1e9 })).toThrowError(
        /a factor of 8 x 1000000000 takes .* GiB/,
      );
  });

  test("a ring that does not fit is refused before its arrays are made", () => {
    expect(() => library.solveRing(1e9, 3)).toThrowError(/takes .* GiB/);
  });
});

/** Any finite number is a value of a certificate; words may be any words, a limit may be none, components any numbers. */
const isAllowed = (name: string, place: number, bad: unknown): boolean =>
  (name === "embeddingByComponent" && place === 1 && bad instanceof Int32Array) ||
  (name === "Certificate" && place === 1 && bad === -1) ||
  (name === "checkMemory" && (place < 2 ? bad === "x" : place === 3 && bad === Number.POSITIVE_INFINITY));

describe("costs that are no numbers", () => {
  const rows = [
    [0, 0],
    [1, 0],
    [10, 1],
    [11, 0],
    [30, 4],
    [31, 5],
  ];
  test.each([
    [1e200, /costs more than 1\.8e308, which is no number; .* Multiply the points by 1e-150/],
    [1e-200, /costs less than 5e-324, which is no number; .* Multiply the points by 1e150/],
    [1, /costs less than this one, 2\.5, by more than/],
  ])("are said to be none, and the labels are right (%d)", async (factor, message) => {
    const found = await library.clusterPoints(
      rows.map((row) => row.map((x) => x * factor)),
      { clusters: 3 },
    );
    expect([...found.labels]).toEqual([0, 0, 1, 1, 2, 2]);
    expect(found.message).toMatch(message);
  });
});
