/**
 * Ranks of points by their distance from others: how many m ≠ i are nearer to i than j is, and how many tie with j, itself
 * included. Ties are within τ_ij of each other (`tieTolerance`).
 *
 * With c = x − x̄ and T = (‖c_i‖² − ‖x_i − x_j‖²)/2,
 *
 *   ‖x_i − x_m‖² < ‖x_i − x_j‖²   ⇔   ⟨c_i, c_m⟩ − ‖c_m‖²/2 > T,
 *
 * whose left sides are a matrix product for many i at a time. It rounds, by less than
 *
 *   τ_i = 4 (D + 4) (ε (‖c_i‖² + max_m ‖c_m‖²) + η),   ε = 2⁻⁵², η = 2⁻¹⁰⁷⁴ for what underflows,
 *
 * errors of direct differences on both sides included (Higham, Accuracy and Stability of Numerical Algorithms, 2002,
 * section 3.1). Points further than τ_i + τ_ij/2 from T are counted by their products; the distances of those within it, ties most
 * of all, are computed by direct differences, so that ranks are those of the definition always.
 */
import { type DenseMatrix, gemm, ProductWorkspace } from "@curvature/linalg";
import { squaredRowDistance, tieTolerance } from "@curvature/objectives/embedding";

/** Numbers in the products of a block of points. */
const PRODUCTS = 2 ** 21;
const MAX_ROWS = 64;

export class DistanceRanks {
  /** N × D */
  private readonly points: DenseMatrix;
  private readonly centred: Float64Array;
  /** −‖c_m‖²/2 */
  private readonly halves: Float64Array;
  private readonly largestNorm: number;
  private readonly blockRows: number;
  /** Row by row of a block: ⟨c_i, c_m⟩ − ‖c_m‖²/2. */
  private readonly products: Float64Array;
  private readonly workspace = new ProductWorkspace();
  /** ‖x_i − x_m‖² of the point `measured` for every m where it was asked for, NaN elsewhere. */
  private readonly distances: Float64Array;
  private measured = -1;

  constructor(points: DenseMatrix) {
    const { rows, columns } = points;
    this.points = points;
    this.centred = centredRows(points);
    this.halves = new Float64Array(rows);
    let largest = 0;
    for (let m = 0; m < rows; m++) {
      let norm = 0;
      for (let p = m * columns; p < (m + 1) * columns; p++) norm += this.centred[p] * this.centred[p];
      this.halves[m] = -0.5 * norm;
      if (norm > largest) largest = norm;
    }
    this.largestNorm = largest;
    this.blockRows = Math.max(1, Math.min(MAX_ROWS, Math.floor(PRODUCTS / Math.max(1, rows))));
    this.products = new Float64Array(this.blockRows * rows);
    this.distances = new Float64Array(rows);
  }

  /**
   * Calls `found` with the number of the nearer and of the tied for all j of every i, in order.
   *
   * @param queries - points i; each with its j ≠ i
   */
  forEach(
    queries: readonly { readonly i: number; readonly others: Int32Array }[],
    found: (nearer: number, tied: number) => void,
  ): void {
    const { columns: D, rows: N } = this.points;
    const own = new Float64Array(this.blockRows * D);
    for (let start = 0; start < queries.length; start += this.blockRows) {
      const block = queries.slice(start, start + this.blockRows);
      block.forEach(({ i }, row) => {
        own.set(this.centred.subarray(i * D, (i + 1) * D), row * D);
        this.products.set(this.halves, row * N);
      });
      this.multiply(own, block.length);
      block.forEach(({ i, others }, row) => {
        for (const j of others) this.rank(i, j, row * N, found);
      });
    }
  }

  private multiply(own: Float64Array, count: number): void {
    const { columns: D, rows: N } = this.points;
    const A = { data: own, offset: 0, rowStride: D, columnStride: 1 };
    const transposed = { data: this.centred, offset: 0, rowStride: 1, columnStride: D };
    const C = { data: this.products, offset: 0, rowStride: N, columnStride: 1 };
    gemm(1, count, N, D, A, transposed, C, false, this.workspace);
  }

  private rank(i: number, j: number, start: number, found: (nearer: number, tied: number) => void): void {
    const { products, points, halves, largestNorm } = this;
    const { columns: D, rows: N, data } = points;
    const norm = -2 * halves[i];
    const limit = squaredRowDistance(data, i, data, j, D);
    const threshold = 0.5 * (norm - limit);
    const tie = tieTolerance(data, i, D, limit);
    const rounding = 4 * (D + 4) * (Number.EPSILON * (norm + largestNorm) + Number.MIN_VALUE);
    const high = threshold + (rounding + 0.5 * tie);
    const low = threshold - (rounding + 0.5 * tie);
    // Added as numbers: which way a comparison falls cannot be predicted by a branch.
    let before = 0;
    let perhaps = 0;
    for (let p = start; p < start + N; p++) {
      before += Number(products[p] > high);
      perhaps += Number(products[p] >= low);
    }
    const isAlone = perhaps - before === 1;
    before -= Number(products[start + i] > high);
    if (isAlone) found(before, 1);
    else this.lookCloser(i, limit, tie, start, low, high, (nearer, tied) => found(before + nearer, tied));
  }

  /** The nearer and the tied among points other than i whose products are from `low` to `high`. */
  private lookCloser(
    i: number,
    limit: number,
    tie: number,
    start: number,
    low: number,
    high: number,
    found: (nearer: number, tied: number) => void,
  ): void {
    const { distances, products, points } = this;
    const { columns: D, rows: N, data } = points;
    if (this.measured !== i) distances.fill(Number.NaN);
    this.measured = i;
    let nearer = 0;
    let tied = 0;
    for (let m = 0; m < N; m++) {
      if (products[start + m] < low || products[start + m] > high || m === i) continue;
      if (Number.isNaN(distances[m])) distances[m] = squaredRowDistance(data, i, data, m, D);
      if (distances[m] < limit - tie) nearer++;
      else if (distances[m] <= limit + tie) tied++;
    }
    found(nearer, tied);
  }
}

/** x − x̄, each rounded once. */
function centredRows({ rows, columns, data }: DenseMatrix): Float64Array {
  const mean = new Float64Array(columns);
  for (let m = 0; m < rows; m++) for (let c = 0; c < columns; c++) mean[c] += data[m * columns + c] / rows;
  const out = new Float64Array(data.length);
  for (let m = 0; m < rows; m++)
    for (let c = 0; c < columns; c++) out[m * columns + c] = data[m * columns + c] - mean[c];
  return out;
}
