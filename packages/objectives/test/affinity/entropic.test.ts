/** Entropic affinities: recorded ones, and the laws that all of them keep. */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { entropicAffinities } from "../../src/embedding/affinity/entropic.js";
import { EntropicRow } from "../../src/embedding/affinity/entropic-row.js";
import { jointAffinities } from "../../src/embedding/affinity/joint.js";
import { distanceWeights } from "../../src/embedding/affinity/repulsive-weights.js";
import { digits } from "./digits.js";
import { permuted, randomPoints, shuffled } from "./points.js";
import { entropies, full, largestDifference, sum } from "./weights.js";

const relativeDifference = (a: ArrayLike<number>, b: ArrayLike<number>): number => {
  let most = 0;
  for (let k = 0; k < a.length; k++) most = Math.max(most, Math.abs(a[k] / b[k] - 1));
  return most;
};

describe("the digits, all pairs, perplexity 20, against an independent program (Python, numpy)", () => {
  const reference = JSON.parse(
    readFileSync(new URL("../fixtures/digits-affinities.json", import.meta.url), "utf8"),
  );
  const points = digits();
  const { conditional, beta, evaluations, warnings } = entropicAffinities(points, {
    perplexity: 20,
    neighbors: "all",
  });
  const P = full(jointAffinities(conditional));

  test("β of every point", () => {
    expect(relativeDifference(beta, reference.beta)).toBeLessThan(1e-8);
    expect(warnings).toEqual([]);
  });

  test("Σ p log p and the first entries of P", () => {
    let sumPlogP = 0;
    for (const p of P) if (p > 0) sumPlogP += p * Math.log(p);
    expect(sumPlogP).toBeCloseTo(reference.sumPlogP, 8);
    const given = reference.P_first_row_first20;
    expect(relativeDifference(P.subarray(1, 20), given.slice(1))).toBeLessThan(1e-8);
    expect(P[0]).toBe(0);
  });

  test("the first entries of W⁻", { tags: ["full"] }, () => {
    const W = distanceWeights(points).data;
    expect(relativeDifference(W.subarray(1, 20), reference.Wn_first_row_first20.slice(1))).toBeLessThan(1e-8);
    expect(W[0]).toBe(0);
    expect(sum(W)).toBeCloseTo(1, 12);
  });

  test("about three and a half evaluations of the entropy per point, starting from the neighbour's β", () => {
    expect(evaluations.mean).toBeLessThan(3.6);
    expect(evaluations.most).toBeLessThanOrEqual(6);
  });

  test("60 neighbours hold all but a little of the affinity", { tags: ["full"] }, () => {
    const sparse = full(jointAffinities(entropicAffinities(points, { perplexity: 20 }).conditional));
    let apart = 0;
    for (let k = 0; k < P.length; k++) apart += Math.abs(P[k] - sparse[k]);
    expect(apart).toBeLessThan(0.1);
  });
});

describe("laws", () => {
  const cases = fc.record({
    N: fc.integer({ min: 4, max: 45 }),
    D: fc.integer({ min: 1, max: 6 }),
    seed: fc.integer({ min: 0, max: 1e6 }),
    share: fc.double({ min: 0.001, max: 0.999, noNaN: true }),
  });
  const perplexityOf = (share: number, K: number): number => 1 + share * (K - 1);

  test("every row sums to 1 and has entropy log k", { tags: ["full"] }, () => {
    fc.assert(
      fc.property(cases, fc.boolean(), ({ N, D, seed, share }, sparse) => {
        const K = sparse ? Math.max(3, N >> 1) : N - 1;
        const perplexity = perplexityOf(share, K);
        const { conditional, warnings } = entropicAffinities(randomPoints(N, D, seed), {
          perplexity,
          neighbors: sparse ? K : "all",
        });
        expect(warnings).toEqual([]);
        for (const H of entropies(conditional)) expect(Math.abs(H - Math.log(perplexity))).toBeLessThan(1e-9);
        const P = full(conditional);
        for (let n = 0; n < N; n++) {
          expect(sum(P.subarray(n * N, (n + 1) * N))).toBeCloseTo(1, 13);
          expect(P[n * N + n]).toBe(0);
        }
      }),
      { numRuns: 200 },
    );
  });

  test("the bracket holds the root for every row", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.nat(20), fc.nat(1e9)), { minLength: 3, maxLength: 60 }),
        fc.double({ min: 0.0001, max: 0.9999, noNaN: true }),
        (distances, share) => {
          const row = new EntropicRow(distances.length, perplexityOf(share, distances.length));
          row.distances.set(distances);
          row.fit(0);
          if (row.tied > 0) return;
          expect(row.converged).toBe(true);
          const { low, high } = row.bracket();
          const a = row.logBeta + Math.log(Math.max(...distances) - Math.min(...distances));
          // The bracket may be as narrow as rounding; the root is known to |H − log k| < 1e-10 only.
          expect(a).toBeGreaterThanOrEqual(low - 1e-6);
          expect(a).toBeLessThanOrEqual(high + 1e-6);
        },
      ),
      { numRuns: 500 },
    );
  });

  test("scaled data: β falls by the square, P stays", () => {
    const points = randomPoints(40, 5, 3);
    const original = entropicAffinities(points, { perplexity: 7, neighbors: "all" });
    for (const c of [1e-70, 1e-3, 3, 1e70]) {
      const scaled = { ...points, data: points.data.map((y) => c * y) };
      const { beta, conditional } = entropicAffinities(scaled, { perplexity: 7, neighbors: "all" });
      expect(
        relativeDifference(
          beta.map((b) => b * c * c),
          original.beta,
        ),
      ).toBeLessThan(1e-8);
      expect(largestDifference(full(conditional), full(original.conditional))).toBeLessThan(1e-9);
    }
  });

  test("shifted data and constant columns change nothing", () => {
    const points = randomPoints(30, 3, 9);
    const wider = new Float64Array(30 * 5).fill(4);
    for (let n = 0; n < 30; n++) for (let j = 0; j < 3; j++) wider[n * 5 + j] = points.data[n * 3 + j] + 8;
    const original = entropicAffinities(points, { perplexity: 5, neighbors: 12 });
    const moved = entropicAffinities({ rows: 30, columns: 5, data: wider }, { perplexity: 5, neighbors: 12 });
    expect(relativeDifference(moved.beta, original.beta)).toBeLessThan(1e-8);
  });

  test("permuted points: everything is permuted", () => {
    const points = randomPoints(35, 4, 6);
    const order = shuffled(35, 1);
    for (const neighbors of ["all", 15] as const) {
      const original = entropicAffinities(points, { perplexity: 6, neighbors });
      const other = entropicAffinities(permuted(points, order), { perplexity: 6, neighbors });
      const P = full(jointAffinities(original.conditional));
      const Q = full(jointAffinities(other.conditional));
      for (let i = 0; i < 35; i++) {
        expect(other.beta[i] / original.beta[order[i]]).toBeCloseTo(1, 9);
        for (let j = 0; j < 35; j++) expect(Q[i * 35 + j]).toBeCloseTo(P[order[i] * 35 + order[j]], 11);
      }
    }
  });

  test("N − 1 neighbours are all pairs", () => {
    const points = randomPoints(50, 8, 2);
    const all = entropicAffinities(points, { perplexity: 10, neighbors: "all" });
    const most = entropicAffinities(points, { perplexity: 10, neighbors: 49 });
    expect(largestDifference(full(most.conditional), full(all.conditional))).toBeLessThan(1e-10);
    expect(
      largestDifference(full(jointAffinities(most.conditional)), full(jointAffinities(all.conditional))),
    ).toBeLessThan(1e-12);
  });

  test("a larger perplexity means wider Gaussians", () => {
    const points = randomPoints(60, 3, 12);
    const narrow = entropicAffinities(points, { perplexity: 5 });
    const wide = entropicAffinities(points, { perplexity: 15 });
    for (let n = 0; n < 60; n++) expect(wide.beta[n]).toBeLessThan(narrow.beta[n]);
  });

  test("joint affinities are symmetric to the bit, sum to 1, and are sparse on the union of both patterns", () => {
    for (const neighbors of ["all", 9] as const) {
      const { conditional } = entropicAffinities(randomPoints(40, 3, 4), { perplexity: 4, neighbors });
      const joint = jointAffinities(conditional);
      const C = full(conditional);
      const P = full(joint);
      expect(sum(P)).toBeCloseTo(1, 13);
      let pairs = 0;
      for (let n = 0; n < 40; n++) {
        for (let m = 0; m < 40; m++) {
          expect(P[n * 40 + m]).toBe(P[m * 40 + n]);
          expect(P[n * 40 + m]).toBeCloseTo((C[n * 40 + m] + C[m * 40 + n]) / 80, 15);
          if (C[n * 40 + m] > 0 || C[m * 40 + n] > 0) pairs += 1;
        }
      }
      if (!("data" in joint)) expect(joint.values.length).toBe(pairs);
    }
  });
});
