/** Calls of ordinal objectives. */
import * as ordinal from "@curvature/objectives/ordinal";
import { answers, noise } from "../problems.ts";
import { call, valueAndGradient } from "./call.ts";

export const ordinalCalls = {
  checkComparisons: call(() => [answers], ordinal.checkComparisons),
  comparisonCount: call(() => [answers], ordinal.comparisonCount),
  ordinalLoss: call(() => ["tste" as const, {}], ordinal.ordinalLoss, ordinal.ordinalLossOptions.defaults),
  ordinalObjective: call(
    () => [answers, "ste" as const, 2, {}],
    (...given) => valueAndGradient(ordinal.ordinalObjective(...given)),
    ordinal.ordinalObjectiveOptions.defaults,
  ),
  errorShare: call(() => [answers, noise(12, 1)], ordinal.errorShare),
};
