/** Calls of sums of functions. */
import * as sums from "@curvature/objectives/sums";
import { classLabels } from "../problems.ts";
import { classNumbers, data, zeroOne } from "./arguments.ts";
import { call, usedSum } from "./call.ts";

export const sumCalls = {
  independentComponents: call(
    () => [data(), {}],
    (...given) => usedSum(sums.independentComponents(...given)),
    sums.icaOptions.defaults,
  ),
  isingModel: call(
    () => [zeroOne(), {}],
    (...given) => usedSum(sums.isingModel(...given)),
    sums.isingOptions.defaults,
  ),
  logisticRegression: call(
    () => [data(), classLabels().map((label) => (label === "a" ? 1 : -1)), {}],
    (...given) => usedSum(sums.logisticRegression(...given)),
    sums.logisticOptions.defaults,
  ),
  softmaxRegression: call(
    () => [data(), classNumbers(), {}],
    (...given) => usedSum(sums.softmaxRegression(...given)),
    sums.softmaxOptions.defaults,
  ),
  defaultMinibatchCount: call(() => [100], sums.defaultMinibatchCount),
};
