/** Models whose repulsion is summed in single precision, on a grid or by a tree: near the exact ones. */
import { fillNormal, RandomGenerator, toSparse, zeros } from "@curvature/linalg";
import {
  elasticEmbedding,
  fastestGradient,
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

function map(size: number, seed: number, dimensions = 2): Float64Array {
  const X = new Float64Array(dimensions * N);
  fillNormal(new RandomGenerator(seed), X);
  return X.map((value) => size * value);
}

const ways = [
  { gradient: "fft", dimensions: 2 },
  { gradient: "barnes-hut", dimensions: 2 },
  { gradient: "barnes-hut", dimensions: 3 },
] as const;
const cases = Object.entries(models).flatMap(([name, make]) => ways.map((way) => ({ name, make, ...way })));

describe.each(cases)("$name, $gradient, $dimensions dimensions", ({ make, gradient, dimensions }) => {
  const d = dimensions;

  test.each([0.01, 1, 6])("is near the exact model on a map of size %f", (size) => {
    const X = map(size, 4, d);
    const [exact, other] = [make({ dimensions }), make({ gradient, dimensions })];
    const [g, h] = [new Float64Array(d * N), new Float64Array(d * N)];
    const E = exact.evaluate(X, g);
    expect(Math.abs(other.evaluate(X, h) - E)).toBeLessThan(1e-3 * Math.max(1, E)); // log S, or λ w⁻ S with λ = 100
    const norm = Math.sqrt(g.reduce((sum, value) => sum + value * value, 0));
    const error = Math.sqrt(g.reduce((sum, value, k) => sum + (value - h[k]) ** 2, 0));
    expect(error).toBeLessThan(0.03 * norm);
  });

  test("has the gradient of its own value", { tags: ["full"] }, () => {
    const report = checkGradient(make({ gradient, dimensions }), map(3, 5, d), { coordinates: 20 });
    expect(report.isCorrect, report.message).toBe(true);
  });

  test("is another problem to a checkpoint", () => {
    expect(make({ gradient, dimensions }).fingerprint).not.toBe(make({ dimensions }).fingerprint);
  });
});

describe.each(Object.entries(models))("%s in single precision", (_name, make) => {
  test.each([0.01, 2, 6, 60])("is the exact model to 1e-5 on a map of size %f", (size) => {
    const X = map(size, 4);
    const [exact, single] = [make({}), make({ gradient: "single" })];
    const [g, h] = [new Float64Array(2 * N), new Float64Array(2 * N)];
    const E = exact.evaluate(X, g);
    const error = Math.abs(single.evaluate(X, h) - E);
    expect(error).toBeLessThan(1e-5 * Math.max(1, E));
    expect(single.evaluate(X)).toBe(single.evaluate(X, h));
    const norm = Math.sqrt(g.reduce((sum, value) => sum + value * value, 0));
    expect(Math.sqrt(g.reduce((sum, value, k) => sum + (value - h[k]) ** 2, 0))).toBeLessThan(1e-5 * norm);
  });

  test("has the exact model's second derivatives, and is another problem to a checkpoint", () => {
    const [exact, single] = [make({}), make({ gradient: "single" })];
    const products = [exact, single].map((model) => {
      const out = new Float64Array(2 * N);
      model.hessianVector?.(map(2, 6), map(1, 7), out);
      return out;
    });
    expect(products[0].some((entry) => entry !== 0)).toBe(true);
    const size = Math.max(...products[0].map(Math.abs));
    for (let k = 0; k < 2 * N; k++)
      expect(Math.abs(products[1][k] - products[0][k])).toBeLessThan(1e-5 * size);
    expect(single.fingerprint).not.toBe(exact.fingerprint);
  });
});

test("theta says how near, and is part of the problem", () => {
  const X = map(6, 9);
  const E = tsne(P).evaluate(X);
  const error = (theta: number) => Math.abs(tsne(P, { gradient: "barnes-hut", theta }).evaluate(X) - E);
  expect(error(0)).toBeLessThan(1e-10);
  expect(error(0.2)).toBeLessThan(0.1 * error(0.9));
  const [coarse, fine] = [0.5, 0.4].map((theta) => tsne(P, { gradient: "barnes-hut", theta }).fingerprint);
  expect(coarse).not.toBe(fine);
  expect(tsne(P, { theta: 0.5 }).fingerprint).toBe(tsne(P).fingerprint);
  for (const theta of [-0.1, 1.1, Number.NaN, Number.POSITIVE_INFINITY])
    expect(() => tsne(P, { theta })).toThrow(expect.objectContaining({ code: "ERR_OPTION", path: "theta" }));
});

test('"auto" is the exact sum for few points, and where there is no other', () => {
  expect(tsne(P, { gradient: "auto" }).fingerprint).toBe(tsne(P).fingerprint);
  const conditional = toSparse({ rows: N, columns: N, data: toDenseRows() });
  expect(sne(conditional, { gradient: "auto" }).fingerprint).toBe(sne(conditional).fingerprint);
  const weighted = { attraction: P, repulsion: P };
  const weightedAuto = elasticEmbedding(weighted, { gradient: "auto" });
  expect(weightedAuto.fingerprint).toBe(elasticEmbedding(weighted).fingerprint);
  expect(fastestGradient("student", 20_000, 2)).toBe("barnes-hut");
  expect(fastestGradient("gaussian", 20_000, 2)).toBe("fft");
  expect(fastestGradient("gaussian", 20_000, 3)).toBe("barnes-hut");
  expect(fastestGradient("student", 20_000, 4)).toBe("exact");
  expect(fastestGradient("biweight", 20_000, 2)).toBe("exact");
});

test("what cannot be approximated is refused by name", () => {
  const refused = expect.objectContaining({ code: "ERR_OPTION", path: "gradient" });
  const conditional = toSparse({ rows: N, columns: N, data: toDenseRows() });
  for (const gradient of ["fft", "single"] as const)
    expect(() => tsne(P, { gradient, dimensions: 3 })).toThrow(refused);
  for (const dimensions of [1, 4])
    expect(() => tsne(P, { gradient: "barnes-hut", dimensions })).toThrow(refused);
  expect(() => sne(conditional, { gradient: "single" })).toThrow(refused);
  expect(() => sne(conditional, { gradient: "fft" })).toThrow(refused);
  expect(() => sne(conditional, { gradient: "barnes-hut" })).toThrow(refused);
  expect(() => nonsymmetricTsne(conditional, { gradient: "fft" })).toThrow(refused);
  expect(() => elasticEmbedding({ attraction: P, repulsion: P }, { gradient: "fft" })).toThrow(refused);
  for (const gradient of ["single", "fft", "barnes-hut"] as const)
    expect(() => normalizedEmbedding(P, { kernel: "biweight", gradient })).toThrow(refused);
  // @ts-expect-error not one of them
  expect(() => tsne(P, { gradient: "barnes" })).toThrow(refused);
});

/** Rows of sum 1. */
function toDenseRows(): Float64Array {
  const data = new Float64Array(N * N);
  for (let n = 0; n < N; n++) data[n * N + ((n + 1) % N)] = 1;
  return data;
}
