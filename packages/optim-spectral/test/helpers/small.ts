/** Small problems that every property can be tried on. */
import { type DenseMatrix, fillNormal, RandomGenerator, zeros } from "@curvature/linalg";
import {
  distanceWeights,
  type EmbeddingObjective,
  elasticEmbedding,
  entropicAffinities,
  jointAffinities,
  nonsymmetricTsne,
  sne,
  symmetricSne,
  tElasticEmbedding,
  tsne,
} from "@curvature/objectives/embedding";
import type { Faults } from "@curvature/optim-core/conformance";
import type { EmbeddingMethod, EmbeddingSolver } from "../../src/index.js";

export const iterativeMethods: readonly Exclude<EmbeddingMethod, "laplacian">[] = [
  "tsne",
  "ssne",
  "sne",
  "ee",
  "tee",
];

export const solvers: readonly EmbeddingSolver[] = [
  "auto",
  "sd",
  "sd-lbfgs",
  "sdminus",
  "fp",
  "diagh",
  "gd",
  "cg",
  "lbfgs",
];

export const allFinite = (map: DenseMatrix): boolean => map.data.every(Number.isFinite);

/** N points of D columns around three centres, the same for the same seed. */
export function clusters(N: number, D = 5, seed = 1): DenseMatrix {
  const random = new RandomGenerator(seed);
  const points = zeros(N, D);
  fillNormal(random, points.data);
  for (let n = 0; n < N; n++) points.data[n * D + (n % 3)] += 4;
  return points;
}

export function noise(length: number, size: number, seed = 7): Float64Array {
  const X = new Float64Array(length);
  fillNormal(new RandomGenerator(seed), X);
  return X.map((x) => size * x);
}

export function smallModel(
  method: Exclude<EmbeddingMethod, "laplacian">,
  {
    N = 30,
    dimensions = 2,
    lambda,
    seed = 1,
  }: { N?: number; dimensions?: number; lambda?: number; seed?: number } = {},
): EmbeddingObjective {
  const points = clusters(N, 5, seed);
  const { conditional } = entropicAffinities(points, { perplexity: 6, neighbors: "all" });
  const P = jointAffinities(conditional);
  const options = { dimensions, ...(lambda === undefined ? {} : { lambda }) };
  const weights = () => ({ attraction: P, repulsion: distanceWeights(points) });
  switch (method) {
    case "tsne":
      return tsne(P, options);
    case "nonsymmetric-tsne":
      return nonsymmetricTsne(conditional, options);
    case "ssne":
      return symmetricSne(P, options);
    case "sne":
      return sne(conditional, options);
    case "ee":
      return elasticEmbedding(weights(), options);
    case "tee":
      return tElasticEmbedding(weights(), options);
  }
}

/** The objective with its evaluations, at every λ, going through `faults`. */
export function withFaults(original: EmbeddingObjective, faults: Faults): EmbeddingObjective {
  return {
    name: original.name,
    points: original.points,
    dimensions: original.dimensions,
    dimension: original.dimension,
    lambda: original.lambda,
    fingerprint: original.fingerprint,
    entropyConstant: original.entropyConstant,
    isDivergence: original.isDivergence,
    atLambda: (lambda) => withFaults(original.atLambda(lambda), faults),
    evaluate: (X, gradient) => {
      const poison = faults.next();
      const value = original.evaluate(X, gradient);
      if (poison !== undefined) gradient?.fill(poison);
      return poison ?? value;
    },
    evaluateParts: (X, attraction, repulsion) => {
      const poison = faults.next();
      const parts = original.evaluateParts(X, attraction, repulsion);
      if (poison === undefined) return parts;
      attraction.fill(poison);
      return { ...parts, attractive: poison };
    },
    hessianVector: (X, v, out) => original.hessianVector(X, v, out),
    attractiveWeights: () => original.attractiveWeights(),
    attractiveWeightsAt: (X) => original.attractiveWeightsAt(X),
    diagonalHessian: (X, out) => original.diagonalHessian(X, out),
    repulsiveCurvature: (X, out) => original.repulsiveCurvature(X, out),
  };
}

/** A third of the affinities' graph cut off: two parts without an edge between them. */
export function disconnected(N: number): { readonly P: DenseMatrix } {
  const first = Math.floor(N / 3);
  const P = zeros(N, N);
  let sum = 0;
  for (let n = 0; n < N; n++)
    for (let m = 0; m < N; m++) {
      if (n === m || n < first !== m < first) continue;
      P.data[n * N + m] = 1 / (1 + Math.abs(n - m));
      sum += P.data[n * N + m];
    }
  for (let k = 0; k < P.data.length; k++) P.data[k] /= sum;
  return { P };
}
