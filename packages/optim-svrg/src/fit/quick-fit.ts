/** One plain minimisation, where a map is a means: many are fitted to parts or samples of the answers. */
import {
  type Comparisons,
  type DifferenceLoss,
  type OrdinalLossName,
  ordinalLoss,
  ordinalObjective,
} from "@curvature/objectives/ordinal";
import { Lbfgs, maxIterations, runSync } from "@curvature/optim-core";
import { initialEmbeddings, SPECTRAL_BELOW } from "./initial-embeddings.js";

/** Iterations in which F must fall by `slowest`. */
const WINDOW = 5;

export interface QuickFit {
  readonly loss: OrdinalLossName | DifferenceLoss;
  readonly dimensions: number;
  readonly ridge: number;
  readonly iterations: number;
  /** Ends it when F has fallen by less than this, relatively, in 5 iterations; 0 is off. */
  readonly slowest?: number;
  readonly seed: number;
  readonly mu?: number;
  readonly alpha?: number | undefined;
  /** Where it begins. Left out: the usual start of fewer than 1000 objects, else random. */
  readonly from?: Float64Array | undefined;
}

/** n × p */
export function quickFit(comparisons: Comparisons, fit: QuickFit): Float64Array {
  const { loss, dimensions, ridge, iterations, slowest = 0, seed, mu, alpha, from } = fit;
  const objective = ordinalObjective(comparisons, ordinalLoss(loss, { mu, alpha, dimensions }), dimensions, {
    ridge,
  });
  const kind = comparisons.objects < SPECTRAL_BELOW ? "usual" : "random";
  const X = from ?? initialEmbeddings(objective, { kind }, seed).embeddingOf(0);
  const values: number[] = [];
  return runSync(new Lbfgs(objective, X), {
    stop: maxIterations(iterations),
    onIteration: ({ value = Number.NaN }) => {
      const before = values[values.push(value) - 1 - WINDOW];
      return !(before - value < slowest * Math.abs(before));
    },
  }).x;
}
