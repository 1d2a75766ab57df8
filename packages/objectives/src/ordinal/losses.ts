/**
 * The losses by their names.
 */
import {
  badOption,
  integerFrom,
  type OptionsOf,
  optionTable,
  positive,
  type SettingsOf,
} from "@curvature/linalg";
import { ckl } from "./ckl.js";
import { type DifferenceLoss, differenceLoss } from "./difference-loss.js";
import { gnmds } from "./gnmds.js";
import { logistic } from "./logistic.js";
import type { OrdinalLoss, OrdinalLossName } from "./loss.js";
import { smoothHinge } from "./smooth-hinge.js";
import { soe } from "./soe.js";
import { ste } from "./ste.js";
import { tste } from "./tste.js";

export const ordinalLossOptions = optionTable({
  /** μ of "ckl", in the unit of squared distances. */
  mu: positive.default(0.05),
  /** α of "tste", its degrees of freedom. Left out: max(dimensions − 1, 1). */
  alpha: positive,
  /** p, on which α depends where it is left out. */
  dimensions: integerFrom(1).default(2),
});
export type OrdinalLossOptions = OptionsOf<typeof ordinalLossOptions>;

const makers: Readonly<
  Record<OrdinalLossName, (settings: SettingsOf<typeof ordinalLossOptions>) => OrdinalLoss>
> = {
  gnmds,
  ckl: ({ mu }) => ckl(mu),
  ste,
  tste: ({ alpha, dimensions }) => tste(alpha ?? Math.max(dimensions - 1, 1)),
  soe,
  logistic,
  "smooth-hinge": smoothHinge,
};

export const ordinalLossNames: readonly OrdinalLossName[] = Object.freeze([
  "gnmds",
  "ckl",
  "ste",
  "tste",
  "soe",
  "logistic",
  "smooth-hinge",
]);

/**
 * The loss of that name, or one's own.
 *
 * @throws CurvatureError ERR_OPTION; ERR_ARGUMENT for functions that are no loss and its derivative
 */
export function ordinalLoss(
  name: OrdinalLossName | DifferenceLoss,
  options?: OrdinalLossOptions,
): OrdinalLoss {
  const settings = ordinalLossOptions.resolve("ordinalLoss", options);
  if (typeof name === "object" && name !== null) return differenceLoss(name);
  if (!ordinalLossNames.includes(name))
    throw badOption("ordinalLoss", "the name", `one of ${ordinalLossNames.join(", ")}`, name);
  return makers[name](settings);
}
