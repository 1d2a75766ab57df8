/** Where fits begin. */
import { type DenseMatrix, fillNormal, RandomGenerator } from "@curvature/linalg";
import type { OrdinalObjective } from "@curvature/objectives/ordinal";
import { lineStart } from "./line-start.js";
import { centre, spectralStart } from "./spectral-start.js";

/** Standard deviation of a random embedding: small, so that the answers decide where objects go. */
const NOISE = 0.03;
/** From so many objects on, a spectral start was measured to bring nothing, and its matrix is large. */
export const SPECTRAL_BELOW = 1000;

export type InitialEmbedding =
  | { readonly kind: "given"; readonly embedding: DenseMatrix }
  /** "usual": spectral, or from the plane onto a line. */
  | { readonly kind: "usual" | "spectral" | "random" };

/**
 * The initial embedding of each start, from 0: the first as asked for, the others random.
 *
 * @returns whether there is a spectral embedding, and what makes the embeddings
 */
export function initialEmbeddings(
  objective: OrdinalObjective,
  initial: InitialEmbedding,
  seed: number,
): { readonly embeddingOf: (start: number) => Float64Array; readonly isSpectral: boolean } {
  const { comparisons, dimensions, dimension } = objective;
  const { kind } = initial;
  const line = kind === "usual" && dimensions === 1 ? lineStart(objective) : undefined;
  const isSought = kind === "usual" || kind === "spectral";
  const spectral = line ?? (isSought ? spectralStart(comparisons, dimensions) : undefined);
  if (spectral !== undefined) scaleByValue(spectral, objective);
  const first = initial.kind === "given" ? initial.embedding.data : spectral;
  return {
    isSpectral: spectral !== undefined,
    embeddingOf: (start) =>
      start === 0 && first !== undefined
        ? first.slice()
        : randomEmbedding(dimension, dimensions, start, seed),
  };
}

/** At the start's place in one stream of random numbers. */
function randomEmbedding(dimension: number, dimensions: number, start: number, seed: number): Float64Array {
  const random = new RandomGenerator(seed);
  const X = new Float64Array(dimension);
  for (let k = 0; k <= start; k++) fillNormal(random, X);
  centre(X, dimensions);
  return X.map((x) => NOISE * x);
}

/** X times that of 2⁻⁵ … 2³ which has the least F: losses have a scale of their own. */
function scaleByValue(X: Float64Array, objective: OrdinalObjective): void {
  const scaled = new Float64Array(X.length);
  let best = 1;
  let least = Number.POSITIVE_INFINITY;
  for (let factor = 2 ** -5; factor <= 2 ** 3; factor *= 2) {
    for (let k = 0; k < X.length; k++) scaled[k] = factor * X[k];
    const value = objective.evaluate(scaled);
    if (value < least) {
      least = value;
      best = factor;
    }
  }
  for (let k = 0; k < X.length; k++) X[k] *= best;
}
