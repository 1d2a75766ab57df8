/**
 * How Newton's systems are solved, by the shape of the rows: with m₂ = Σ nnzᵢ²/2 the price of one Hessian and nnz that
 * of one product,
 *
 *   explicit     d ≤ 2000 and m₂ ≤ 16 nnz, for losses of piecewise constant curvature (the Hessian is mended,
 *                not built anew)
 *   sampled      d ≤ 2000 else: conjugate gradients, with the Hessian of 4 d rows as preconditioner
 *   diagonal     beyond: conjugate gradients, with the Hessian's diagonal as preconditioner
 */
import { isSparse, type LinearLoss, type Rows, rowAccess } from "@curvature/objectives/linear";

export type NewtonMethod = "explicit" | "sampled" | "diagonal";

/** Columns up to which problems count as small. */
export const FEW_COLUMNS = 2000;
/** Outer products of dense rows are matrix products, and a multiplication there takes a third of the time. */
const DENSE_SHARE = 0.3;
const LIMIT = 16;

export interface RowPrices {
  /** Multiplications per row of a product with the rows. */
  readonly product: number;
  /** The same of Σ xᵢ xᵢᵀ, in the time of those. */
  readonly outerProduct: number;
}

export function rowPrices(rows: Rows): RowPrices {
  const access = rowAccess(rows);
  let squares = 0;
  for (let i = 0; i < rows.rows; i++) {
    const count = access.count(i);
    squares += count * count;
  }
  return {
    product: access.storedEntries / rows.rows + 4,
    outerProduct: ((isSparse(rows) ? 1 : DENSE_SHARE) * squares) / 2 / rows.rows + 4,
  };
}

export function chooseMethod(rows: Rows, loss: LinearLoss, prices: RowPrices): NewtonMethod {
  if (rows.columns > FEW_COLUMNS) return "diagonal";
  return loss.name !== "logistic" && prices.outerProduct <= LIMIT * prices.product ? "explicit" : "sampled";
}
