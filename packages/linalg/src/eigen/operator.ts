/** Symmetric matrices that are known by their products with vectors. */
import { zeros } from "../dense/matrix.js";
import { CurvatureError } from "../errors.js";
import { axpy, norm2 } from "../kernels/vector.js";
import { badArgument, shown } from "../options.js";
import type { LinearOperator } from "../solve/linear-conjugate-gradient.js";
import { type EigenPairs, orientRows } from "./pairs.js";
import { symmetricEigen } from "./symmetric.js";

/** A v into `out`, A symmetric; v is not to be changed, and neither array to be kept. */
export type SymmetricOperator = LinearOperator;

/** Which end of the spectrum. */
export type SpectrumEnd = "smallest" | "largest";

/** Eigenpairs of an operator, with what they cost. */
export interface OperatorPairs extends EigenPairs {
  /** ‖A u − λ u‖₂, or ‖A u − λ D u‖ in the norm of D⁻¹, of every pair, measured at the end. */
  readonly residuals: Float64Array;
  /** Products with A, the last ones for the residuals included. */
  readonly products: number;
}

/** Up to this n, a product with every unit vector and a dense decomposition are quicker and surer than an iteration. */
export const LARGEST_DENSE = 200;

/** All eigenpairs of the operator by n products and a dense decomposition, the first `count` of them from one end. */
export function denseOperatorEigen(
  where: string,
  apply: SymmetricOperator,
  n: number,
  count: number,
  end: SpectrumEnd,
): { values: Float64Array; vectors: Float64Array } {
  const A = zeros(n, n);
  const unit = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    unit[i] = 1;
    const row = A.data.subarray(i * n, (i + 1) * n);
    apply(unit, row);
    if (!Number.isFinite(norm2(row))) throw operatorNotFinite(where);
    unit[i] = 0;
  }
  return pairsFromEnd(symmetricEigen(A), count, end);
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

/** The pairs with their residuals measured, the vectors turned to their sign. */
export function measuredPairs(
  apply: SymmetricOperator,
  n: number,
  values: Float64Array,
  rows: Float64Array,
  productsBefore: number,
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
  return { values, vectors, residuals, products: productsBefore + values.length };
}

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
