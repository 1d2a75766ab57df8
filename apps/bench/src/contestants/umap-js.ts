import { createRequire } from "node:module";
import { RandomGenerator } from "@curvature/linalg";
import { UMAP } from "umap-js";
import type { Contestant } from "./contestant.ts";

const { version } = createRequire(import.meta.url)("umap-js/package.json");

export const umapJs: Contestant = {
  name: "umap-js",
  description: `umap-js ${version}, defaults (15 neighbours), seeded`,
  kind: "other",
  embed: async (points, seed) => {
    const generator = new RandomGenerator(seed);
    return new UMAP({ random: () => generator.uniform() }).fit(points.map((row) => [...row]));
  },
};
