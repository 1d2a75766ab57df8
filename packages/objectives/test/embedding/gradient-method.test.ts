/** Models whose repulsion is summed on a grid: near the exact ones, with derivatives of their own. */
import { fillNormal, RandomGenerator, toSparse, zeros } from "@curvature/linalg";
import {
  elasticEmbedding,
  type ModelOptions,
  nonsymmetricTsne,
  normalizedEmbedding,
  sne,
  symmetricSne,
  tElasticEmbedding,
  tsne,
} from "@curvature/objectives/embedding";
import { checkGradient } from "@curvature/optim-core";
import { describe, expect, test } from "vitest";

const N = 300;

/** Each point attracts the two next to it in a ring. */
function ringWeights() {
  const W = zeros(N, N);
  for (let n = 0; n < N; n++) {
    for (const m of [(n + 1) % N, (n + N - 1) % N]) W.data[n * N + m] = 1 / (2 * N);
  }
  return toSparse(W);
}

const P = ringWeights();
const constant = { attraction: P, repulsion: "constant" } as const;
const models = {
  tsne: (options: ModelOptions) => tsne(P, options),
  ssne: (options: ModelOptions) => symmetricSne(P, options),
  ee: (options: ModelOptions) => elasticEmbedding(constant, options),
  tee: (options: ModelOptions) => tElasticEmbedding(constant, options),
};

function map(size: number, seed: number): Float64Array {
  const X = new Float64Array(2 * N);
  fillNormal(new RandomGenerator(seed), X);
  return X.map((value) => size * value);
}

describe.each(Object.entries(models))("%s", (_, make) => {
  test.each([0.01, 1, 6])("is near the exact model on a map of size %f", (size) => {
    const X = map(size, 4);
    const [exact, fft] = [make({}), make({ gradient: "fft" })];
    const [g, h] = [new Float64Array(2 * N), new Float64Array(2 * N)];
    expect(fft.evaluate(X, h)).toBeCloseTo(exact.evaluate(X, g), 3);
    const norm = Math.sqrt(g.reduce((sum, value) => sum + value * value, 0));
    const error = Math.sqrt(g.reduce((sum, value, k) => sum + (value - h[k]) ** 2, 0));
    expect(error).toBeLessThan(0.03 * norm);
  });

  test("has the gradient of its own value", () => {
    const report = checkGradient(make({ gradient: "fft" }), map(3, 5), { coordinates: 20 });
    expect(report.isCorrect, report.message).toBe(true);
  });

  test("is another problem to a checkpoint", () => {
    expect(make({ gradient: "fft" }).fingerprint).not.toBe(make({}).fingerprint);
  });
});

test("what cannot be interpolated is refused by name", () => {
  const refused = expect.objectContaining({ code: "ERR_OPTION", path: "gradient" });
  const conditional = toSparse({ rows: N, columns: N, data: toDenseRows() });
  expect(() => tsne(P, { gradient: "fft", dimensions: 3 })).toThrow(refused);
  expect(() => sne(conditional, { gradient: "fft" })).toThrow(refused);
  expect(() => nonsymmetricTsne(conditional, { gradient: "fft" })).toThrow(refused);
  expect(() => elasticEmbedding({ attraction: P, repulsion: P }, { gradient: "fft" })).toThrow(refused);
  expect(() => normalizedEmbedding(P, { kernel: "biweight", gradient: "fft" })).toThrow(refused);
  // @ts-expect-error not one of them
  expect(() => tsne(P, { gradient: "barnes" })).toThrow(refused);
});

/** Rows of sum 1. */
function toDenseRows(): Float64Array {
  const data = new Float64Array(N * N);
  for (let n = 0; n < N; n++) data[n * N + ((n + 1) % N)] = 1;
  return data;
}
