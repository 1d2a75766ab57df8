// @module-tag full
import { norm2 } from "@curvature/linalg";
import { describe, expect, test } from "vitest";
import { longestRow } from "../src/columns.js";
import { embed } from "../src/index.js";
import { expectRecordedCurve, expectRecordedStart } from "./helpers/follow.js";
import { digits } from "./helpers/reference.js";

describe.each(["ee", "ssne", "tsne"] as const)("digits %s", (name) => {
  test("E and the gradient's norm at the recorded start, to 1e-10", () => {
    expectRecordedStart("digits", name, "rand");
  });
  test("SD follows the recorded curve", () => {
    expectRecordedCurve("digits", name, "rand");
  });
});

test.each([
  [0, 100],
  [2, 100],
  [3, 50],
])(
  "from a random map no point is left far outside: seed %d, %d evaluations",
  async (seed, maxEvaluations) => {
    const { embedding } = await embed(digits(), { initialization: "random", seed, maxEvaluations });
    const size = norm2(embedding.data) / Math.sqrt(embedding.rows);
    expect(longestRow(embedding.data, 2)).toBeLessThan(2.5 * size); // 5.4, 5.9 and 9.2 where whole steps are shortened
  },
);
