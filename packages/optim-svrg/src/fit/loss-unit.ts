/**
 * The unit of a loss of one's own. Ridges, and the first steps of solvers, are numbers that were measured for losses that
 * rise by about 1 from z = −1 to 1, as the logistic one does; a loss c times as large has the same maps, and is fitted
 * divided by its unit:
 *
 *   unit = (l′(−1) + 2 l′(0) + l′(1)) / 2
 *
 * A loss that is flat there has its largest slope farther out for a unit.
 */
import type { DifferenceLoss, OrdinalLossName } from "@curvature/objectives/ordinal";

const FARTHER_OUT = [-1000, -100, -10, 3, 10, 30, 100, 1000];

/** 1 for a loss with a name. */
export function lossUnit(loss: OrdinalLossName | DifferenceLoss): number {
  if (typeof loss === "string" || typeof loss.derivative !== "function") return 1; // which `ordinalLoss` refuses
  const near = (loss.derivative(-1) + 2 * loss.derivative(0) + loss.derivative(1)) / 2;
  if (isUnit(near)) return near;
  return FARTHER_OUT.map((z) => loss.derivative(z)).reduce((a, b) => (isUnit(b) && b > a ? b : a), 0) || 1;
}

const isUnit = (slope: number): boolean => slope > 0 && Number.isFinite(slope);

/** The loss divided by a unit. @throws CurvatureError ERR_ARGUMENT for one that is none, as `ordinalLoss` */
export function inUnit(
  loss: OrdinalLossName | DifferenceLoss,
  unit: number,
): OrdinalLossName | DifferenceLoss {
  if (typeof loss === "string" || unit === 1) return loss;
  return {
    name: loss.name,
    value: (z) => loss.value(z) / unit,
    derivative: (z) => loss.derivative(z) / unit,
  };
}
