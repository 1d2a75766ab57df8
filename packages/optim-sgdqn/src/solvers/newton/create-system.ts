/** The system of Newton's method in the form that suits the rows. */
import { type LinearProblem, rowAccess } from "@curvature/objectives/linear";
import type { SharedRows } from "../../multiclass/shared-rows.js";
import { chooseMethod, type NewtonMethod, rowPrices } from "./choose-system.js";
import { ExplicitHessian } from "./explicit-hessian.js";
import type { NewtonSystem } from "./newton-system.js";
import { DiagonalPreconditioner, SampledPreconditioner } from "./preconditioner.js";
import { sharedGram } from "./shared-gram.js";
import type { RowSweeps } from "./sweeps/sweeps.js";
import { TruncatedSystem } from "./truncated-system.js";

/**
 * @param damping - Λ of the systems; the solver may change it between two of them
 * @param shared - where classes of one problem share the matrix Σ xᵢ xᵢᵀ
 * @returns the system, and the multiplications per row of a product with the rows
 */
export function createSystem(
  problem: LinearProblem,
  asked: "auto" | NewtonMethod,
  sweeps: RowSweeps,
  damping: Float64Array,
  shared: SharedRows | undefined,
): { readonly system: NewtonSystem; readonly price: number } {
  const { rows, loss, importances, bias } = problem;
  const prices = rowPrices(rows);
  const { product, outerProduct } = prices;
  const [n, d] = [rows.rows, damping.length];
  const method = asked === "auto" ? chooseMethod(rows, loss, prices) : asked;
  if (method === "explicit") {
    const isPlain =
      importances === undefined && (loss.name === "squared-hinge" || loss.name === "squared-error");
    const gram = shared !== undefined && isPlain ? sharedGram(shared, bias) : undefined;
    return { system: new ExplicitHessian(sweeps, n, d, damping, outerProduct, gram), price: product };
  }
  const preconditioner =
    method === "sampled"
      ? new SampledPreconditioner(sweeps, rowAccess(rows), d, damping, outerProduct)
      : new DiagonalPreconditioner(sweeps, n, damping, product);
  return { system: new TruncatedSystem(sweeps, n, damping, preconditioner, product), price: product };
}
