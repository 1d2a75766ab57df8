/** Points among strangers on manifolds that are known: `docs/results/spectral/trust.md` has more of them, and other measures. */
import { embed, mapTrust } from "@curvature/optim-spectral";
import { expect, test } from "vitest";
import { areaUnderCurve, falsePlaces, manifold } from "../src/data/manifolds.ts";
import { median } from "../src/spread.ts";

// In single draws kept may be the better one: a map of 400 points has few that lie among strangers.
test.each(["rotations", "ring"] as const)(
  "regional trust finds them on %s, and in the median draw better than neighbours kept",
  async (name) => {
    const areas: { readonly regional: number; readonly kept: number }[] = [];
    for (let seed = 77; seed < 82; seed++) {
      const drawn = manifold(name, 400, 0.05, seed);
      const { embedding } = await embed(drawn.points);
      const { regional, kept } = mapTrust(drawn.points, embedding);
      const isFalse = falsePlaces(drawn, embedding);
      const area = (scores: Float64Array): number => areaUnderCurve(scores, isFalse) ?? Number.NaN;
      areas.push({ regional: area(regional), kept: area(kept) });
    }
    const found = median(areas.map(({ regional }) => regional));
    expect(found).toBeGreaterThan(0.9);
    expect(found).toBeGreaterThan(median(areas.map(({ kept }) => kept)));
  },
);

test("the area is the share of pairs in order, ties half", () => {
  const scores = Float64Array.of(1, 2, 2, 3);
  expect(areaUnderCurve(scores, [true, true, false, false])).toBe(3.5 / 4);
  expect(areaUnderCurve(scores, [false, false, false, false])).toBeUndefined();
});
