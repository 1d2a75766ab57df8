import {
  checkPointMemory,
  distanceWeights,
  entropicAffinities,
  outOfSampleAffinities,
  outOfSampleDistanceWeights,
} from "@curvature/objectives/embedding";
import { expect, test } from "vitest";

const line = (rows: number) => ({ rows, columns: 1, data: Float64Array.from({ length: rows }, (_, n) => n) });

test("up to 4 GiB", () => {
  expect(() => checkPointMemory("test", 2 ** 14, 2 ** 18, "")).not.toThrow();
  expect(() => checkPointMemory("test", 2 ** 14, 2 ** 18 + 1, "Advice.")).toThrow(
    "test: 16384 points take 4294983680 bytes (4.00 GiB), more than 4 GiB. Advice.",
  );
});

test.each([
  ["entropicAffinities", () => entropicAffinities(line(23_171), { neighbors: "all" }), "Lower neighbors"],
  ["entropicAffinities", () => entropicAffinities(line(800_000)), "Lower neighbors"],
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
