import { gaussianBlobs } from "@curvature/datasets";
import { facadeConformance } from "@curvature/optim-core/conformance";
import { embed, extendMap } from "@curvature/optim-spectral";
import { describe, test } from "vitest";

const { points } = gaussianBlobs({ groups: 3, pointsPerGroup: 10, dimensions: 4, seed: 1 });
const short = { maxIterations: 3 };
const long = { maxIterations: 8 };
const limits = { maxIterations: "max-iterations", maxEvaluations: "max-evaluations" } as const;
const phases = ["neighbors", "affinities", "initialization", "optimization"];

describe.each(["auto", "sd", "lbfgs"])("solver %s", (solver) => {
  const needed = { solver };
  const checks = facadeConformance({
    name: "embed",
    call: (options) => Reflect.apply(embed, undefined, [points, options]),
    iterate: (options) => Reflect.apply(embed.iterate, undefined, [points, options]),
    callOnBadData: (options) => Reflect.apply(embed, undefined, [[[1, Number.NaN]], options]),
    ...{ needed, short, long, limits, phases },
  });
  for (const { name, check } of checks) test(name, check);
});

describe.each([0.1, 0.003])("growing with movement %s", (movement) => {
  const first = embed(points, { maxEvaluations: 20 });
  const more = gaussianBlobs({ groups: 3, pointsPerGroup: 3, dimensions: 4, seed: 2 }).points;
  const checks = facadeConformance({
    name: "extendMap",
    call: async (options) => Reflect.apply(extendMap, undefined, [await first, more, options]),
    iterate: async function* (options) {
      return yield* Reflect.apply(extendMap.iterate, undefined, [await first, more, options]);
    },
    callOnBadData: async (options) =>
      Reflect.apply(extendMap, undefined, [await first, [[1, Number.NaN, 3, 4]], options]),
    needed: { movement },
    ...{ short: { maxEvaluations: 3 }, long: { maxEvaluations: 12 } },
    limits: { maxEvaluations: "max-evaluations" },
    lacks: ["checkpoint", "resume"],
    phases,
  });
  for (const { name, check } of checks) test(name, check);
});
