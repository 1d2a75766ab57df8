/** What tests of whole runs look at. */
import type { SumOfFunctions } from "@curvature/optim-core";

export const whole = (sum: SumOfFunctions, x: Float64Array): number => {
  let F = 0;
  for (let i = 0; i < sum.count; i++) F += Number(sum.evaluate(i, x));
  return F;
};

export const zero = (): number => 0;
