import { facadeConformance } from "@curvature/optim-core/conformance";
import { ordinalEmbedding } from "@curvature/optim-svrg";
import { describe, test } from "vitest";
import { smallAnswers } from "./embedding-data.js";

const { train } = smallAnswers(200);
const short = { maxIterations: 3 };
const long = { maxIterations: 8 };
const limits = { maxIterations: "max-iterations", maxPasses: "max-iterations" } as const;
const phases = ["answers", "initialization", "optimization"];

describe.each(["auto", "svrg-sbb", "gram"])("solver %s", (solver) => {
  const checks = facadeConformance({
    name: "ordinalEmbedding",
    call: (options) => Reflect.apply(ordinalEmbedding, undefined, [train, options]),
    iterate: (options) => Reflect.apply(ordinalEmbedding.iterate, undefined, [train, options]),
    callOnBadData: (options) => Reflect.apply(ordinalEmbedding, undefined, [[[0, 1, Number.NaN]], options]),
    needed: { solver },
    ...{ short, long, limits, phases },
  });
  for (const { name, check } of checks) test(name, check);
});
