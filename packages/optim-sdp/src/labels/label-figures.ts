/** What is known of labels of points beside their cost. */
import type { Gram } from "../gram.js";
import { bicOf, effectiveDimension } from "./choose-clusters.js";
import { outlierScores, type Scores } from "./noise.js";

export interface LabelFigures {
  readonly bic: number | undefined;
  readonly outlierScore: Float64Array | undefined;
  readonly scores: Scores | undefined;
}

export function labelFigures(labels: Int32Array, K: number, { points }: Gram, cost: number): LabelFigures {
  if (points === undefined) return { bic: undefined, outlierScore: undefined, scores: undefined };
  const scores = outlierScores(points, labels, K);
  const bic = bicOf(labels, K, cost, effectiveDimension(points));
  return { bic, outlierScore: scores.scores, scores };
}
