import {
  checkMemory,
  distanceWeights,
  entropicAffinities,
  outOfSampleAffinities,
  outOfSampleDistanceWeights,
} from "@curvature/objectives/embedding";
import { expect, test } from "vitest";

const line = (rows: number) => ({ rows, columns: 1, data: Float64Array.from({ length: rows }, (_, n) => n) });

test("matrices and neighbours count together, up to 4 GiB", () => {
  const N = 2 ** 14;
  expect(() => checkMemory("test", { rows: N, columns: N, matrices: 2 }, "")).not.toThrow();
  expect(() => checkMemory("test", { rows: N, columns: N, matrices: 2, neighbors: 1 }, "Advice.")).toThrow(
    "test: 2 x 16384 x 16384 numbers take 4295950336 bytes (4.00 GiB), more than 4 GiB. Advice.",
  );
  expect(() => checkMemory("test", { rows: 1e6, columns: 1e6, neighbors: 71 }, "")).not.toThrow();
  expect(() => checkMemory("test", { rows: 1e6, columns: 1e6, neighbors: 72 }, "")).toThrow("at most 71");
});

test.each([
  ["entropicAffinities", () => entropicAffinities(line(23_171), { neighbors: "all" }), "fewer neighbors"],
  ["entropicAffinities", () => entropicAffinities(line(800_000)), "Take at most 89"],
  ["distanceWeights", () => distanceWeights(line(23_171)), "constant weights"],
  [
    "outOfSampleAffinities",
    () => outOfSampleAffinities(line(60_000), line(10_000), { neighbors: "all" }),
    "fewer new points",
  ],
  [
    "outOfSampleDistanceWeights",
    () => outOfSampleDistanceWeights(line(60_000), line(10_000)),
    "fewer new points",
  ],
])("%s of too many points are refused before they begin", (name, call, advice) => {
  expect(call).toThrow(expect.objectContaining({ code: "ERR_MEMORY" }));
  expect(call).toThrow(new RegExp(`^${name}: .*bytes .*more than 4 GiB.*${advice}`));
});
