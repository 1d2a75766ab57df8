import { expect, test } from "vitest";
import { RandomGenerator } from "@curvature/linalg";

test("a generator restored from a saved state goes on with the same numbers", () => {
  const random = new RandomGenerator(7);
  random.uniform();
  const state = random.save();
  const next = [random.uniform(), random.integer(10)];
  const other = new RandomGenerator(0);
  other.restore(state);
  expect([other.uniform(), other.integer(10)]).toEqual(next);
});
