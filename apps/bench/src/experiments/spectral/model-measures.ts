/** The models of `default-model.ts`, and how their maps are measured. */
import type { DenseMatrix } from "@curvature/linalg";
import { entropicAffinities, jointAffinities, nearestNeighbors, tsne } from "@curvature/objectives/embedding";
import { type EmbedOptions, embed, globalStructure, mapQuality } from "@curvature/optim-spectral";
import { cpuSeconds } from "../../processor.ts";
import type { LabelledSet } from "./labelled-sets.ts";

/**
 * c of the rule λ = c N / perplexity for t-EE with equal repulsive weights. At λ = N (N − 1) / S, S = Σ 1 / (1 + t) over the pairs of a
 * map, its gradient in this map is that of t-SNE: both have the same stationary maps, and λ stands for the log-sum. In t-SNE's maps of
 * 1,797 digits this λ is 890, 348 and 82 at perplexity 10, 30 and 100: 5.0, 5.8 and 4.6 N / perplexity. No other set had a part in it.
 */
export const RULE = 5;

export const models = ["t-SNE", "t-EE", "t-EE, λ by N"] as const;
export type Model = (typeof models)[number];

function optionsOf(model: Model, N: number, perplexity: number): EmbedOptions {
  if (model === "t-SNE") return { perplexity };
  if (model === "t-EE") return { perplexity, method: "tee" };
  return { perplexity, method: "tee", repulsion: "constant", lambda: (RULE * N) / perplexity };
}

export const measures = [
  "KL",
  "KL, best size",
  "trust",
  "kept of 5",
  "kept of 10",
  "kept of 200",
  "triplets",
  "ρ of distances",
  "class accuracy",
  "seconds",
] as const;
export type Measure = (typeof measures)[number];
/** The others are better where they are larger. */
export const lessIsBetter: readonly Measure[] = ["KL", "KL, best size", "seconds"];
export type Figures = Readonly<Record<Measure, number>>;

const rescalings = [0.1, 0.2, 0.4, 0.7, 1, 1.4, 2, 2.8, 4, 8, 16];
/** Points up to which all pairs are summed for the divergence, and whose neighbourhoods are all compared. */
const MOST_EXACT = 5000;
const COMPARED = 2000;
const VOTERS = 10;

/** The maps of all models of the same points, from the same start. @param first - which of them begins */
export async function figuresOf(
  { points, labels }: LabelledSet,
  perplexity: number,
  first: number,
): Promise<Record<Model, Figures>> {
  const N = points.rows;
  const { conditional } = entropicAffinities(points, { perplexity, neighbors: 3 * perplexity });
  const objective = tsne(jointAffinities(conditional), { gradient: N > MOST_EXACT ? "barnes-hut" : "exact" });
  const found = new Map<Model, Figures>();
  for (let k = 0; k < models.length; k++) {
    const model = models[(first + k) % models.length];
    const begun = cpuSeconds();
    const { embedding } = await embed(points, optionsOf(model, N, perplexity));
    const seconds = cpuSeconds() - begun;
    const divergence = (scale: number): number =>
      objective.evaluate(embedding.data.map((x) => scale * x)) + objective.entropyConstant;
    const quality = (neighbors: number) =>
      mapQuality(points, embedding, { neighbors, maxRows: N > MOST_EXACT ? COMPARED : N });
    const { knnPreservation, trustworthiness } = quality(10);
    const { tripletAccuracy, distanceCorrelation } = globalStructure(points, embedding, { draws: 20_000 });
    found.set(model, {
      KL: divergence(1),
      "KL, best size": Math.min(...rescalings.map(divergence)),
      trust: known(trustworthiness),
      "kept of 5": known(quality(5).knnPreservation),
      "kept of 10": known(knnPreservation),
      "kept of 200": known(quality(200).knnPreservation),
      triplets: known(tripletAccuracy),
      "ρ of distances": known(distanceCorrelation),
      "class accuracy": classAccuracy(embedding, labels),
      seconds,
    });
  }
  const of = (model: Model): Figures => {
    const figures = found.get(model);
    if (figures === undefined) throw new Error(`${model} was left out`);
    return figures;
  };
  return { "t-SNE": of("t-SNE"), "t-EE": of("t-EE"), "t-EE, λ by N": of("t-EE, λ by N") };
}

function known(value: number | undefined): number {
  if (value === undefined) throw new Error("too few points for a measure");
  return value;
}

/** The share of points whose class most of their nearest in the map have; among classes as frequent the one that is met first. */
export function classAccuracy(map: DenseMatrix, labels: readonly (string | number)[]): number {
  const { indices } = nearestNeighbors(map, VOTERS);
  let right = 0;
  for (let n = 0; n < map.rows; n++) {
    const votes = new Map<string | number, number>();
    for (const m of indices.subarray(n * VOTERS, (n + 1) * VOTERS))
      votes.set(labels[m], (votes.get(labels[m]) ?? 0) + 1);
    const most = Math.max(...votes.values());
    const [winner] = [...votes].find(([, count]) => count === most) ?? [];
    if (winner === labels[n]) right++;
  }
  return right / map.rows;
}
