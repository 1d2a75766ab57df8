/** What the parts of the experiment with the recipe share: on what they are measured, what they give, and how it is judged. */
import {
  type EmbeddingObjective,
  entropicAffinities,
  jointAffinities,
  tsne,
  type Weights,
} from "@curvature/objectives/embedding";
import { knnPreservation } from "@curvature/optim-spectral";
import type { Table } from "../../report-types.ts";
import type { RecipeRun } from "./recipe-run.ts";
import type { PointSet } from "./sets.ts";

export interface Setting {
  readonly sets: readonly PointSet[];
  /** Points of a set, where it has so many. */
  readonly N: number;
  readonly seed: number;
  readonly isQuick: boolean;
}

/** What came out of one. */
export interface Part {
  /** Changes that made the divergence smaller and kept more neighbours on all data. */
  readonly better?: readonly string[];
  readonly findings: readonly string[];
  readonly tables: readonly Table[];
}

export const affinities = ({ points }: PointSet, perplexity = 30): Weights =>
  jointAffinities(
    entropicAffinities(points, { perplexity, neighbors: Math.ceil(3 * perplexity) }).conditional,
  );
export const model = (set: PointSet, perplexity = 30, dimensions = 2): EmbeddingObjective =>
  tsne(affinities(set, perplexity), { dimensions });
export const divergence = (objective: EmbeddingObjective, { map }: RecipeRun): number =>
  objective.evaluate(map.data) + objective.entropyConstant;
export const kept = ({ points }: PointSet, { map }: RecipeRun): number =>
  knnPreservation(points, map).value ?? Number.NaN;
export const four = (x: number): string => x.toFixed(4);
export const signed = (x: number): string => `${x < 0 ? "−" : "+"}${Math.abs(x).toFixed(4)}`;
