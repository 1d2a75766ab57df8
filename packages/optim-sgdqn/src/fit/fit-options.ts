/** The door for what `fit` and `fitStream` take beside the data. */
import { anything, callback, checkOptions, optional, type Rules } from "@curvature/linalg";
import type { LinearFitOptions } from "./result.js";

type Given = { readonly [K in keyof LinearFitOptions]-?: LinearFitOptions[K] | undefined };

const none: Given = Object.freeze({
  sampleWeights: undefined,
  signal: undefined,
  onIteration: undefined,
  yieldEvery: undefined,
  checkpoint: undefined,
  resume: undefined,
  history: undefined,
});

/** The others are `run`'s to check. */
const rules: Rules<Given> = {
  sampleWeights: anything,
  signal: optional({ expected: "an AbortSignal", accepts: (value) => value instanceof AbortSignal }),
  onIteration: optional(callback),
  yieldEvery: anything,
  checkpoint: anything,
  resume: anything,
  history: anything,
};

/** @throws CurvatureError ERR_OPTION for an unknown name, the nearest known one in the message */
export function checkFitOptions(options: LinearFitOptions | undefined, where: string): void {
  checkOptions<Given>(where, options, none, rules);
}
