/** The road distances and their classical map, as rows. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

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
