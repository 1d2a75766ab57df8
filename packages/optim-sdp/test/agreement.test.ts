/** The adjusted Rand index: against counts of all pairs of rows, one by one, and against published values. */
import { RandomGenerator } from "@curvature/linalg";
import { labelAgreement } from "@curvature/optim-sdp";
import { describe, expect, test } from "vitest";

/** From the four kinds of pairs (Hubert, Arabie 1985, in the form of Steinley 2004), none of them by way of a table. */
function byPairs(labels: readonly number[], classes: readonly string[]): number {
  let [both, first, second, none] = [0, 0, 0, 0];
  for (let i = 0; i < labels.length; i++)
    for (let j = 0; j < i; j++) {
      const inFirst = labels[i] === labels[j];
      const inSecond = classes[i] === classes[j];
      if (inFirst && inSecond) both++;
      else if (inFirst) first++;
      else if (inSecond) second++;
      else none++;
    }
  if (first === 0 && second === 0) return 1;
  return (
    (2 * (both * none - first * second)) /
    ((both + first) * (first + none) + (both + second) * (second + none))
  );
}

describe("the adjusted Rand index", () => {
  test("is that of all pairs, counted one by one", () => {
    for (let seed = 0; seed < 200; seed++) {
      const random = new RandomGenerator(seed);
      const n = 1 + Math.floor(40 * random.uniform());
      const [k, c] = [1 + Math.floor(6 * random.uniform()), 1 + Math.floor(6 * random.uniform())];
      const labels = Array.from({ length: n }, () => Math.floor(k * random.uniform()) - 1);
      const classes = labels.map((label) =>
        random.uniform() < 0.5 ? `c${label}` : `c${Math.floor(c * random.uniform())}`,
      );
      const { adjustedRandIndex, counts, clusters, classes: kinds } = labelAgreement(labels, classes);
      expect(adjustedRandIndex).toBeCloseTo(byPairs(labels, classes), 12);
      for (const [r, cluster] of clusters.entries())
        for (const [s, kind] of kinds.entries())
          expect(counts[r][s]).toBe(labels.filter((l, i) => l === cluster && classes[i] === kind).length);
    }
  });

  test("published values, and the same groups by other names", () => {
    expect(labelAgreement([0, 0, 1, 2], [0, 0, 1, 1]).adjustedRandIndex).toBeCloseTo(4 / 7, 15); // scikit-learn's manual
    expect(labelAgreement([0, 0, 1, 1], ["b", "b", "a", "a"]).adjustedRandIndex).toBe(1);
    expect(labelAgreement([0, 0, 0, 0], [0, 1, 2, 3]).adjustedRandIndex).toBe(0);
    expect(labelAgreement([0, 1, 2], ["x", "y", "z"]).adjustedRandIndex).toBe(1);
    expect(labelAgreement([0, 0, 1, 1], [0, 1, 0, 1]).adjustedRandIndex).toBeCloseTo(-0.5, 15);
    expect(labelAgreement([], [])).toEqual({ adjustedRandIndex: 1, clusters: [], classes: [], counts: [] });
  });

  test("is refused for lists that are none", () => {
    expect(() => labelAgreement([0, 1], ["a"])).toThrow(/classes must be a list of 2 classes/);
    expect(() => labelAgreement([0, 1], [1, Number.NaN])).toThrow(/classes\[1\] must be a text, a number/);
    expect(() => labelAgreement([0.5], ["a"])).toThrow(/labels\[0\] must be a whole number/);
    expect(() => Reflect.apply(labelAgreement, undefined, [null, []])).toThrow(/labels must be a list/);
  });
});
