/** What objectives on the same comparisons share, whatever their ridge. */
import { fingerprintOf } from "@curvature/optim-core";
import { type Comparisons, comparisonCount } from "./comparisons.js";
import type { OrdinalLoss } from "./loss.js";
import { arePairsShared, PairLosses } from "./pair-losses.js";

export class ComparisonData {
  /** N */
  readonly count: number;
  /** s_q = w_q / Σ w, length N; undefined where all are 1/N. */
  readonly shares: Float64Array | undefined;
  readonly fingerprint: string;
  /** The losses by pairs, where that is less work. */
  readonly pairLosses: PairLosses | undefined;
  private occurrences: Int32Array | undefined;

  /** @param comparisons - checked */
  constructor(
    readonly comparisons: Comparisons,
    readonly loss: OrdinalLoss,
    readonly dimensions: number,
  ) {
    const { objects, quadruplets, weights } = comparisons;
    this.count = comparisonCount(comparisons);
    this.shares = weights === undefined ? undefined : sharesOf(weights);
    this.fingerprint = fingerprintOf("comparisons", objects, quadruplets, weights ?? "even");
    this.pairLosses = arePairsShared(comparisons)
      ? new PairLosses(comparisons, loss, dimensions, this.shares)
      : undefined;
  }

  /** ρ_r = (λ/n)/(comparisons with r in them), length n, 0 where there are none; undefined without a ridge. */
  ridgeShares(ridge: number): Float64Array | undefined {
    if (ridge === 0) return undefined;
    this.occurrences ??= occurrencesOf(this.comparisons);
    const perRow = ridge / this.comparisons.objects;
    return Float64Array.from(this.occurrences, (count) => (count > 0 ? perRow / count : 0));
  }
}

function sharesOf(weights: Float64Array): Float64Array {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

/** In how many comparisons each object is. */
function occurrencesOf({ objects, quadruplets }: Comparisons): Int32Array {
  const occurrences = new Int32Array(objects);
  for (let at = 0; at < quadruplets.length; at += 4) {
    const i = quadruplets[at];
    const j = quadruplets[at + 1];
    const l = quadruplets[at + 2];
    const k = quadruplets[at + 3];
    occurrences[i]++;
    occurrences[j]++;
    if (l !== i && l !== j) occurrences[l]++;
    if (k !== i && k !== j) occurrences[k]++;
  }
  return occurrences;
}
