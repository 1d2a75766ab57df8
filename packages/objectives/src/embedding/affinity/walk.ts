/**
 * The order in which entropic rows are fitted, and what the fits add up to. Each row starts from the β of the row
 * before, so the way goes from neighbour to neighbour: near points have near β.
 */
import { exp } from "@curvature/linalg";
import type { EntropicRow } from "./entropic-row.js";

export interface FitSummary {
  /** β_n, in units of 1/‖y‖²; β = 1/(2σ²). Infinite for rows whose k or more nearest neighbours are tied, and beyond 1.8e308. */
  readonly beta: Float64Array;
  readonly perplexity: number;
  /** Evaluations of the entropy per point. */
  readonly evaluations: { readonly mean: number; readonly most: number };
  /** Sentences about points that have no such β; empty where all have. */
  readonly warnings: readonly string[];
}

/** The way through the points, from neighbour to neighbour, and what it finds. */
export class Walk {
  readonly visited: Uint8Array;
  /** Where the next row starts. */
  logBeta = 0;
  current = 0;
  done: boolean;
  private readonly beta: Float64Array;
  private readonly tied: number[] = [];
  private readonly unresolved: number[] = [];
  private evaluations = 0;
  private most = 0;
  private lowest = 0;

  constructor(
    private readonly N: number,
    private readonly perplexity: number,
  ) {
    this.visited = new Uint8Array(N);
    this.visited.fill(1, 0, 1);
    this.done = N === 0;
    this.beta = new Float64Array(N);
  }

  /** Takes the fitted row of the current point and goes to `next`, or if that is −1 to the first unvisited point. */
  record(row: EntropicRow, next: number): void {
    this.beta[this.current] = exp(row.logBeta);
    this.evaluations += row.evaluations;
    this.most = Math.max(this.most, row.evaluations);
    if (row.tied > this.perplexity) this.tied.push(this.current);
    else if (!row.converged) this.unresolved.push(this.current);
    else if (row.tied === 0) this.logBeta = row.logBeta;
    if (next < 0) {
      while (this.lowest < this.N && this.visited[this.lowest] === 1) this.lowest += 1;
      this.done = this.lowest === this.N;
    }
    this.current = next < 0 ? this.lowest : next;
    if (!this.done) this.visited[this.current] = 1;
  }

  summary(): FitSummary {
    const { beta, perplexity, most } = this;
    const warnings: string[] = [];
    if (this.tied.length > 0) {
      warnings.push(
        `${counted(this.tied)} more equally near nearest neighbours (duplicates, for instance) than the ` +
          `perplexity ${perplexity}, which cannot be reached there; the affinities are uniform on those neighbours.`,
      );
    }
    if (this.unresolved.length > 0) {
      warnings.push(
        `${counted(this.unresolved)} distances too uneven for the perplexity ${perplexity} to be reached in double precision.`,
      );
    }
    return {
      beta,
      perplexity,
      evaluations: { mean: this.evaluations / Math.max(this.N, 1), most },
      warnings,
    };
  }
}

function counted(points: readonly number[]): string {
  const first = points.reduce((least, point) => Math.min(least, point));
  return points.length === 1
    ? `Point ${first} has`
    : `${points.length} points (the first is point ${first}) have`;
}
