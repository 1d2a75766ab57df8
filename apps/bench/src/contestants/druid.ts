import { readFileSync } from "node:fs";
import { TSNE } from "@saehrimnir/druidjs";
import type { Contestant } from "./contestant.ts";

const manifest = new URL("../package.json", import.meta.resolve("@saehrimnir/druidjs"));
const { version } = JSON.parse(readFileSync(manifest, "utf8"));

/** DruidJS's exact t-SNE at its own default of 500 iterations. */
export const druid: Contestant = {
  name: "DruidJS",
  description: `@saehrimnir/druidjs ${version}, TSNE, perplexity 30, 500 iterations (its default)`,
  kind: "t-SNE",
  embed: async (points, seed) => {
    const model = new TSNE(
      points.map((row) => [...row]),
      { perplexity: 30, seed },
    );
    return model.transform();
  },
};
