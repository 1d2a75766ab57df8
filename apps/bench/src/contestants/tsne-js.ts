import { createRequire } from "node:module";
import type { Contestant } from "./contestant.ts";

interface TsneModel {
  init(input: { data: readonly (readonly number[])[]; type: "dense" }): void;
  run(): unknown;
  getOutput(): number[][];
}

const require = createRequire(import.meta.url);
const TsneJs: new (options: Record<string, unknown>) => TsneModel = require("tsne-js");
const { version } = require("tsne-js/package.json");

/** A tenth of its default: an iteration takes about a second on 1,797 points. */
const iterations = 50;

export const tsneJs: Contestant = {
  name: "tsne-js",
  description: `tsne-js ${version}, perplexity 30, ${iterations} iterations (default 500)`,
  kind: "t-SNE",
  hasNoSeed: true,
  embed: async (points) => {
    const model = new TsneJs({ dim: 2, perplexity: 30, nIter: iterations });
    model.init({ data: points, type: "dense" });
    model.run();
    return model.getOutput();
  },
};
