/**
 * The Hessian of a subfunction after an evaluation: that of its history, or as long as there is none, a multiple of the
 * identity by those of the others,
 *
 *   λ = the median eigenvalue of the mean of the active Hessians                                    (section A.4)
 *   λ = the median of the largest eigenvalues of those of few parameters, if it is one of these
 *
 * The second is not in the paper: where each parameter enters a few subfunctions only, the mean over all of them is near
 * 0 in most directions, and a step by it is far too long.
 */
import { type HistoryHessianSettings, historyHessian, median } from "./history-hessian.js";
import { type MedianMemory, medianEigenvalue } from "./median-eigenvalue.js";
import type { SubfunctionModel } from "./subfunction-model.js";
import type { TotalModel } from "./total-model.js";

/**
 * @param model - taken out of `total`
 * @param active - the active ones, this one among them if it is
 * @param memory - of the median eigenvalue
 */
export function renewHessian(
  model: SubfunctionModel,
  active: readonly SubfunctionModel[],
  total: TotalModel,
  K: number,
  settings: HistoryHessianSettings,
  memory: MedianMemory,
): void {
  if (model.S.length > 0) {
    const domain = model.support?.parameters;
    const cut = (vectors: readonly Float64Array[]): Float64Array[] =>
      vectors.map((v) => (domain === undefined ? v.subarray(0, K) : Float64Array.from(domain, (i) => v[i])));
    const fallback = Math.max(...active.map(({ lambda }) => lambda));
    model.setHessian(historyHessian(cut(model.S), cut(model.Y), fallback, settings), domain);
  } else if (model.isActive) {
    const lambda =
      sparseCurvature(model, active) ??
      memory.recall(active.length, K, () => medianCurvature(model, active, total, K));
    model.setHessian({ lambda, largest: lambda, columns: [], signs: [] }, undefined);
  }
}

/** Undefined for a model of many parameters, or where no other of few has a history. */
function sparseCurvature(model: SubfunctionModel, active: readonly SubfunctionModel[]): number | undefined {
  if (model.support?.parameters === undefined) return undefined;
  const others = active.filter(({ domain, S }) => domain !== undefined && S.length > 0);
  return others.length === 0 ? undefined : median(others.map(({ largest }) => largest));
}

/** The median eigenvalue of H, which still holds this model's own λ, by active subfunction. */
function medianCurvature(
  model: SubfunctionModel,
  active: readonly SubfunctionModel[],
  total: TotalModel,
  K: number,
): number {
  const isSparse = active.some(({ domain }) => domain !== undefined);
  const ranks = active.reduce(
    (sum, { columns }) => sum + (columns === model.columns ? 0 : columns.length),
    0,
  );
  const rank = isSparse ? K : ranks;
  const shift = total.lambda + model.lambda;
  return medianEigenvalue((A) => total.copyTo(A, K), K, rank, shift, model.lambda) / active.length;
}
