/**
 * Principal components: the directions of largest variance of N points in D dimensions, and the points' coordinates
 * along them.
 *
 * Problem    B = (X − 1 mᵀ) / s, m the means, s the largest deviation;  BᵀB v = λ v for the k largest λ;
 *            scores (X − 1 mᵀ) v, variances s² λ / (N − 1)
 * Way        Lanczos on the smaller of BᵀB (D × D) and BBᵀ (N × N; then v = Bᵀu, normalised). Of dense points that matrix
 *            is formed, block by block, where that is predicted to be less work (`dense-deviations.ts`: always below
 *            1000 × 1000, for 50 components of many points up to some 1400); beyond it eight vectors together are
 *            multiplied by B, centred and stored, and back. Of sparse points there are only products with B as it is, so
 *            that nothing of size D × D or N × N is stored then, and never a zero of a sparse point. λ below 1e-6 of the
 *            largest, which squares have taken digits of, are found once more, with B less its shares along the v before them.
 *
 * | symbol | variable  | shape                    |
 * |--------|-----------|--------------------------|
 * | X      | X         | N × D                     |
 * | m      | means     | D                         |
 * | 1/s    | inverse   | so that no square overflows |
 *
 * Jolliffe: Principal Component Analysis, 2nd edition, Springer 2002, sections 1.1 and 3.5. Time N D min(N, D)
 * operations where the matrix is formed, otherwise 4 N D (4 times the entries of sparse points) for each of some hundred
 * products.
 */
import { project } from "../eigen/orthogonal.js";
import { orientRows } from "../eigen/pairs.js";
import { CurvatureError } from "../errors.js";
import { maxAbs, norm2, scale } from "../kernels/vector.js";
import { havingMethod, integerFrom, type OptionsOf, optionTable, type SettingsOf } from "../options.js";
import { SparseDeviations } from "../sparse/sparse-deviations.js";
import { isSparse, type SparseMatrixLike, toSparse } from "../sparse/to-sparse.js";
import { DenseDeviations } from "./dense-deviations.js";
import type { Deviations } from "./deviations.js";
import { type DenseMatrix, toDense, zeros } from "./matrix.js";
import type { PrincipalThreads } from "./principal-threads.js";

export const principalComponentsOptions = optionTable({
  /** k, how many components. */
  count: integerFrom(1).default(2),
  /** Of the eigensolver's start. */
  seed: integerFrom(0).default(0),
  /**
   * Those of `principalThreads` (`@curvature/linalg/threads`), of use for dense points whose components take some 0.3 s and
   * more with SIMD; the result has the same bits. They take another copy of the points, in shared memory. Left out: the
   * caller's thread does it alone.
   */
  threads: havingMethod<PrincipalThreads>("share", "threads of principalThreads"),
});
export type PrincipalComponentsOptions = OptionsOf<typeof principalComponentsOptions>;

export interface PrincipalComponents {
  /** N × k: the points' coordinates along the components, about the mean. */
  readonly scores: DenseMatrix;
  /** k × D: rows of length 1, orthogonal, the largest entry in magnitude positive; rows of zeros beyond the rank. */
  readonly components: DenseMatrix;
  /** k, decreasing; the variances (with 1/(N − 1)) of the columns of `scores`. */
  readonly variances: Float64Array;
  /** The sum of the variances of all D columns, for shares. */
  readonly totalVariance: number;
  /** D */
  readonly means: Float64Array;
}

/** A λ below this share of the largest of its search has lost digits to the squares: it is sought by itself. */
const MIN_SHARE = 1e-6;
const EPSILON = 2 ** -52;

/**
 * Numbers that components and scores may take together, 4 GiB: a stray column number of sparse points asks for all below it.
 */
const MAX_NUMBERS = 2 ** 29;

/**
 * Beyond the rank of the centred data (which is below N, and at most D) scores, components and variances are 0; so they are where
 * a component varies by less than max(N, D) · 2⁻⁵² of the first, or than the points are rounded, which is lost to rounding.
 * Constant columns are harmless. A variance beyond the range of float64 is Infinity or 0; its component is right.
 *
 * @param data - N × D, a row for each point; a sparse matrix stays sparse
 * @throws CurvatureError ERR_SHAPE without rows and for what is no matrix, ERR_NON_FINITE, ERR_OPTION;
 *   ERR_MEMORY for components and scores of more than 2²⁹ numbers together; ERR_NO_CONVERGENCE for sparse points whose
 *   largest variances hardly differ
 */
export function principalComponents(
  data: SparseMatrixLike,
  options?: PrincipalComponentsOptions,
): PrincipalComponents {
  const settings = principalComponentsOptions.resolve("principalComponents", options);
  const { count } = settings;
  const name = "principalComponents: data";
  const X = isSparse(data) ? toSparse(data, name) : toDense(data, name);
  if (X.rows === 0) {
    throw new CurvatureError("ERR_SHAPE", "data has no rows. Give at least one point.", {
      where: "principalComponents",
      path: "data",
    });
  }
  const numbers = count * (X.rows + X.columns);
  if (numbers > MAX_NUMBERS) {
    const size = ((8 * numbers) / 2 ** 30).toPrecision(3);
    throw new CurvatureError(
      "ERR_MEMORY",
      `${count} components of ${X.rows} points in ${X.columns} columns take ${size} GiB, more than the 4 GiB that there is room for. Ask for fewer components; where most columns are empty, number those that are not from 0.`,
      {
        where: "principalComponents",
        path: "data",
        expected: `at most ${MAX_NUMBERS} numbers`,
        received: numbers,
      },
    );
  }
  const B =
    "rowPointers" in X ? new SparseDeviations(X, count) : new DenseDeviations(X, count, settings.threads);
  try {
    return componentsOf(B, settings);
  } finally {
    B.end();
  }
}

function componentsOf(
  B: Deviations,
  settings: SettingsOf<typeof principalComponentsOptions>,
): PrincipalComponents {
  const { count } = settings;
  const components = zeros(count, B.columns);
  const variances = new Float64Array(count);
  const toVariance = (squares: number): number => squares / Math.max(1, B.rows - 1) / B.inverse / B.inverse;
  const isVaried = B.squares > 0;
  if (isVaried) {
    leadingPairs(B, settings, components, variances);
    for (let i = 0; i < count; i++) variances[i] = toVariance(variances[i]);
  }
  return {
    scores: isVaried ? B.scores(components) : zeros(B.rows, count),
    components,
    variances,
    totalVariance: toVariance(B.squares),
    means: B.means,
  };
}

/**
 * The pairs of BᵀB within the rank, as rows of `components` and their λ. Squares keep only half of the digits: where a λ is small
 * beside the largest, it is sought again in what is left of B without the components found until then.
 */
function leadingPairs(
  B: Deviations,
  { count, seed }: SettingsOf<typeof principalComponentsOptions>,
  components: DenseMatrix,
  lambda: Float64Array,
): void {
  const { rows: N, columns: D } = B;
  const most = Math.min(count, N, D);
  const scratch = new Float64Array(count);
  let least = 0;
  for (let found = 0; found < most; ) {
    const before = { rows: found, columns: D, data: components.data.subarray(0, found * D) };
    const { values, vectors } = B.pairs({ seed, tolerance: 1e-12, least }, before);
    if (found === 0) least = leastShare(B) * values[0] + roundingOfMeans(B);
    const kept = values.filter((value) => value > least && value > MIN_SHARE * values[0]).length;
    if (kept === 0) break;
    const leading = { ...vectors, rows: kept };
    const V = D <= N ? leading : B.combined(leading);
    for (let i = 0; i < kept; i++, found++) {
      const v = components.data.subarray(found * D, (found + 1) * D);
      v.set(V.data.subarray(i * D, (i + 1) * D));
      scale(1 / norm2(v), v);
      project({ data: components.data, count: found }, v, scratch);
      scale(1 / norm2(v), v);
      lambda[found] = found === 0 ? values[i] : Math.min(values[i], lambda[found - 1]);
    }
  }
  orientRows(components);
}

/** What rounding leaves of λ, as a share of the largest. */
const leastShare = ({ rows, columns }: Deviations): number => (Math.max(rows, columns) * EPSILON) ** 2;

/** λ of what rounding of the points themselves may be, far from 0 as they are. */
function roundingOfMeans({ rows, columns, means, inverse }: Deviations): number {
  const entry = EPSILON * maxAbs(means) * inverse;
  return 4 * Math.max(rows, columns) * entry * entry;
}
