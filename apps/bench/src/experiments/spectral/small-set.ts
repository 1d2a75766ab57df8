/**
 * What figures 1 to 3 of the partial-Hessian paper share: the small set and its objectives.
 *
 * Sets         "coil": ten objects of COIL-20, 72 poses each (`data/coil.ts`); "drawn": turning objects (`data/turning-objects.ts`) in
 *              their place
 * Affinities   entropic of all pairs, perplexity 20; EE's repulsion is the squared distances, λ = 100; s-SNE at λ = 1
 */
import { type DenseMatrix, fillNormal, RandomGenerator } from "@curvature/linalg";
import {
  affinitiesOfSquaredDistances,
  distanceWeights,
  distanceWeightsOf,
  type EmbeddingObjective,
  elasticEmbedding,
  entropicAffinities,
  jointAffinities,
  symmetricSne,
  tsne,
  type Weights,
} from "@curvature/objectives/embedding";
import { coilDistances } from "../../data/coil.ts";
import { turningObjects } from "../../data/turning-objects.ts";

export const POSES = 72;
export const PERPLEXITY = 20;

export interface SmallSet {
  readonly N: number;
  readonly labels: Uint32Array;
  /** By name: "EE", "s-SNE", "t-SNE". */
  readonly objectives: Readonly<Record<string, EmbeddingObjective>>;
}

export const smallSets = ["drawn", "coil"] as const;

/** Which set, and how much of it. */
export interface SetChoice {
  readonly set: (typeof smallSets)[number];
  readonly objects: number;
  readonly poses: number;
}

export function smallSet(choice: SetChoice): SmallSet {
  const { P, repulsion, labels } = choice.set === "coil" ? coil(choice) : drawn(choice);
  const objectives = {
    EE: elasticEmbedding({ attraction: P, repulsion }, { lambda: 100 }),
    "s-SNE": symmetricSne(P),
    "t-SNE": tsne(P),
  };
  return { N: labels.length, labels, objectives };
}

interface Relations {
  readonly P: Weights;
  readonly repulsion: DenseMatrix;
  readonly labels: Uint32Array;
}

function drawn({ objects, poses }: SetChoice): Relations {
  const { points, labels } = turningObjects({ objects, poses });
  const { conditional } = entropicAffinities(points, { perplexity: PERPLEXITY, neighbors: "all" });
  return { P: jointAffinities(conditional), repulsion: distanceWeights(points), labels };
}

function coil({ objects, poses }: SetChoice): Relations {
  const { squaredDistances, labels } = coilDistances(objects, poses);
  const repulsion = distanceWeightsOf({ ...squaredDistances, data: squaredDistances.data.slice() });
  const { conditional } = affinitiesOfSquaredDistances(squaredDistances, PERPLEXITY);
  return { P: jointAffinities(conditional), repulsion, labels };
}

export const describeSet = ({ set, objects, poses }: SetChoice): string =>
  set === "coil"
    ? `COIL-10, ${objects * poses} images of ${objects} objects of COIL-20, of 16 × 16 pixels (the paper's: 720 of 128 × 128)`
    : `${objects} drawn objects of ${poses} poses, ${objects * poses} images of 24 × 24 pixels, seed 0, in place of ten objects of COIL-20 (128 × 128 pixels, 720 images)`;

/** σ N(0, 1), N × 2. */
export function noiseOf(N: number, deviation: number, seed: number): Float64Array {
  const X = new Float64Array(2 * N);
  fillNormal(new RandomGenerator(seed), X);
  return X.map((x) => deviation * x);
}
