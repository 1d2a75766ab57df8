import { facadeConformance } from "@curvature/optim-core/conformance";
import { LinearClassifier, LinearRegressor, linearClassifierOptions } from "@curvature/optim-sgdqn";
import { describe, test } from "vitest";
import { noisyHalves } from "./helpers/rows.js";

const { rows, targets } = noisyHalves(200, 5, { seed: 2 });
const quarters = Array.from(targets, (_, i) => i % 4);
const bad = [[1], [Number.NaN]];
const short = { maxPasses: 3 };
const long = { maxPasses: 8 };
/** A step of Newton's method is some passes. */
const ofNewton = { short: { maxPasses: 20 }, long: { maxPasses: 60 } };
const limits = { maxPasses: "max-iterations" } as const;
const phases = ["preparation", "lambda", "optimization"];

/** The options of one object for the model and for its fit, which have a table each; what is in neither is given to fit. */
function split(options: unknown): readonly [model: object, fit: unknown] {
  if (typeof options !== "object" || options === null || Array.isArray(options)) return [{}, options];
  const isOfModel = ([name]: [string, unknown]) => Object.hasOwn(linearClassifierOptions.entries, name);
  const entries: [string, unknown][] = Object.entries(options);
  return [
    Object.fromEntries(entries.filter(isOfModel)),
    Object.fromEntries(entries.filter((entry) => !isOfModel(entry))),
  ];
}

const cases = [
  ...["sgdqn", "asgd", "dcd", "newton"].map((solver) => ({ solver, classes: 2 })),
  ...["svmsgd2", "dcd"].map((solver) => ({ solver, classes: 4 })),
];

describe.each(cases)("LinearClassifier, solver $solver, $classes classes", ({ solver, classes }) => {
  const labels = classes === 2 ? targets : quarters;
  const fit = (options: unknown, method: "fit" | "iterate", X: unknown = rows) => {
    const [model, run] = split(options);
    return Reflect.apply(LinearClassifier.prototype[method], new LinearClassifier(model), [X, labels, run]);
  };
  const checks = facadeConformance({
    name: "fit",
    call: async (options) => fit(options, "fit"),
    iterate: (options) => fit(options, "iterate"),
    callOnBadData: async (options) => fit(options, "fit", bad),
    needed: {
      solver,
      loss: solver === "dcd" ? "squared-hinge" : undefined,
      tolerance: solver === "dcd" || solver === "newton" ? 0 : undefined,
      lambda: 1e-6,
    },
    ...(solver === "newton" ? ofNewton : { short, long }),
    ...{ limits, phases },
    exceptions:
      solver === "dcd"
        ? {
            "resumed from a checkpoint it ends as if uninterrupted; other bytes are refused":
              "it measures P at the old limit, too, and keeps a better point there",
          }
        : {},
  });
  for (const { name, check } of checks) test(name, check);
});

describe("LinearRegressor", () => {
  const fit = (options: unknown, method: "fit" | "iterate", X: unknown = rows) => {
    const [model, run] = split(options);
    return Reflect.apply(LinearRegressor.prototype[method], new LinearRegressor(model), [X, targets, run]);
  };
  const checks = facadeConformance({
    name: "fit",
    call: async (options) => fit(options, "fit"),
    iterate: (options) => fit(options, "iterate"),
    callOnBadData: async (options) => fit(options, "fit", bad),
    needed: { solver: "sgdqn" },
    ...{ short, long, limits, phases },
  });
  for (const { name, check } of checks) test(name, check);
});
