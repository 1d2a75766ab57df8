import { embed } from "@curvature/optim-spectral";
import type { Contestant } from "./contestant.ts";

export const curvature: Contestant = {
  name: "curvature",
  description: "this repository's embed(points) with its defaults (100 evaluations, perplexity 30)",
  kind: "t-SNE",
  embed: async (points, seed) => {
    const { embedding } = await embed(points, { seed });
    const { rows, columns, data } = embedding;
    return Array.from({ length: rows }, (_, i) => [...data.subarray(i * columns, (i + 1) * columns)]);
  },
};
