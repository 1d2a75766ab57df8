/**
 * The linear systems of Newton's method, H s = −∇P with H = Λ + Xᵀ diag(h) X, and how they are solved by the shape of the rows:
 * with m₂ = Σ nnzᵢ²/2 the price of one Hessian and nnz that of one product,
 *
 *   explicit     d ≤ 2000 and m₂ ≤ 16 nnz, for losses of piecewise constant curvature (the Hessian is updated,
 *                not built anew)
 *   sampled      d ≤ 2000 else: conjugate gradients, with the Hessian of 4 d rows as preconditioner; while that costs more
 *                than the products so far, with the diagonal
 *   diagonal     beyond: conjugate gradients, with the Hessian's diagonal as preconditioner
 */
import { isSparseRows, type LinearLoss, type Rows, rowAccess } from "@curvature/objectives/linear";
import type { Stateful } from "@curvature/optim-core/state";
import type { RowSweeps } from "./sweeps/sweeps.js";
import type { Work } from "./work.js";

/** What all systems of one problem are made of. The arrays belong to the solver, which renews them between two systems. */
export interface SystemParts {
  readonly sweeps: RowSweeps;
  /** n */
  readonly rows: number;
  /** Λ: λ, and 0 for a free bias. */
  readonly diagonal: Float64Array;
  /** Whether the last entry is a bias that is eliminated (see `BiasElimination`). */
  readonly isBiasFree: boolean;
  /** Curvatures. */
  readonly h: Float64Array;
  /** ∇P */
  readonly g: Float64Array;
}

/** One way to solve the systems. */
export interface NewtonSystem extends Stateful {
  /** What `advance` works at, in words. */
  readonly phase: string;
  /**
   * Begins a system; h and g stay as they are until it is solved.
   *
   * @param enough - P − D at which the solver would end
   */
  start(enough: number): void;
  /** Works until the system is solved or the work is used up. @returns whether s is there (entries may not be finite) */
  advance(work: Work, s: Float64Array): boolean;
  /** Computes what follows from a state that was restored. */
  renew?(): void;
}

export type NewtonMethod = "explicit" | "sampled" | "diagonal";

/** Columns up to which problems count as small. */
export const FEW_COLUMNS = 2000;

/** Words and their like: sparse rows of many columns, which differ by nature and are left as they lie. */
export const isText = (rows: Rows): boolean => isSparseRows(rows) && rows.columns > FEW_COLUMNS;

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
    outerProduct: ((isSparseRows(rows) ? 1 : DENSE_SHARE) * squares) / 2 / rows.rows + 4,
  };
}

export function chooseMethod(rows: Rows, loss: LinearLoss, prices: RowPrices): NewtonMethod {
  if (rows.columns > FEW_COLUMNS) return "diagonal";
  return loss.name !== "logistic" && prices.outerProduct <= LIMIT * prices.product ? "explicit" : "sampled";
}
