/** Calls of linear objectives. */
import * as linear from "@curvature/objectives/linear";
import { denseRows, linearProblem } from "../problems.ts";
import { call, passingOn, usedSum, valueAndGradient } from "./call.ts";

export const linearCalls = {
  checkLinearProblem: call(() => [linearProblem(), "test"], linear.checkLinearProblem),
  checkRows: call(() => [denseRows(), "test"], linear.checkRows),
  checkRowShape: call(() => [denseRows(), "test"], linear.checkRowShape),
  linearLoss: call(() => ["huber" as const, {}], linear.linearLoss, linear.linearLossOptions.defaults),
  linearObjective: passingOn(
    call(
      () => [linearProblem()],
      (p) => valueAndGradient(linear.linearObjective(p)),
    ),
  ),
  linearSum: passingOn(
    call(
      () => [linearProblem()],
      (p) => usedSum(linear.linearSum(p)),
    ),
  ),
};
