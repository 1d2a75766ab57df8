/**
 * Default `embed` beside scikit-learn, Rtsne, umap-js and DruidJS on MNIST and on three sets that its schedule was not
 * chosen on.
 *
 * Usage: node map-peers.ts --mnist folder --tables folder [--sizes 2000,5000,20000] [--sets mnist,letter,pendigits,tree]
 *          [--repeats 3] [--contestants curvature,scikit-learn,Rtsne,umap-js,druid] [--out file]
 * DruidJS takes part up to 2,000 points (it sums all pairs), umap-js up to 5,000. Needs python3-sklearn, r-cran-rtsne.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { machine } from "../../machine.ts";
import { descriptions, heading, lines, METHOD, measureAll, runs, type Summary } from "./map-table.ts";
import { clusterTree, mnist, type PointSet, table } from "./sets.ts";

const { values } = parseArgs({
  options: {
    mnist: { type: "string", default: "" },
    tables: { type: "string", default: "" },
    sizes: { type: "string", default: "2000,5000,20000" },
    sets: { type: "string", default: "mnist,letter,pendigits,tree" },
    repeats: { type: "string", default: "3" },
    contestants: { type: "string", default: "curvature,scikit-learn,Rtsne,umap-js,druid" },
    out: { type: "string" },
  },
});
const repeats = Number(values.repeats);
const most: Readonly<Record<string, number>> = { druid: 2000, "umap-js": 5000 };

const makers: Readonly<Record<string, (N: number) => Promise<PointSet>>> = {
  mnist: (N) => mnist(values.mnist, N),
  letter: (N) => table(values.tables, "letter", N),
  pendigits: (N) => table(values.tables, "pendigits", N),
  tree: async (N) => clusterTree(N),
};

const printed: string[] = [];
const all: Summary[] = [];
const sets: PointSet[] = [];
for (const size of values.sizes.split(",").map(Number))
  for (const name of values.sets.split(",")) {
    const set = await makers[name](size);
    if (sets.some((done) => done.name === set.name)) continue;
    sets.push(set);
    const taking = values.contestants.split(",").filter((c) => size <= (most[c] ?? Number.POSITIVE_INFINITY));
    const summary = measureAll(set, taking, repeats);
    all.push(...summary);
    printed.push(...lines(set.name, summary));
  }

const document = [
  "# Maps beside scikit-learn, Rtsne, umap-js and DruidJS",
  "",
  `${runs(repeats)}, ${METHOD} ${machine()}.`,
  "",
  ...heading,
  ...printed,
  "",
  ...descriptions(all),
  ...sets.map((set) => `- ${set.name}: ${set.description}`),
  "",
].join("\n");
process.stdout.write(document);
const results = fileURLToPath(new URL("../../../../../docs/results/spectral/", import.meta.url));
mkdirSync(results, { recursive: true });
writeFileSync(values.out ?? `${results}map-peers.md`, document);
