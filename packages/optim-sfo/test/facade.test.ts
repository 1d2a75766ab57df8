import { facadeConformance } from "@curvature/optim-core/conformance";
import { minimizeSum } from "@curvature/optim-sfo";
import { test } from "vitest";
import { quadraticSum } from "./problems/quadratic.js";

const sum = quadraticSum();
let calls = 0;
const problem = {
  ...sum,
  initial: new Float64Array(200).fill(1),
  evaluate(i: number, x: Float64Array, gradient?: Float64Array) {
    calls++;
    return sum.evaluate(i, x, gradient);
  },
};

const checks = facadeConformance({
  name: "minimizeSum",
  call: (options) => Reflect.apply(minimizeSum, undefined, [problem, options]),
  iterate: (options) => Reflect.apply(minimizeSum.iterate, undefined, [problem, options]),
  callOnBadData: (options) => Reflect.apply(minimizeSum, undefined, [{ dimension: 0 }, options]),
  short: { maxPasses: 3 / sum.count },
  long: { maxPasses: 8 / sum.count },
  limits: { maxPasses: "max-iterations" },
  phases: ["trial", "optimization", "measurement"],
  calls: () => calls,
});
for (const { name, check } of checks) test(name, check);
