/** The short forms of `npm run extremes`: one case in 610 of each package, and in full one in 61. */
import { describe, expect, test } from "vitest";
import { packages } from "./calls/index.ts";
import { extremes } from "./extremes.ts";

const tried = Object.keys(packages).filter((name) => Object.keys(packages[name].calls).length > 1);

describe.each([
  { stride: 610, phase: 1, tags: [] },
  { stride: 61, phase: 0, tags: ["full"] },
])(
  "an argument, option or entry out of the ordinary ends in a CurvatureError or a result: one in $stride",
  ({ stride, phase, tags }) => {
    test.each(tried)("%s", { tags }, async (name) => {
      const { refused, taken, findings } = await extremes({ package: name, stride, phase });
      expect(findings).toEqual([]);
      expect(refused + taken).toBeGreaterThan(0);
    });
  },
);
