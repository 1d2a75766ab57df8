/**
 * When a step counts as failed: the subfunction that was evaluated after it rose by more than its model said and the
 * whole step was to gain.
 *
 *   f or its gradient is not finite, or
 *   the first evaluation of fⱼ:  f > mean + 3 deviations of the others' values (five of them at least), or
 *   f > fⱼ and f − gⱼ(z) > gain − (fⱼ − gⱼ(z))
 *
 * and what then counts as a value of the expected size, so that it may enter a history. Section E.5 of the paper,
 * with what its authors' program adds; with fewer than five others the deviation says nothing.
 */
import type { SubfunctionModel } from "./model/subfunction-model.js";

const OTHERS = 5;

export function hasFailed(
  model: SubfunctionModel,
  predicted: number,
  f: number,
  gain: number,
  models: readonly SubfunctionModel[],
): boolean {
  if (!Number.isFinite(f)) return true;
  if (model.evaluations === 1 || !model.isSeen) return isOutlier(f, models);
  if (!(f > model.f)) return false;
  return f - predicted > gain - (model.f - predicted);
}

function isOutlier(f: number, models: readonly SubfunctionModel[]): boolean {
  const values: number[] = [];
  for (const model of models) if (model.evaluations > 1 && model.isSeen) values.push(model.f);
  if (values.length < OTHERS) return false;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) * (value - mean), 0) / values.length;
  return f > mean + 3 * Math.sqrt(variance);
}

/** The back-off ends with a rise over the old point's value of less than 10 times what the model expected. */
export function isTame(f: number, fPrevious: number, expected: number): boolean {
  return f - fPrevious < 10 * expected;
}

/** How far f was expected to be from the known value. */
export function expectedChange(known: number, predicted: number, f: number, fPrevious: number): number {
  const change = Number.isFinite(known) ? Math.abs(predicted - known) : Math.abs(f - fPrevious);
  return Number.isFinite(change) && change >= 1e-12 ? change : 1e-12;
}
