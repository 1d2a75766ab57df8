/** Points among strangers on manifolds that are known: `docs/results/spectral/trust.md` has more of them, and other measures. */
import { embed, mapTrust } from "@curvature/optim-spectral";
import { expect, test } from "vitest";
import { areaUnderCurve, falsePlaces, manifold } from "../src/data/manifolds.ts";

test.each(["rotations", "ring"] as const)(
  "regional trust finds them on %s, and better than neighbours kept",
  async (name) => {
    const drawn = manifold(name, 400, 0.05, 77);
    const { embedding } = await embed(drawn.points);
    const { regional, kept } = mapTrust(drawn.points, embedding);
    const isFalse = falsePlaces(drawn, embedding);
    const area = areaUnderCurve(regional, isFalse) ?? 0;
    expect(area).toBeGreaterThan(0.9);
    expect(area).toBeGreaterThan(areaUnderCurve(kept, isFalse) ?? 1);
  },
);

test("the area is the share of pairs in order, ties half", () => {
  const scores = Float64Array.of(1, 2, 2, 3);
  expect(areaUnderCurve(scores, [true, true, false, false])).toBe(3.5 / 4);
  expect(areaUnderCurve(scores, [false, false, false, false])).toBeUndefined();
});
