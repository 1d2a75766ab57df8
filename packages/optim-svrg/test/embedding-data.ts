/** The road distances and their classical map, as rows; and answers about a few points. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { RandomGenerator } from "@curvature/linalg";
import { tripletsFromPoints } from "../src/index.js";

/** Classical scaling of the road distances, 21 × 2. */
export const cityMap = (): number[][] => table("eurodist-cmdscale.csv");

/** Road distances in km, 21 × 21. */
export const cityDistances = (): number[][] => table("eurodist.csv");

function table(name: string): number[][] {
  const text = readFileSync(join(import.meta.dirname, "fixtures", name), "utf8");
  const lines = text.trim().split("\n").slice(1);
  return lines.map((line) =>
    line
      .replace(/"[^"]*",/, "")
      .split(",")
      .map(Number),
  );
}

/** 20 points of the plane, and answers about them, of which a share is wrong. */
export function smallAnswers(count = 300, seed = 1, flip = 0) {
  const random = new RandomGenerator(seed);
  const points = Array.from({ length: 20 }, () => [random.uniform(), random.uniform()]);
  return { points, ...tripletsFromPoints(points, { count, test: 200, seed, flip }) };
}
