/** The data that the packages bring and make is sound, and nothing odd is said of it. */
import {
  closedLoops,
  curves,
  doubleSwissRoll,
  gaussianBlobs,
  halfRing,
  moons,
  noisyGrid,
  ring,
  rings,
  sCurve,
  swissRoll,
  trefoilKnot,
  twoRings,
} from "@curvature/datasets";
import { loadDigits } from "@curvature/datasets/digits";
import { loadEurodist } from "@curvature/datasets/eurodist";
import { toDense } from "@curvature/linalg";
import { dataWarnings } from "@curvature/linalg/tables";
import { expect, test } from "vitest";

test("nothing odd is said of the digits and their labels", async () => {
  const { points, labels } = await loadDigits();
  expect(dataWarnings(points, { labels })).toEqual([]);
});

const generators = {
  closedLoops,
  curves,
  doubleSwissRoll,
  gaussianBlobs,
  halfRing,
  moons,
  noisyGrid,
  ring,
  rings,
  sCurve,
  swissRoll,
  trefoilKnot,
  twoRings,
};

test.each(Object.entries(generators))("nothing odd is said of %s", (_, make) => {
  const made = make();
  expect(dataWarnings(toDense("points" in made ? made.points : made))).toEqual([]);
});

test("road distances are told from places", () => {
  const { distances, positions } = loadEurodist();
  expect(dataWarnings(distances).map(({ code }) => code)).toEqual(["distances-as-points"]);
  expect(dataWarnings(positions)).toEqual([]);
});
