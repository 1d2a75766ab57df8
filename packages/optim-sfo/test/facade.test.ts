import { facadeConformance } from "@curvature/optim-core/conformance";
import { minimizeSum } from "@curvature/optim-sfo";
import { describe, test } from "vitest";
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

const given = {
  name: "minimizeSum",
  call: (options: unknown) => Reflect.apply(minimizeSum, undefined, [problem, options]),
  iterate: (options: unknown) => Reflect.apply(minimizeSum.iterate, undefined, [problem, options]),
  callOnBadData: (options: unknown) => Reflect.apply(minimizeSum, undefined, [{ dimension: 0 }, options]),
  short: { maxPasses: 3 / sum.count },
  long: { maxPasses: 8 / sum.count },
  limits: { maxPasses: "max-iterations" },
  phases: ["trial", "optimization", "measurement"],
  calls: () => calls,
} as const;
for (const { name, check } of facadeConformance({ ...given, validation: { every: 1 / sum.count } }))
  test(name, check);

describe("with a validation", () => {
  const validation = { evaluate: ([x]: Float64Array) => Math.abs(x), every: 2 / sum.count, patience: 100 };
  for (const { name, check } of facadeConformance({ ...given, needed: { validation } })) test(name, check);
});
