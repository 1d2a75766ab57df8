/**
 * The losses by their names.
 */
import { badOption, checkOptions, integerFrom, optional, positive } from "@curvature/linalg";
import { ckl } from "./ckl.js";
import { gnmds } from "./gnmds.js";
import { logistic } from "./logistic.js";
import type { OrdinalLoss, OrdinalLossName } from "./loss.js";
import { smoothHinge } from "./smooth-hinge.js";
import { soe } from "./soe.js";
import { ste } from "./ste.js";
import { tste } from "./tste.js";

export interface OrdinalLossOptions {
  /** μ > 0 of "ckl", in the unit of squared distances. Default 0.05. */
  readonly mu?: number;
  /** α > 0 of "tste", its degrees of freedom. Default max(dimensions − 1, 1). */
  readonly alpha?: number;
  /** p, for the default of α. Default 2. */
  readonly dimensions?: number;
}

interface Settings {
  readonly mu: number;
  readonly alpha: number | undefined;
  readonly dimensions: number;
}

export const ordinalLossDefaults: Settings = Object.freeze({ mu: 0.05, alpha: undefined, dimensions: 2 });

const makers: Readonly<Record<OrdinalLossName, (settings: Settings) => OrdinalLoss>> = {
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
 * The loss of that name.
 *
 * @throws CurvatureError ERR_OPTION
 */
export function ordinalLoss(name: OrdinalLossName, options?: OrdinalLossOptions): OrdinalLoss {
  const settings = checkOptions<Settings>("ordinalLoss", options, ordinalLossDefaults, {
    mu: positive,
    alpha: optional(positive),
    dimensions: integerFrom(1),
  });
  if (!ordinalLossNames.includes(name))
    throw badOption("ordinalLoss", "the name", `one of ${ordinalLossNames.join(", ")}`, name);
  return makers[name](settings);
}
