/**
 * Least squares by QR with column pivoting: the shortest x of those that make ‖b − A x‖ least.
 *
 * Scaling    columns of A by powers of two to lengths from 1 to 2, b to entries below 2: units cost no digits
 * Factors    A S⁻¹ P = Q R (`pivoted-qr.ts`);  the rank r counts R_kk above tolerance · R_00
 * r = n      R z = the first n of Qᵀ b;  x = S⁻¹ P z
 * r < n      the first r rows of R Pᵀ S are T, and T x = the first r of Qᵀ b is solved by Tᵀ = Z L: the x in the span of its rows,
 *            once corrected among the r columns
 *
 * 4 m n² operations, 2 m n² of them for the second factorisation at most, and 4 m n for each b.
 * Golub, Van Loan: Matrix Computations, 4th edition, sections 5.4.1, 5.5.2 and 5.5.6.
 */
import { CurvatureError } from "../errors.js";
import { maxAbs, norm2, powerOfTwoBelow } from "../kernels/vector.js";
import { badArgument, integerFrom, nonNegative, type OptionsOf, optionTable, positive } from "../options.js";
import { type DenseMatrix, type MatrixLike, toDense } from "./matrix.js";
import { decreasingRows, PivotedQr } from "./pivoted-qr.js";
import { checkOperations } from "./svd.js";

export const linearLeastSquaresOptions = optionTable({
  /**
   * A column counts in the rank where more than this share of its length is left of it beside the columns before it.
   * Left out: max(m, n) · 2⁻⁵².
   */
  tolerance: nonNegative,
  /** d, how many right-hand sides b holds: column i of m × d numbers, row after row. */
  rightSides: integerFrom(1).default(1),
  /** Operations from which on it is refused; 1e12 take some ten minutes. */
  maxOperations: positive.default(1e12),
});
export type LinearLeastSquaresOptions = OptionsOf<typeof linearLeastSquaresOptions>;

export interface LinearLeastSquaresResult {
  /** x, n × d, row after row. */
  readonly x: Float64Array;
  /** d: ‖b − A x‖₂, measured. */
  readonly residualNorms: Float64Array;
  /** r, as the tolerance decides; below n there are other x as good, and this one is the shortest. */
  readonly rank: number;
  /** That of the rank: the option, or max(m, n) · 2⁻⁵². */
  readonly tolerance: number;
  /** n: the columns of A as they were chosen; the first r of them span the others to within the tolerance. */
  readonly columns: Int32Array;
}

const EPSILON = 2 ** -52;
/** Numbers below it have no reciprocal with room to spare. */
const TINY = 2 ** -960;

/**
 * x with ‖b − A x‖ least; of many x the shortest. Columns of different units make no difference to the rank: it looks at each
 * column beside its own length.
 *
 * @example
 * // the line through (0, 1), (1, 3), (2, 5)
 * linearLeastSquares([[1, 0], [1, 1], [1, 2]], [1, 3, 5]).x; // 1 + 2 t
 *
 * @param A - m × n, of any shape, finite
 * @param b - m numbers, or m × d, row after row
 * @throws CurvatureError ERR_SHAPE; ERR_NON_FINITE, also where x is beyond the range of float64; ERR_ARGUMENT for b that are no
 *   numbers; ERR_OPTION, also where it would take more than `maxOperations`
 */
export function linearLeastSquares(
  A: MatrixLike,
  b: ArrayLike<number>,
  options?: LinearLeastSquaresOptions,
): LinearLeastSquaresResult {
  const where = "linearLeastSquares";
  const settings = linearLeastSquaresOptions.resolve(where, options);
  const matrix = toDense(A, `${where}: A`);
  const { rows: m, columns: n } = matrix;
  const d = settings.rightSides;
  checkRightSides(b, m, d);
  checkOperations(where, 4 * m * n * Math.min(m, n), settings.maxOperations, matrix);
  const tolerance = settings.tolerance ?? Math.max(m, n) * EPSILON;
  const solver = new Solver(matrix, tolerance);
  const x = new Float64Array(n * d);
  const residualNorms = new Float64Array(d);
  const right = new Float64Array(m);
  for (let side = 0; side < d; side++) {
    for (let i = 0; i < m; i++) right[i] = b[i * d + side];
    residualNorms[side] = solver.solve(right, x, d, side);
  }
  return { x, residualNorms, rank: solver.rank, tolerance, columns: solver.qr.order };
}

class Solver {
  readonly qr: PivotedQr;
  readonly rank: number;
  /** S */
  private readonly units: Float64Array;
  private readonly rowOrder: Int32Array;
  /** Where r < n. */
  private readonly shortest: ShortestSolution | undefined;

  constructor(
    private readonly A: DenseMatrix,
    tolerance: number,
  ) {
    const { rows: m, columns: n, data } = A;
    const columns = new Float64Array(n * m);
    for (let i = 0; i < m; i++) for (let j = 0; j < n; j++) columns[j * m + i] = data[i * n + j];
    this.units = new Float64Array(n);
    const size = new Float64Array(m);
    for (let j = 0; j < n; j++) {
      const column = columns.subarray(j * m, (j + 1) * m);
      this.units[j] = powerOfTwoBelow(lengthOf(column));
      for (let i = 0; i < m; i++) {
        column[i] /= this.units[j];
        size[i] = Math.max(size[i], Math.abs(column[i]));
      }
    }
    this.rowOrder = decreasingRows(size);
    const row = new Float64Array(m);
    for (let j = 0; j < n; j++) {
      const column = columns.subarray(j * m, (j + 1) * m);
      for (let p = 0; p < m; p++) row[p] = column[this.rowOrder[p]];
      column.set(row);
    }
    this.qr = new PivotedQr(columns, m, n);
    const { diagonal, steps } = this.qr;
    let rank = 0;
    while (rank < steps && Math.abs(diagonal[rank]) > tolerance * Math.abs(diagonal[0])) rank++;
    this.rank = rank;
    if (rank < n) this.shortest = new ShortestSolution(this.qr, rank, this.units);
  }

  /** Writes x into column `side` of d; returns ‖b − A x‖. */
  solve(b: Float64Array, x: Float64Array, d: number, side: number): number {
    const { A, qr, rank, units, rowOrder } = this;
    const { rows: m, columns: n, data } = A;
    let largest = 0;
    for (let i = 0; i < m; i++) largest = Math.max(largest, Math.abs(b[i]));
    const unit = powerOfTwoBelow(largest);
    const y = Float64Array.from(rowOrder, (i) => b[i] / unit);
    qr.applyTransposed(y);
    const z = this.shortest?.solve(y) ?? new Float64Array(n);
    this.correct(z, y);
    for (let j = 0; j < n; j++) {
      x[j * d + side] = z[j] === 0 ? 0 : z[j] * (unit / units[j]);
      if (!Number.isFinite(x[j * d + side])) throw beyondRange(j, rank, n);
    }
    const residual = new Float64Array(m);
    for (let i = 0; i < m; i++) {
      let sum = b[i] / unit;
      for (let j = 0; j < n; j++) sum -= (data[i * n + j] / units[j]) * z[j];
      residual[i] = sum;
    }
    return norm2(residual) * unit;
  }

  /**
   * Adds to z, in the order of A's columns, what the first r of them lack of y: all of it where z is 0, and beside the shortest x
   * what rounding has made of small entries beside large ones.
   */
  private correct(z: Float64Array, y: Float64Array): void {
    const { qr, rank } = this;
    const { order } = qr;
    if (rank < order.length)
      for (let i = 0; i < rank; i++)
        for (let k = i; k < order.length; k++) y[i] -= qr.entry(i, k) * z[order[k]];
    for (let k = rank - 1; k >= 0; k--) {
      const value = y[k] / qr.entry(k, k);
      for (let i = 0; i < k; i++) y[i] -= qr.entry(i, k) * value;
      z[order[k]] += value;
    }
  }
}

/** The shortest x with T x = c, T of full row rank r < n. */
class ShortestSolution {
  private readonly factors: PivotedQr;
  /** Of each row of T: what it was divided by, twice, so that no range is left. */
  private readonly rowUnits: Float64Array;
  private readonly secondUnits: Float64Array;

  constructor(
    qr: PivotedQr,
    private readonly rank: number,
    private readonly units: Float64Array,
  ) {
    const n = units.length;
    const T = new Float64Array(rank * n);
    this.rowUnits = new Float64Array(rank);
    this.secondUnits = new Float64Array(rank);
    for (let i = 0; i < rank; i++) {
      let unit = 0;
      for (let k = i; k < n; k++) if (qr.entry(i, k) !== 0) unit = Math.max(unit, units[qr.order[k]]);
      let largest = 0;
      for (let k = i; k < n; k++) {
        const value = qr.entry(i, k) * (units[qr.order[k]] / unit);
        T[i * n + qr.order[k]] = value;
        largest = Math.max(largest, Math.abs(value));
      }
      this.rowUnits[i] = unit;
      this.secondUnits[i] = powerOfTwoBelow(largest);
      for (let j = 0; j < n; j++) T[i * n + j] /= this.secondUnits[i];
    }
    this.factors = new PivotedQr(T, n, rank, false);
  }

  /** S x, for the first r of c. */
  solve(c: Float64Array): Float64Array {
    const { factors, rank, rowUnits, secondUnits, units } = this;
    const largest = maxAbs(units);
    const unit = largest < TINY ? largest : 1;
    const w = new Float64Array(units.length);
    for (let i = 0; i < rank; i++) {
      let sum = (c[i] * (unit / rowUnits[i])) / secondUnits[i];
      for (let k = 0; k < i; k++) sum -= factors.entry(k, i) * w[k];
      w[i] = sum / factors.entry(i, i);
    }
    factors.apply(w);
    return w.map((value, j) => (value === 0 ? 0 : value * (units[j] / unit)));
  }
}

/** Its largest entry, where the squares of huge ones overflow. */
function lengthOf(column: Float64Array): number {
  const length = norm2(column);
  return length < Number.POSITIVE_INFINITY ? length : maxAbs(column);
}

function checkRightSides(b: ArrayLike<number>, m: number, d: number): void {
  const where = "linearLeastSquares";
  if (!(Array.isArray(b) || ArrayBuffer.isView(b)))
    throw badArgument(where, "b", `an array of ${m * d} numbers`, b);
  if (b.length !== m * d) {
    throw new CurvatureError(
      "ERR_SHAPE",
      `b must have ${m} x ${d} = ${m * d} numbers, as A has ${m} rows; received ${b.length}.`,
      { where, path: "b", expected: `${m * d} numbers`, received: b.length },
    );
  }
  for (let k = 0; k < b.length; k++) {
    if (Number.isFinite(b[k])) continue;
    throw new CurvatureError(
      "ERR_NON_FINITE",
      `b has ${String(b[k])} at row ${Math.floor(k / d)} (counted from 0). Leave such rows out.`,
      { where, path: `row ${Math.floor(k / d)}`, expected: "a finite number", received: b[k] },
    );
  }
}

function beyondRange(column: number, rank: number, n: number): CurvatureError {
  const remedy = rank === n ? "Scale b or A, or raise tolerance." : "Scale b or A.";
  return new CurvatureError(
    "ERR_NON_FINITE",
    `x is beyond the range of float64 at column ${column} (counted from 0). ${remedy}`,
    { where: "linearLeastSquares", path: `column ${column}` },
  );
}
