import { describe, test } from "vitest";
import { expectRecordedCurve, expectRecordedStart } from "./helpers/follow.js";

describe.each(["ee", "ssne", "tsne"] as const)("digits %s", (name) => {
  test("E and the gradient's norm at the recorded start, to 1e-10", () => {
    expectRecordedStart("digits", name, "rand");
  });
  test("SD follows the recorded curve", () => {
    expectRecordedCurve("digits", name, "rand");
  });
});
