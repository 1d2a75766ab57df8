import { minimize } from "@curvature/optim-core";
import { facadeConformance } from "@curvature/optim-core/conformance";
import { describe, test } from "vitest";
import { rosenbrock, rosenbrockStart } from "./problems.js";

let calls = 0;
const valley = rosenbrock(4);
const start = Array.from(rosenbrockStart(4));
const f = (x: readonly number[]): number => {
  calls++;
  return valley.evaluate(Float64Array.from(x));
};
const later = async (x: readonly number[]): Promise<number> => f(x);
const joint = (x: readonly number[]) => {
  const gradient = new Float64Array(x.length);
  calls++;
  return { value: valley.evaluate(Float64Array.from(x), gradient), gradient };
};
const stranger = () => "no number";

const functions = { f, later, joint };
for (const [name, given] of Object.entries(functions))
  describe(`minimize: ${name}`, () => {
    const cases = facadeConformance({
      name: "minimize",
      call: (options) => Reflect.apply(minimize, undefined, [given, start, options]),
      iterate: (options) => Reflect.apply(minimize.iterate, undefined, [given, start, options]),
      callOnBadData: (options) => Reflect.apply(minimize, undefined, [stranger, start, options]),
      short: { maxIterations: 3 },
      long: { maxIterations: 8 },
      limits: { maxIterations: "max-iterations", maxEvaluations: "max-evaluations" },
      phases: ["first-value", "optimization"],
      validation: { every: 1 },
      calls: () => calls,
    });
    for (const { name, check } of cases) test(name, check);
  });

describe("minimize with a validation", () => {
  const cases = facadeConformance({
    name: "minimize",
    call: (options) => Reflect.apply(minimize, undefined, [joint, start, options]),
    iterate: (options) => Reflect.apply(minimize.iterate, undefined, [joint, start, options]),
    callOnBadData: (options) => Reflect.apply(minimize, undefined, [stranger, start, options]),
    needed: { validation: { evaluate: ([x]: readonly number[]) => Math.abs(x), every: 2, patience: 100 } },
    short: { maxIterations: 3 },
    long: { maxIterations: 8 },
    limits: { maxIterations: "max-iterations", maxEvaluations: "max-evaluations" },
    phases: ["first-value", "optimization"],
    calls: () => calls,
  });
  for (const { name, check } of cases) test(name, check);
});

describe("minimize from several starts", () => {
  const cases = facadeConformance({
    name: "minimize",
    call: (options) => Reflect.apply(minimize, undefined, [joint, start, options]),
    iterate: (options) => Reflect.apply(minimize.iterate, undefined, [joint, start, options]),
    callOnBadData: (options) => Reflect.apply(minimize, undefined, [stranger, start, options]),
    needed: { starts: 3 },
    short: { maxIterations: 3 },
    long: { maxIterations: 60 },
    limits: { maxIterations: "max-iterations", maxEvaluations: "max-evaluations" },
    phases: ["first-value", "optimization"],
    calls: () => calls,
  });
  for (const { name, check } of cases) test(name, check);
});
