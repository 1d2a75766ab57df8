/** The sum that a state speaks of; of data it is made of the digits, in the worker. */
import { multilayerPerceptron } from "@curvature/objectives/networks";
import { softmaxRegression } from "@curvature/objectives/sums";
import type { SumProblem } from "@curvature/optim-sfo";
import { planarSum } from "./planar.js";
import { hiddenUnits, isPlanar, mostInk, type ProblemRequest } from "./problem-request.js";

/** A sum that answers at once, with its first point. */
export interface Problem extends SumProblem {
  readonly initial: Float64Array;
  evaluate(index: number, x: Float64Array, gradient?: Float64Array): number;
}

export async function problemOf({ objective, count, seed }: ProblemRequest): Promise<Problem> {
  if (isPlanar(objective)) return planarSum(objective, count, seed);
  const { loadDigits } = await import("@curvature/datasets/digits");
  const { points: greys, labels } = await loadDigits();
  const points = { ...greys, data: greys.data.map((grey) => grey / mostInk) };
  return objective === "softmax"
    ? softmaxRegression(points, labels, { classes: 10, count })
    : multilayerPerceptron(points, labels, { hidden: [hiddenUnits], classes: 10, count, seed });
}
