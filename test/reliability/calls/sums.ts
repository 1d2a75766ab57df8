/** Calls of sums of functions. */
import * as sums from "@curvature/objectives/sums";
import { classLabels } from "../problems.ts";
import { classNumbers, data, zeroOne } from "./arguments.ts";
import { call, usedSum } from "./call.ts";

export const sumCalls = {
  independentComponents: call(
    () => [data(), {}],
    (...given) => usedSum(sums.independentComponents(...given)),
    sums.icaDefaults,
  ),
  isingModel: call(
    () => [zeroOne(), {}],
    (...given) => usedSum(sums.isingModel(...given)),
    sums.isingDefaults,
  ),
  logisticRegression: call(
    () => [data(), classLabels().map((label) => (label === "a" ? 1 : -1)), {}],
    (...given) => usedSum(sums.logisticRegression(...given)),
    sums.logisticDefaults,
  ),
  softmaxRegression: call(
    () => [data(), classNumbers(), {}],
    (...given) => usedSum(sums.softmaxRegression(...given)),
    sums.softmaxDefaults,
  ),
  defaultMinibatchCount: call(() => [100], sums.defaultMinibatchCount),
};
