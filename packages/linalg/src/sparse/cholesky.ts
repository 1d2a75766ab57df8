/**
 * Sparse Cholesky factorisation, left-looking and supernodal, for one pattern with many values and many right-hand
 * sides.
 *
 * Problem    L Lᵀ = P A Pᵀ;  then A X = B by  L Y = P B,  Lᵀ Z = Y,  X = Pᵀ Z.
 * Iteration  for each supernode s, in order, with panel L_s (its columns' rows, h × w):
 *              L_s ← entries of P A Pᵀ
 *              L_s ← L_s − Σ_d L_d[rows of s] L_d[columns of s]ᵀ      d: earlier supernodes with a row among s's columns
 *              L_s ← dense Cholesky of its triangle, the rows below times the triangle's inverse transpose
 *            The d of s wait in a list: each finished supernode hangs in the list of that supernode whose columns hold
 *            its first row not yet used.
 *
 * | symbol | variable                  | shape                                              |
 * |--------|---------------------------|----------------------------------------------------|
 * | P      | `analysis.order`          | n                                                  |
 * | L      | `panels`                  | row-major panels, one after the other              |
 * | s, d   | `s`, `d`                  | supernodes                                         |
 *
 * Ng, Peyton: Block sparse Cholesky algorithms on advanced uniprocessor computers. SIAM J. Sci. Comput. 14 (1993)
 * 1034-1056. doi:10.1137/0914063.
 * Differs from it: the products are subtracted where they belong at once, without a buffer and a scatter.
 */
import { checkBlock } from "../blocks.js";
import { CurvatureError } from "../errors.js";
import type { SupernodeMemory } from "../kernels/supernode-memory.js";
import { installed } from "../kernels/table.js";
import { allocated } from "../memory.js";
import { type OptionsOf, optionTable, positive } from "../options.js";
import { checkSparseForm } from "./check-sparse.js";
import {
  anAnalysis,
  analyzeCholesky,
  type CholeskyAnalysis,
  choleskyAnalysisOptions,
  samePattern,
} from "./cholesky-analysis.js";
import type { SparseMatrix } from "./csr.js";
import { inverseDiagonal } from "./inverse-diagonal.js";
import {
  enterValues,
  type PanelEntries,
  panelEntries,
  permutedPositions,
  placeRows,
} from "./panel-entries.js";
import { factorPanel, updatePanel } from "./supernode-kernels.js";
import { solvePair, solveSingle } from "./supernode-solve.js";
import { type Supernodes, supernodes } from "./supernodes.js";
import { fromTriplets } from "./triplets.js";

export const choleskyOptions = optionTable({
  /** Of the same pattern, from `analyzeCholesky`. Left out: it is made here. */
  analysis: anAnalysis,
  /** Where no analysis is given, as of `analyzeCholesky`. */
  ...choleskyAnalysisOptions.entries,
  /** The most nonzeros that L may have; 5e7 take some 0.5 GB. */
  maxFactorNonzeros: positive.default(5e7),
});
export type CholeskyOptions = OptionsOf<typeof choleskyOptions>;

/** A pivot below this share of its diagonal entry is rounding, not curvature. */
const MIN_PIVOT = 1e-14;

export class SparseCholesky {
  /** The order, the tree and the counts that the factor is built on. */
  readonly analysis: CholeskyAnalysis;
  private readonly layout: Supernodes;
  private readonly memory: SupernodeMemory | undefined;
  private readonly panels: Float64Array;
  private readonly entries: PanelEntries;
  /** Of each column the value that its pivot must exceed. */
  private readonly least: Float64Array;
  /** Of each row where it begins in `panels`, for the supernode at work. */
  private readonly place: Int32Array;
  /** The first of the finished supernodes that wait for each supernode, and who follows whom; −1: none. */
  private readonly waiting: Int32Array;
  private readonly following: Int32Array;
  /** The first row of each finished supernode that is not used yet, as a place in its list. */
  private readonly cursor: Int32Array;
  /** One or two right-hand sides in the order of L. */
  private readonly work: Float64Array;
  private factored = false;

  /**
   * Factors A.
   *
   * A matrix counts as not positive definite when a pivot is at most 1e-14 of its diagonal entry. Rounding may leave
   * a singular matrix more than that: then it is factored, and its solutions are as large as that pivot is small.
   *
   * @param A - n × n, symmetric positive definite, both triangles stored
   * @throws CurvatureError ERR_SHAPE unless A is square; ERR_ARGUMENT unless it is symmetric, or when `analysis` is of
   *   another pattern; ERR_NON_FINITE; ERR_MEMORY when L would have more than `maxFactorNonzeros`;
   *   ERR_NOT_POSITIVE_DEFINITE; ERR_OPTION
   */
  constructor(A: SparseMatrix, options?: CholeskyOptions) {
    const settings = choleskyOptions.resolve("SparseCholesky", options);
    this.analysis = settings.analysis ?? analyzeCholesky(A, { ordering: settings.ordering });
    this.checkPattern(A);
    checkBudget(this.analysis.factorNonzeros, settings.maxFactorNonzeros);
    const permuted = permutedPositions(A, this.analysis.order);
    this.layout = supernodes(permuted, this.analysis.parent, this.analysis.columnCounts);
    const { count, panelsLength } = this.layout;
    this.memory = installed.supernodes?.(this.layout);
    this.panels = this.memory?.panels ?? panelsOf(panelsLength);
    this.entries = panelEntries(A, permuted, this.layout);
    this.least = new Float64Array(A.rows);
    this.place = new Int32Array(A.rows);
    this.waiting = new Int32Array(count);
    this.following = new Int32Array(count);
    this.cursor = new Int32Array(count);
    this.work = this.memory?.work ?? new Float64Array(2 * A.rows);
    this.refactor(A);
  }

  /** n */
  get size(): number {
    return this.analysis.order.length;
  }

  /**
   * Factors a matrix of the same pattern, without allocating. Should it fail, there is no factor any more.
   *
   * @throws CurvatureError ERR_ARGUMENT unless A is symmetric with the pattern of the first matrix; ERR_NON_FINITE;
   *   ERR_NOT_POSITIVE_DEFINITE, with the row of A as `path` and the pivot as `received`
   */
  refactor(A: SparseMatrix): void {
    this.checkPattern(A);
    this.factored = false;
    enterValues(A, this.entries, this.panels);
    this.setLeastPivots();
    this.waiting.fill(-1);
    for (let s = 0; s < this.layout.count; s++) this.factorSupernode(s);
    this.factored = true;
  }

  /**
   * X with A X = B, without allocating.
   *
   * @param B - n × d, row-major (entry (n, i) at n·d + i)
   * @param d - how many right-hand sides; two together cost little more than one
   * @param out - n × d, for X; may be B itself
   * @throws CurvatureError ERR_SHAPE; ERR_NOT_POSITIVE_DEFINITE after a `refactor` that failed
   */
  solve(B: Float64Array, d: number, out: Float64Array): void {
    checkBlock("SparseCholesky.solve", "B", B, this.size, d);
    checkBlock("SparseCholesky.solve", "out", out, this.size, d);
    this.checkFactored();
    for (let c = 0; c < d; c += 2) {
      if (c + 1 < d || this.memory !== undefined) this.solveColumns(B, d, c, out);
      else this.solveColumn(B, d, c, out);
    }
  }

  /** Columns c and c + 1 of B and `out`; where c is the last one, zeros stand in for the other. */
  private solveColumns(B: Float64Array, d: number, c: number, out: Float64Array): void {
    const { work } = this;
    const { order } = this.analysis;
    const isPair = c + 1 < d;
    for (let k = 0; k < order.length; k++) {
      const from = order[k] * d + c;
      work[2 * k] = B[from];
      work[2 * k + 1] = isPair ? B[from + 1] : 0;
    }
    if (this.memory === undefined) solvePair(this.layout, this.panels, work);
    else this.memory.solvePair();
    for (let k = 0; k < order.length; k++) {
      const to = order[k] * d + c;
      out[to] = work[2 * k];
      if (isPair) out[to + 1] = work[2 * k + 1];
    }
  }

  private solveColumn(B: Float64Array, d: number, c: number, out: Float64Array): void {
    const { layout, panels, work } = this;
    const { order } = this.analysis;
    for (let k = 0; k < order.length; k++) work[k] = B[order[k] * d + c];
    solveSingle(layout, panels, work);
    for (let k = 0; k < order.length; k++) out[order[k] * d + c] = work[k];
  }

  /** L as a matrix, lower triangular in the order of `analysis.order`, entries that are 0 left out: L Lᵀ = P A Pᵀ. */
  factor(): SparseMatrix {
    const { first, height, rows, rowStart, panelStart, count } = this.layout;
    const triplets = { rows: [] as number[], columns: [] as number[], values: [] as number[] };
    for (let s = 0; s < count; s++) {
      const width = first[s + 1] - first[s];
      for (let i = 0; i < height[s]; i++) {
        for (let k = 0; k < width && k <= i; k++) {
          const value = this.panels[panelStart[s] + i * width + k];
          if (value === 0) continue;
          triplets.rows.push(rows[rowStart[s] + i]);
          triplets.columns.push(first[s] + k);
          triplets.values.push(value);
        }
      }
    }
    return fromTriplets(this.size, this.size, triplets, "factor");
  }

  /** The diagonal of A⁻¹, in the order of A, by its entries in the pattern of L alone. @throws CurvatureError as `solve` */
  inverseDiagonal(): Float64Array {
    this.checkFactored();
    const { order } = this.analysis;
    const diagonal = new Float64Array(this.size);
    for (const [k, entry] of inverseDiagonal(this.factor()).entries()) diagonal[order[k]] = entry;
    return diagonal;
  }

  private factorSupernode(s: number): void {
    const { layout, panels, place, waiting, following, cursor } = this;
    const { first, height, rows, rowStart, panelStart } = layout;
    const end = first[s + 1];
    placeRows(layout, s, place);
    for (let d = waiting[s]; d !== -1; ) {
      const next = following[d];
      const from = cursor[d];
      const width = first[d + 1] - first[d];
      let to = from;
      while (to < height[d] && rows[rowStart[d] + to] < end) to++;
      updatePanel(panels, panelStart[d], width, rows, rowStart[d], from, to, height[d], place, first[s]);
      this.wait(d, to);
      d = next;
    }
    const width = end - first[s];
    const failed = factorPanel(panels, panelStart[s], width, height[s], this.least, first[s]);
    if (failed !== -1)
      throw this.notPositiveDefinite(first[s] + failed, panels[panelStart[s] + failed * (width + 1)]);
    this.wait(s, width);
  }

  /** Supernode d is used from its row `from` on: it waits for the supernode that has this row among its columns. */
  private wait(d: number, from: number): void {
    const { rows, rowStart, height, ofColumn } = this.layout;
    if (from === height[d]) return;
    this.cursor[d] = from;
    const s = ofColumn[rows[rowStart[d] + from]];
    this.following[d] = this.waiting[s];
    this.waiting[s] = d;
  }

  private checkFactored(): void {
    if (this.factored) return;
    throw new CurvatureError(
      "ERR_NOT_POSITIVE_DEFINITE",
      "There is no factor to solve with: the last refactor failed.",
    );
  }

  private setLeastPivots(): void {
    const { first, panelStart, count } = this.layout;
    for (let s = 0; s < count; s++) {
      const width = first[s + 1] - first[s];
      for (let k = 0; k < width; k++) {
        this.least[first[s] + k] = Math.max(0, MIN_PIVOT * this.panels[panelStart[s] + k * (width + 1)]);
      }
    }
  }

  private notPositiveDefinite(column: number, pivot: number): CurvatureError {
    const row = this.analysis.order[column];
    return new CurvatureError(
      "ERR_NOT_POSITIVE_DEFINITE",
      `The matrix is not positive definite to working precision: eliminating row ${row} (counted from 0) leaves the ` +
        `pivot ${pivot}. Add a multiple of the identity to it.`,
      { path: `row ${row}`, expected: `a pivot above ${this.least[column]}`, received: pivot },
    );
  }

  private checkPattern(A: SparseMatrix): void {
    checkSparseForm(A, "SparseCholesky: A");
    if (samePattern(A, this.analysis.matrix)) return;
    throw new CurvatureError(
      "ERR_ARGUMENT",
      "the matrix has another pattern than the one that was analysed. Analyse it anew.",
      { where: "SparseCholesky", path: "A", expected: "the pattern that was analysed" },
    );
  }
}

function checkBudget(nonzeros: number, most: number): void {
  if (nonzeros <= most) return;
  throw new CurvatureError(
    "ERR_MEMORY",
    `The Cholesky factor would have ${nonzeros} nonzeros (${Math.ceil(nonzeros / 125_000)} MB), more than ` +
      `maxFactorNonzeros = ${most}. Use a sparser matrix, or conjugate gradients.`,
    { path: "maxFactorNonzeros", expected: `at most ${most} nonzeros`, received: nonzeros },
  );
}

/** Positions in the panels are kept as 32-bit integers. */
function panelsOf(length: number): Float64Array {
  if (length < 2 ** 31) return allocated(length, "SparseCholesky: the factor");
  throw new CurvatureError(
    "ERR_MEMORY",
    `the factor has ${length} numbers (${Math.ceil(length / 125_000)} MB); less than ${2 ** 31} can be kept.`,
    { where: "SparseCholesky", path: "A", received: length },
  );
}
