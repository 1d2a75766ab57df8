/**
 * The Hessian of a subfunction after an evaluation: that of its history, or as long as there is none, the median eigenvalue
 * of the others' mean (section A.4).
 */
import { type HistoryHessianSettings, historyHessian } from "./history-hessian.js";
import { medianEigenvalue } from "./median-eigenvalue.js";
import type { SubfunctionModel } from "./subfunction-model.js";
import type { TotalModel } from "./total-model.js";

/**
 * @param model - taken out of `total`
 * @param active - the active ones, this one among them if it is
 */
export function renewHessian(
  model: SubfunctionModel,
  active: readonly SubfunctionModel[],
  total: TotalModel,
  K: number,
  settings: HistoryHessianSettings,
): void {
  if (model.S.length > 0) {
    const cut = (vectors: readonly Float64Array[]): Float64Array[] => vectors.map((v) => v.subarray(0, K));
    const fallback = Math.max(...active.map(({ lambda }) => lambda));
    model.setHessian(historyHessian(cut(model.S), cut(model.Y), fallback, settings));
  } else if (model.isActive) {
    const lambda = medianCurvature(model, active, total, K);
    model.setHessian({ lambda, largest: lambda, columns: [], signs: [] });
  }
}

/** The median eigenvalue of H, which still holds this model's own λ, by active subfunction. */
function medianCurvature(
  model: SubfunctionModel,
  active: readonly SubfunctionModel[],
  total: TotalModel,
  K: number,
): number {
  const rank = active.reduce((sum, { columns }) => sum + (columns === model.columns ? 0 : columns.length), 0);
  const shift = total.lambda + model.lambda;
  return medianEigenvalue((A) => total.copyTo(A, K), K, rank, shift, model.lambda) / active.length;
}
