/**
 * The losses by their names.
 */
import { badOption, type OptionsOf, optionTable, positive } from "@curvature/linalg";
import type { LinearLoss, LinearLossName } from "./loss.js";
import { hinge } from "./losses/hinge.js";
import { huber } from "./losses/huber.js";
import { logistic } from "./losses/logistic.js";
import { modifiedHuber } from "./losses/modified-huber.js";
import { smoothedHinge } from "./losses/smoothed-hinge.js";
import { squaredError } from "./losses/squared-error.js";
import { squaredHinge } from "./losses/squared-hinge.js";

export const linearLossOptions = optionTable({
  /** h of the smoothed hinge and δ of Huber's loss; the others have none. */
  width: positive.default(1),
});
export type LinearLossOptions = OptionsOf<typeof linearLossOptions>;

const losses: Readonly<Record<LinearLossName, (width: number) => LinearLoss>> = {
  hinge: () => hinge,
  "squared-hinge": () => squaredHinge,
  "smoothed-hinge": smoothedHinge,
  logistic: () => logistic,
  "modified-huber": () => modifiedHuber,
  "squared-error": () => squaredError,
  huber,
};

export const linearLossNames: readonly LinearLossName[] = Object.freeze([
  "hinge",
  "squared-hinge",
  "smoothed-hinge",
  "logistic",
  "modified-huber",
  "squared-error",
  "huber",
]);

/** @throws CurvatureError ERR_OPTION for an unknown name or a width that is not above 0 */
export function linearLoss(name: LinearLossName, options?: LinearLossOptions): LinearLoss {
  const { width } = linearLossOptions.resolve("linearLoss", options);
  if (!linearLossNames.includes(name))
    throw badOption("linearLoss", "name", `one of ${linearLossNames.join(", ")}`, name);
  return losses[name](width);
}
