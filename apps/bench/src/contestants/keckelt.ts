import { createRequire } from "node:module";
import { TSNE } from "@keckelt/tsne";
import type { Contestant } from "./contestant.ts";

const { version } = createRequire(import.meta.url)("@keckelt/tsne/package.json");

/** It has no number of its own; as many as DruidJS takes. */
const iterations = 500;

export const keckelt: Contestant = {
  name: "@keckelt/tsne",
  description: `@keckelt/tsne ${version}, perplexity 30, ${iterations} iterations`,
  kind: "t-SNE",
  hasNoSeed: true,
  embed: async (points) => {
    const model = new TSNE({ dim: 2, perplexity: 30 });
    model.initDataRaw(points.map((row) => [...row]));
    for (let k = 0; k < iterations; k++) model.step();
    return model.getSolution();
  },
};
