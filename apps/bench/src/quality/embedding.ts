/**
 * One quality function for all maps: KL divergence on common affinities (perplexity 30, 90 exact neighbours) at
 * the map's own size and at its best rescaling, because size alone changes it; neighbour preservation and
 * trustworthiness at 10 neighbours.
 */
import type { DenseMatrix } from "@curvature/linalg";
import { entropicAffinities, jointAffinities, tsne } from "@curvature/objectives/embedding";
import { mapQuality } from "@curvature/optim-spectral";

export interface EmbeddingQuality {
  readonly klDivergence: number;
  readonly klDivergenceBestSize: number;
  readonly knnPreservation: number;
  readonly trustworthiness: number;
}

const rescalings = [0.01, 0.03, 0.1, 0.2, 0.4, 0.8, 1, 1.25, 1.6, 2, 2.5, 3.2, 4, 8, 16, 32, 64];

export function embeddingQuality(points: DenseMatrix): (map: DenseMatrix) => EmbeddingQuality {
  const { conditional } = entropicAffinities(points, { perplexity: 30, neighbors: 90 });
  const objective = tsne(jointAffinities(conditional), { dimensions: 2 });
  return (map) => {
    const divergence = (scale: number) =>
      objective.evaluate(map.data.map((x) => x * scale)) + objective.entropyConstant;
    const { knnPreservation = Number.NaN, trustworthiness = Number.NaN } = mapQuality(points, map);
    return {
      klDivergence: divergence(1),
      klDivergenceBestSize: Math.min(...rescalings.map(divergence)),
      knnPreservation,
      trustworthiness,
    };
  };
}
