/** Symmetric matrices that are known by their products with vectors. */
import { zeros } from "../dense/matrix.js";
import { CurvatureError } from "../errors.js";
import { axpy, dot, maxAbs, norm2 } from "../kernels/vector.js";
import { badArgument, shown } from "../options.js";
import type { LinearOperator } from "../solve/linear-conjugate-gradient.js";
import { type EigenPairs, orientRows } from "./pairs.js";
import { checkEigenSize, symmetricEigen } from "./symmetric.js";

/** A v into `out`, A symmetric; v is not to be changed, and neither array to be kept. */
export type SymmetricOperator = LinearOperator;

/** Which end of the spectrum. */
export type SpectrumEnd = "smallest" | "largest";

/** Eigenpairs of an operator, with what they cost. */
export interface OperatorPairs extends EigenPairs {
  /** ‖A u − λ u‖₂, or ‖A u − λ D u‖ in the norm of D⁻¹, of every pair, measured at the end. */
  readonly residuals: Float64Array;
  /**
   * What `residuals` have to be at most: the tolerance times |λ|, and beyond it what rounding leaves, 10 √n ε times the largest
   * |θ| seen.
   */
  readonly limits: Float64Array;
  /** Products with A, the last ones for the residuals included. */
  readonly products: number;
}

/** Up to this n, a product with every unit vector and a dense decomposition are quicker and surer than an iteration. */
export const LARGEST_DENSE = 200;

const EPSILON = 2 ** -52;
/** Entries (i, j) and (j, i) may differ by this share of the largest, or by the tolerance. */
const ASYMMETRY = 1e-8;

/** What residuals are compared with: the tolerance times the |θ| of the pair itself, or of the largest |θ| seen. */
export interface Limits {
  readonly tolerance: number;
  readonly relativeTo: "pair" | "operator";
}

/** Residuals that rounding leaves, of an operator of that size. */
const roundingOf = (size: number, n: number): number =>
  10 * Math.sqrt(n) * EPSILON * size + n * Number.MIN_VALUE;

/** What an iteration's residual is compared with. */
export const target = ({ tolerance, relativeTo }: Limits, value: number, size: number, n: number): number =>
  relativeTo === "operator"
    ? tolerance * size
    : Math.max(tolerance * Math.abs(value), roundingOf(size, n) / 2);

/** All eigenpairs of the operator by n products and a dense decomposition, the first `count` of them from one end. */
export function denseOperatorEigen(
  where: string,
  apply: SymmetricOperator,
  n: number,
  count: number,
  end: SpectrumEnd,
  tolerance: number,
): { values: Float64Array; vectors: Float64Array; size: number } {
  checkEigenSize(n, where);
  const A = zeros(n, n);
  const unit = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    unit[i] = 1;
    const row = A.data.subarray(i * n, (i + 1) * n);
    apply(unit, row);
    if (!Number.isFinite(norm2(row))) throw operatorNotFinite(where);
    unit[i] = 0;
  }
  checkSymmetry(where, A.data, n, Math.max(ASYMMETRY, tolerance));
  const pairs = symmetricEigen(A);
  return { ...pairsFromEnd(pairs, count, end), size: maxAbs(pairs.values) };
}

/** @throws CurvatureError ERR_ARGUMENT that names the entries */
function checkSymmetry(where: string, A: Float64Array, n: number, share: number): void {
  const most = share * maxAbs(A);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) {
      if (Math.abs(A[i * n + j] - A[j * n + i]) <= most) continue;
      throw notSymmetric(
        where,
        `entry (${j}, ${i}) of its matrix (counted from 0) is ${A[i * n + j]} and entry (${i}, ${j}) ${A[j * n + i]}`,
      );
    }
  }
}

function notSymmetric(where: string, what: string, partial?: OperatorPairs): CurvatureError {
  return new CurvatureError(
    "ERR_ARGUMENT",
    `the operator is not symmetric: ${what}. Nonsymmetric eigenproblems are not on offer; of its symmetric part give v to (A v + Aᵀ v) / 2.`,
    { where, path: "apply", expected: "a symmetric operator", partial },
  );
}

/** The first `count` of all pairs, whose values increase, from one end; vectors as rows, one after the other. */
export function pairsFromEnd(
  { values, vectors }: EigenPairs,
  count: number,
  end: SpectrumEnd,
): { values: Float64Array; vectors: Float64Array } {
  const n = vectors.columns;
  const chosen = fromEnd(values.length, count, end);
  const rows = new Float64Array(count * n);
  chosen.forEach((from, to) => {
    rows.set(vectors.data.subarray(from * n, (from + 1) * n), to * n);
  });
  return { values: Float64Array.from(chosen, (i) => values[i]), vectors: rows };
}

/** The places of the first `count` of `size` increasing values, from one end. */
export function fromEnd(size: number, count: number, end: SpectrumEnd): number[] {
  return Array.from({ length: count }, (_, i) => (end === "smallest" ? i : size - 1 - i));
}

/** What a search has come to. */
export interface Searched {
  readonly values: Float64Array;
  /** Rows, one after the other. */
  readonly vectors: Float64Array;
  /** The largest |θ| seen. */
  readonly size: number;
  readonly products: number;
}

/** The pairs with their residuals measured and their limits, the vectors turned to their sign. */
export function measuredPairs(
  apply: SymmetricOperator,
  n: number,
  { values, vectors: rows, size, products }: Searched,
  { tolerance, relativeTo }: Limits,
): OperatorPairs {
  const vectors = { rows: values.length, columns: n, data: rows };
  orientRows(vectors);
  const Au = new Float64Array(n);
  const residuals = values.map((value, i) => {
    const u = rows.subarray(i * n, (i + 1) * n);
    apply(u, Au);
    axpy(-value, u, Au);
    return norm2(Au);
  });
  const rounding = roundingOf(size, n);
  const limits = values.map(
    (value) => tolerance * (relativeTo === "pair" ? Math.abs(value) : size) + rounding,
  );
  return { values, vectors, residuals, limits, products: products + values.length };
}

/**
 * The same, each of them within its limit.
 *
 * @throws CurvatureError ERR_ARGUMENT where one is not, and the operator is seen not to be symmetric; ERR_NO_CONVERGENCE where it
 *   is not, for no such reason; both carry the pairs that are
 */
export function provenPairs(
  where: string,
  apply: SymmetricOperator,
  n: number,
  searched: Searched,
  limits: Limits,
): OperatorPairs {
  const pairs = measuredPairs(apply, n, searched, limits);
  const failed = pairs.residuals.findIndex((residual, i) => !(residual <= pairs.limits[i]));
  if (failed < 0) return pairs;
  const residual = pairs.residuals[failed];
  const partial = partialPairs(where, apply, pairs, searched.size);
  throw new CurvatureError(
    "ERR_NO_CONVERGENCE",
    `the residual of pair ${failed} (counted from 0) is ${residual} when it is measured, above its limit ${pairs.limits[failed]}: products differ from one another by more than rounding. Check the operator, or raise tolerance.`,
    {
      where,
      path: `pair ${failed}`,
      expected: `at most ${pairs.limits[failed]}`,
      received: residual,
      partial,
    },
  );
}

/**
 * The pairs within their limits, of those that an error is to carry.
 *
 * @throws CurvatureError ERR_ARGUMENT, with them, where the residual of one that is not shows that the operator is not symmetric
 */
export function partialPairs(
  where: string,
  apply: SymmetricOperator,
  pairs: OperatorPairs,
  size: number,
): OperatorPairs {
  const partial = withinLimits(pairs);
  const n = pairs.vectors.columns;
  const failed = pairs.residuals.findIndex((residual, i) => !(residual <= pairs.limits[i]));
  if (failed < 0) return partial;
  const u = pairs.vectors.data.subarray(failed * n, (failed + 1) * n);
  const asymmetry = asymmetryAlong(apply, u, pairs.values[failed]);
  if (!(asymmetry > ASYMMETRY * size)) return partial;
  throw notSymmetric(where, `⟨u, A r⟩ and ⟨A u, r⟩ differ by ${asymmetry} for vectors of length 1`, partial);
}

/** |⟨u, A r⟩ − ⟨A u, r⟩| for the residual r of a pair, of length 1. */
function asymmetryAlong(apply: SymmetricOperator, u: Float64Array, value: number): number {
  const Au = new Float64Array(u.length);
  apply(u, Au);
  const r = Au.slice();
  axpy(-value, u, r);
  const length = norm2(r);
  for (let k = 0; k < r.length; k++) r[k] /= length;
  const Ar = new Float64Array(u.length);
  apply(r, Ar);
  return Math.abs(dot(u, Ar) - dot(Au, r));
}

/** Those of the pairs whose residual is within its limit. */
function withinLimits({ values, vectors, residuals, limits, products }: OperatorPairs): OperatorPairs {
  const n = vectors.columns;
  const kept = Array.from(values.keys()).filter((i) => residuals[i] <= limits[i]);
  const data = new Float64Array(kept.length * n);
  kept.forEach((from, to) => {
    data.set(vectors.data.subarray(from * n, (from + 1) * n), to * n);
  });
  const of = (numbers: Float64Array): Float64Array => Float64Array.from(kept, (i) => numbers[i]);
  return {
    values: of(values),
    vectors: { rows: kept.length, columns: n, data },
    residuals: of(residuals),
    limits: of(limits),
    products,
  };
}

/**
 * The pairs that `lanczos` or `blockEigen` had finished when it ended in this error, each within its limit: undefined for errors
 * without such.
 *
 * @example
 * try {
 *   lanczos(apply, n, { count: 20, maxProducts: 500 });
 * } catch (error) {
 *   console.log(finishedPairs(error)?.values);
 * }
 */
export function finishedPairs(error: unknown): OperatorPairs | undefined {
  return error instanceof CurvatureError && isPairs(error.partial) ? error.partial : undefined;
}

const isPairs = (partial: unknown): partial is OperatorPairs =>
  typeof partial === "object" && partial !== null && "residuals" in partial && "limits" in partial;

/** @throws CurvatureError ERR_ARGUMENT unless `apply` is a function, ERR_OPTION unless it has `count` eigenpairs */
export function checkOperator(where: string, apply: SymmetricOperator, n: number, count: number): void {
  if (typeof apply !== "function") {
    throw new CurvatureError(
      "ERR_ARGUMENT",
      `the operator must be a function (v, out) that writes A v into out; received ${shown(apply)}.`,
      { where, path: "apply", expected: "a function", received: apply },
    );
  }
  if (!Number.isSafeInteger(n) || n < 1 || n > 2 ** 31 - 1) {
    throw badArgument(where, "n", "a whole number from 1 to 2^31 - 1", n);
  }
  if (count > n) {
    throw new CurvatureError("ERR_OPTION", `count must be at most n = ${n}; received ${count}.`, {
      where,
      path: "count",
      expected: `at most ${n}`,
      received: count,
    });
  }
}

export function operatorNotFinite(where: string): CurvatureError {
  return new CurvatureError(
    "ERR_NON_FINITE",
    `a product with the operator has NaN or infinite entries. Check the operator's data.`,
    { where, path: "apply" },
  );
}
