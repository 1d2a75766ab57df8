/**
 * Multi-scale affinities: the mean of the conditional affinities at several perplexities, over the same neighbours, so that what is near
 * and what is far both have their weight.
 *
 *   p_m|n = (1/S) Σ_s p_m|n(k_s)
 *
 * Kobak, Berens: The art of using t-SNE for single-cell transcriptomics. Nature Communications 10 (2019) 5416; `Multiscale` of openTSNE.
 */
import type { Weights } from "@curvature/objectives/embedding";

interface Fitted {
  readonly warnings: readonly string[];
}

/**
 * @param at - the affinities at one perplexity, in an array that no other call has
 * @param weightsOf - where they are in it
 */
export function* meanOfScales<F extends Fitted>(
  perplexities: readonly number[],
  at: (perplexity: number) => Generator<number, F, void>,
  weightsOf: (fitted: F) => Weights,
): Generator<number, F, void> {
  const mean = yield* at(perplexities[0]);
  const warnings = [...mean.warnings];
  const sum = entriesOf(weightsOf(mean));
  for (const perplexity of perplexities.slice(1)) {
    const next = yield* at(perplexity);
    add(entriesOf(weightsOf(next)), sum);
    warnings.push(...next.warnings);
  }
  divide(sum, perplexities.length);
  return { ...mean, warnings };
}

/** Of one form; in the place of the first. */
export function meanOfEach([first, ...others]: readonly Weights[]): Weights {
  for (const other of others) add(entriesOf(other), entriesOf(first));
  divide(entriesOf(first), 1 + others.length);
  return first;
}

const entriesOf = (weights: Weights): Float64Array => ("data" in weights ? weights.data : weights.values);

function add(values: Float64Array, sum: Float64Array): void {
  for (let p = 0; p < sum.length; p++) sum[p] += values[p];
}

function divide(sum: Float64Array, count: number): void {
  for (let p = 0; p < sum.length; p++) sum[p] /= count;
}
