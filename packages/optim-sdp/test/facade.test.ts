import { facadeConformance } from "@curvature/optim-core/conformance";
import { clusterPoints, nomad, separateCurves } from "@curvature/optim-sdp";
import { describe, test } from "vitest";
import { ringPoints } from "./helpers/small.js";

const points = ringPoints(20);
const short = { maxIterations: 3 };
const long = { maxIterations: 8 };
const limits = { maxIterations: "max-iterations" } as const;
const phases = ["gram", "optimization", "geometry"];

describe.each(["auto", "cg", "admm", "bm"])("solver %s", (solver) => {
  const checks = facadeConformance({
    name: "nomad",
    call: (options) => Reflect.apply(nomad, undefined, [points, options]),
    iterate: (options) => Reflect.apply(nomad.iterate, undefined, [points, options]),
    callOnBadData: (options) => Reflect.apply(nomad, undefined, [[[1, Number.NaN]], options]),
    needed: { clusters: 4, solver, tolerance: 0 },
    ...{ short, long, limits, phases },
  });
  for (const { name, check } of checks) test(name, check);
});

describe("clusterPoints", () => {
  const checks = facadeConformance({
    name: "clusterPoints",
    call: (options) => Reflect.apply(clusterPoints, undefined, [points, options]),
    iterate: (options) => Reflect.apply(clusterPoints.iterate, undefined, [points, options]),
    callOnBadData: (options) => Reflect.apply(clusterPoints, undefined, [[[1, Number.NaN]], options]),
    needed: { clusters: 4, tolerance: 0 },
    ...{ short, long, limits, phases },
  });
  for (const { name, check } of checks) test(name, check);
});

describe("separateCurves", () => {
  const checks = facadeConformance({
    name: "separateCurves",
    call: (options) => Reflect.apply(separateCurves, undefined, [points, options]),
    iterate: (options) => Reflect.apply(separateCurves.iterate, undefined, [points, options]),
    callOnBadData: (options) => Reflect.apply(separateCurves, undefined, [[[1, Number.NaN]], options]),
    needed: { clusters: 4 },
    ...{ short, long, limits },
    phases: ["curves", ...phases],
  });
  for (const { name, check } of checks) test(name, check);
});
