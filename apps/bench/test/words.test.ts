import { expect, test } from "vitest";
import { mediansOf, verdict } from "../src/words.ts";

test("a verdict names the parts of the claim that hold and those that do not", () => {
  expect(verdict({ passes: true, time: true })).toBe("The claim holds.");
  expect(verdict({ passes: false, time: false })).toBe("The claim does **not** hold here.");
  expect(verdict({ passes: true, time: false, error: false, cost: false })).toBe(
    "The claim holds for passes, and does **not** hold here for time, error and cost.",
  );
});

test("one run is no median", () => {
  expect(mediansOf(1)).toBe("One run of each (seed 0)");
  expect(mediansOf(3, "draw", "draws")).toBe(
    "Medians of 3 draws (seeds 0 to 2), in brackets the least and the most",
  );
});
