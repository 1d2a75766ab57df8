/** What a reader of answers gives. */
import type { Excluded } from "./answer-filters.js";
import type { ComparisonsOptions } from "./comparison-options.js";

export interface ComparisonTable {
  readonly comparisons: {
    /** The number of objects, n. */
    readonly objects: number;
    /** i, j, l, k of each comparison, one after the other; a triplet i, j, k is i, j, i, k. */
    readonly quadruplets: Int32Array;
    /** One for each comparison, if the table has a column of them, or ties. */
    readonly weights: Float64Array | undefined;
  };
  /** What the lines were taken for. */
  readonly kind: Exclude<NonNullable<ComparisonsOptions["kind"]>, "auto">;
  /**
   * The trial of each comparison, counted from 0: by its column, or else its line where lines of this kind say more than one
   * comparison; undefined where each line says one.
   */
  readonly trial: Int32Array | undefined;
  /** Whose each comparison is: the place in `participants`; undefined without that column. */
  readonly participant: Int32Array | undefined;
  /** In the order in which they first appear. */
  readonly participants: readonly string[] | undefined;
  /** Of each comparison 1 if it is the test's, else 0; undefined without `split`. */
  readonly held: Uint8Array | undefined;
  /** Of the n objects, those given as known, or in the order in which they first appear; undefined for indices. */
  readonly names: readonly string[] | undefined;
  /** The line of each comparison, counted from 1. */
  readonly lines: Int32Array;
  /** Comparisons that say again what an earlier one said. */
  readonly duplicates: number;
  /** Questions that were answered both ways. */
  readonly contradictions: number;
  /** Answers that say "equally near", and ratings that are equal. */
  readonly ties: number;
  /** Lines that were dropped because they compare what is the same. */
  readonly dropped: number;
  /** Which lines were dropped, whose, and why. */
  readonly excluded: readonly Excluded[];
  /** Names of columns that were not used. */
  readonly ignored: readonly string[];
  /** What was decided, in sentences. */
  readonly notes: readonly string[];
  /** Sentences on what may be an oversight. */
  readonly warnings: readonly string[];
}
