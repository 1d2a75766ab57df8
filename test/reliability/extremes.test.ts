/** The quick form of `npm run extremes`: one case in 61 of each package. */
import { describe, expect, test } from "vitest";
import { packages } from "./calls/index.ts";
import { extremes } from "./extremes.ts";

const stride = 61;
const tried = Object.keys(packages).filter((name) => Object.keys(packages[name].calls).length > 1);

describe("an argument, option or entry out of the ordinary ends in a CurvatureError or a result", () => {
  test.each(tried)("%s", async (name) => {
    const { refused, taken, findings } = await extremes({
      package: name,
      stride,
      phase: 0,
    });
    expect(findings).toEqual([]);
    expect(refused + taken).toBeGreaterThan(0);
  });
});
