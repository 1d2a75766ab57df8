/**
 * A loss of one's own: l(d₁, d₂) = l(z) of the difference z = d₁ − d₂ of the squared distances, as in the generalised framework of
 * Ma et al. (2019), section 2.
 *
 *   a = l′(z),   c = −l′(z)
 *
 * The derivative is compared with differences of the value before anything is fitted: a wrong one would give a wrong map, and no error.
 */
import { CurvatureError, shown } from "@curvature/linalg";
import { lossFrom, type OrdinalLoss } from "./loss.js";

/**
 * Functions of z = d₁ − d₂, the squared distance of the two objects that are said to be nearer to each other, less that of the other
 * two: an answer is met where z < 0.
 *
 * @example
 * // the logistic loss on squared distances, which is "ste"
 * const loss: DifferenceLoss = {
 *   value: (z) => Math.max(z, 0) + Math.log1p(Math.exp(-Math.abs(z))),
 *   derivative: (z) => 1 / (1 + Math.exp(-z)),
 * };
 */
export interface DifferenceLoss {
  /** Names it in reports and checkpoints, which go on with no loss of another name. Left out: "custom". */
  readonly name?: string | undefined;
  /** l(z), finite, and nowhere falling. */
  value(z: number): number;
  /** l′(z), at least 0; at a kink any number between the slopes on both sides. */
  derivative(z: number): number;
}

const PROBES = [-31.4, -7.3, -1.9, -0.61, -0.07, 0, 0.05, 0.37, 1.7, 8.1, 29.3];
const STEP = 1e-5;
/** What differences of doubles, and a bend within their step, leave open. */
const TOLERANCE = 1e-4;

/** @throws CurvatureError ERR_ARGUMENT */
export function differenceLoss(loss: DifferenceLoss): OrdinalLoss {
  checkDifferenceLoss(loss);
  return lossFrom({
    name: "custom",
    description: `custom ${loss.name ?? ""}`,
    values(count, d1, d2, out) {
      for (let q = 0; q < count; q++) out[q] = loss.value(d1[q] - d2[q]);
    },
    slopes(count, d1, d2, a, c) {
      for (let q = 0; q < count; q++) {
        a[q] = loss.derivative(d1[q] - d2[q]);
        c[q] = -a[q];
      }
    },
  });
}

function checkDifferenceLoss(loss: Partial<DifferenceLoss>): void {
  const refuse = (what: string, received: unknown): never => {
    throw new CurvatureError("ERR_ARGUMENT", what, { where: "ordinalLoss", path: "loss", received });
  };
  for (const part of ["value", "derivative"] as const)
    if (typeof loss[part] !== "function")
      refuse(
        `a loss of one's own has two functions of d1 - d2, value and derivative; received ${shown(loss[part])} for ${part}.`,
        loss[part],
      );
  if (loss.name !== undefined && (typeof loss.name !== "string" || loss.name.trim() === ""))
    refuse(`the name of a loss must be a text that is not empty; received ${shown(loss.name)}.`, loss.name);
  const { value, derivative } = loss as DifferenceLoss;
  for (const z of PROBES) {
    const [l, slope] = [value.call(loss, z), derivative.call(loss, z)];
    if (!Number.isFinite(l)) refuse(`the value of the loss at ${z} is ${shown(l)}, and must be finite.`, l);
    if (!Number.isFinite(slope) || slope < 0)
      refuse(
        `the derivative of the loss at ${z} is ${shown(slope)}. It must be finite, and at least 0: an answer costs more the farther apart are the two that it calls near.`,
        slope,
      );
    const [left, right] = [(l - value.call(loss, z - STEP)) / STEP, (value.call(loss, z + STEP) - l) / STEP];
    const slack = TOLERANCE * (1 + Math.abs(slope)) + (1e-15 * Math.abs(l)) / STEP;
    if (slope < Math.min(left, right) - slack || slope > Math.max(left, right) + slack)
      refuse(
        `the derivative of the loss at ${z} is ${slope}, but its values rise by ${left} before and ${right} after. Correct one of them.`,
        slope,
      );
  }
}
