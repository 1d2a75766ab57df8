/** What becomes of the fits of all rows, and what they add up to. */
import { exp } from "@curvature/linalg";
import type { Weights } from "../objective.js";
import { type Memory, owned } from "../threads/memory.js";
import { EntropicRow } from "./entropic-row.js";

export interface FitSummary {
  /** β_n, in units of 1/‖y‖²; β = 1/(2σ²). Infinite for rows whose k or more nearest neighbours are tied, and beyond 1.8e308. */
  readonly beta: Float64Array;
  readonly perplexity: number;
  /** Evaluations of the entropy per point. */
  readonly evaluations: { readonly mean: number; readonly most: number };
  /** Sentences about points that have no such β; empty where all have. */
  readonly warnings: readonly string[];
}

export interface EntropicAffinities extends FitSummary {
  /** p_m|n at (n, m): rows sum to 1, zero diagonal, not symmetric. Dense for all pairs, else sparse. */
  readonly conditional: Weights;
}

/** Row by row; threads that fit rows have them in common. */
export interface FitArrays {
  readonly beta: Float64Array;
  readonly evaluations: Int32Array;
  /** How each fit ended: one of the three below. */
  readonly ends: Int32Array;
}

const FITTED = 0;
const TIED = 1;
const UNRESOLVED = 2;

export const emptyFits = (rows: number, { numbers, integers }: Memory): FitArrays => ({
  beta: numbers(rows),
  evaluations: integers(rows),
  ends: integers(rows),
});

export class RowFits {
  /** Takes the distances of the row that is fitted next, and has its affinities afterwards. */
  readonly row: EntropicRow;

  /** @param candidates - of each row */
  constructor(
    private readonly arrays: FitArrays,
    candidates: number,
    private readonly perplexity: number,
  ) {
    this.row = new EntropicRow(candidates, perplexity);
  }

  /** Fits row n, and returns the log β at which one that is near may start. */
  fit(n: number, logBeta: number): number {
    const { row, arrays, perplexity } = this;
    row.fit(logBeta);
    arrays.beta[n] = exp(row.logBeta);
    arrays.evaluations[n] = row.evaluations;
    arrays.ends[n] = row.tied > perplexity ? TIED : row.converged ? FITTED : UNRESOLVED;
    return row.converged && row.tied === 0 ? row.logBeta : logBeta;
  }

  /** Row n's ties are of rounding, and nothing to be warned of. */
  excuse(n: number): void {
    if (this.arrays.ends[n] === TIED) this.arrays.ends[n] = FITTED;
  }
}

/** When all rows are fitted. */
export function summaryOf({ beta, evaluations, ends }: FitArrays, perplexity: number): FitSummary {
  const warnings: string[] = [];
  const tied = pointsThat(ends, TIED);
  if (tied !== undefined) {
    warnings.push(
      `${tied} more equally near nearest neighbours (duplicates, for instance) than the ` +
        `perplexity ${perplexity}, which cannot be reached there; the affinities are uniform on those neighbours.`,
    );
  }
  const unresolved = pointsThat(ends, UNRESOLVED);
  if (unresolved !== undefined) {
    warnings.push(
      `${unresolved} distances too uneven for the perplexity ${perplexity} to be reached in double precision.`,
    );
  }
  let [sum, most] = [0, 0];
  for (const count of evaluations) {
    sum += count;
    if (count > most) most = count;
  }
  const mean = sum / Math.max(evaluations.length, 1);
  return { beta: owned(beta), perplexity, evaluations: { mean, most }, warnings };
}

/** A sentence's beginning; undefined where there are none. */
function pointsThat(ends: Int32Array, end: number): string | undefined {
  const first = ends.indexOf(end);
  if (first < 0) return undefined;
  let count = 0;
  for (const each of ends) if (each === end) count += 1;
  return count === 1 ? `Point ${first} has` : `${count} points (the first is point ${first}) have`;
}
