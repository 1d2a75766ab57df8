import { enableSimd } from "@curvature/linalg/simd";
import { embed } from "@curvature/optim-spectral";
import type { Contestant } from "./contestant.ts";

const arithmetic = enableSimd() ? "with SIMD, one thread" : "without SIMD, one thread";

export const curvature: Contestant = {
  name: "curvature",
  description: `this repository's embed(points) with its defaults (100 evaluations, perplexity 30), ${arithmetic}`,
  kind: "t-SNE",
  embed: async (points, seed) => {
    const { embedding } = await embed(points, { seed });
    const { rows, columns, data } = embedding;
    return Array.from({ length: rows }, (_, i) => [...data.subarray(i * columns, (i + 1) * columns)]);
  },
};
