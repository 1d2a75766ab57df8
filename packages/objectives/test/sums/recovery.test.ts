/** What the models are for: sources are found again, patterns are stored. */
import { exp, fillNormal, RandomGenerator } from "@curvature/linalg";
import { independentComponents, isingModel } from "@curvature/objectives/sums";
import { gradientNormBelow, Lbfgs, maxIterations, runSync } from "@curvature/optim-core";
import { expect, test } from "vitest";

test("independent components: mixed heavy-tailed sources come apart", () => {
  const [D, d] = [2000, 3];
  const random = new RandomGenerator(4);
  const normals = new Float64Array(2 * D * d);
  fillNormal(random, normals);
  const sources = Float64Array.from({ length: D * d }, (_, e) => normals[e] * exp(normals[D * d + e]));
  const mixing = [2, 1, -0.5, 0.3, 1.5, 1, -1, 0.4, 1.2];
  const data = new Float64Array(D * d);
  for (let n = 0; n < D; n++)
    for (let i = 0; i < d; i++)
      for (let j = 0; j < d; j++) data[n * d + i] += mixing[i * d + j] * sources[n * d + j];
  const { whole, initial } = independentComponents({ rows: D, columns: d, data }, { count: 4 });
  const { x } = runSync(new Lbfgs(whole, initial), { stop: [gradientNormBelow(1e-6), maxIterations(500)] });
  // W times the mixing matrix: each row has one large entry, each in a column of its own
  const found = new Set<number>();
  for (let i = 0; i < d; i++) {
    const row = [0, 1, 2].map((j) =>
      Math.abs([0, 1, 2].reduce((sum, k) => sum + x[i * d + k] * mixing[k * d + j], 0)),
    );
    const largest = Math.max(...row);
    found.add(row.indexOf(largest));
    // the other sources leak in by the estimate's deviation, of the order 1/√D = 0.02
    expect(row.reduce((sum, entry) => sum + entry, 0) - largest).toBeLessThanOrEqual(0.1 * largest);
  }
  expect(found.size).toBe(d);
});

test("the Ising model stores its patterns: each is a minimum of the energy among its neighbours", () => {
  const d = 20;
  const random = new RandomGenerator(2);
  const patterns = Array.from({ length: 8 }, () => Array.from({ length: d }, () => random.integer(2)));
  const { whole, initial } = isingModel(patterns, { count: 2, lambda: 0.01 });
  const { x } = runSync(new Lbfgs(whole, initial), { stop: gradientNormBelow(1e-8) });
  const energy = (s: readonly number[]): number => {
    let sum = 0;
    for (let i = 0, at = 0; i < d; i++)
      for (let j = i; j < d; j++, at++) sum += (i === j ? 1 : 2) * x[at] * s[i] * s[j];
    return sum;
  };
  for (const pattern of patterns)
    for (let i = 0; i < d; i++)
      expect(energy(pattern.with(i, 1 - pattern[i]))).toBeGreaterThan(energy(pattern));
});
