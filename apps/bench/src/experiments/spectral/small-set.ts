/**
 * What figures 1 to 3 of the partial-Hessian paper share: the small set and its objectives.
 *
 * Set          turning objects (`data/turning-objects.ts`) in place of ten objects of COIL-20, 72 poses each
 * Affinities   entropic of all pairs, perplexity 20; EE's repulsion is the squared distances, λ = 100; s-SNE at λ = 1
 */
import { fillNormal, RandomGenerator } from "@curvature/linalg";
import {
  distanceWeights,
  type EmbeddingObjective,
  elasticEmbedding,
  entropicAffinities,
  jointAffinities,
  symmetricSne,
  tsne,
} from "@curvature/objectives/embedding";
import { turningObjects } from "../../data/turning-objects.ts";

export const POSES = 72;
export const PERPLEXITY = 20;

export interface SmallSet {
  readonly N: number;
  readonly labels: Uint32Array;
  /** By name: "EE", "s-SNE", "t-SNE". */
  readonly objectives: Readonly<Record<string, EmbeddingObjective>>;
}

export function smallSet(objects: number, poses: number): SmallSet {
  const { points, labels } = turningObjects({ objects, poses });
  const P = jointAffinities(
    entropicAffinities(points, { perplexity: PERPLEXITY, neighbors: "all" }).conditional,
  );
  const objectives = {
    EE: elasticEmbedding({ attraction: P, repulsion: distanceWeights(points) }, { lambda: 100 }),
    "s-SNE": symmetricSne(P),
    "t-SNE": tsne(P),
  };
  return { N: points.rows, labels, objectives };
}

export const describeSet = (objects: number, poses: number): string =>
  `${objects} drawn objects of ${poses} poses, ${objects * poses} images of 24 × 24 pixels, seed 0, in place of ten objects of COIL-20 (128 × 128 pixels, 720 images)`;

/** σ N(0, 1), N × 2. */
export function noiseOf(N: number, deviation: number, seed: number): Float64Array {
  const X = new Float64Array(2 * N);
  fillNormal(new RandomGenerator(seed), X);
  return X.map((x) => deviation * x);
}
