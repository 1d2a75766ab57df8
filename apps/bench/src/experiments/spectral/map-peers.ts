/**
 * Default `embed` beside scikit-learn, Rtsne and the packages of npm on MNIST and on three sets that its schedule was not
 * chosen on.
 *
 * Usage: node map-peers.ts [--quick] --mnist folder --tables folder [--sizes 2000,5000,20000] [--sets mnist,letter,pendigits,tree]
 *          [--repeats 3] [--contestants curvature,scikit-learn,Rtsne,umap-js,druid,keckelt,tsne-js] [--name map-peers]
 * DruidJS, @keckelt/tsne and tsne-js take part up to 2,000 points (they sum all pairs), umap-js up to 5,000. Needs python3-sklearn, r-cran-rtsne.
 */
import { experimentArguments } from "../../experiment-arguments.ts";
import { contestsOf } from "./map-contest.ts";
import { writeMapReport } from "./map-table.ts";
import { clusterTree, mnist, type PointSet, table } from "./sets.ts";

const { values } = experimentArguments({
  options: {
    quick: { type: "boolean", default: false },
    mnist: { type: "string", default: "" },
    tables: { type: "string", default: "" },
    sizes: { type: "string", default: "2000,5000,20000" },
    sets: { type: "string", default: "mnist,letter,pendigits,tree" },
    repeats: { type: "string", default: "3" },
    contestants: { type: "string", default: "curvature,scikit-learn,Rtsne,umap-js,druid" },
    name: { type: "string", default: "map-peers" },
  },
});
const repeats = Number(values.repeats);
const most: Readonly<Record<string, number>> = {
  druid: 2000,
  keckelt: 2000,
  "tsne-js": 2000,
  "umap-js": 5000,
};

const makers: Readonly<Record<string, (N: number) => Promise<PointSet>>> = {
  mnist: (N) => mnist(values.mnist, N),
  letter: (N) => table(values.tables, "letter", N),
  pendigits: (N) => table(values.tables, "pendigits", N),
  tree: async (N) => clusterTree(N),
};

const sets = new Map<string, PointSet>();
for (const size of values.sizes.split(",").map(Number))
  for (const name of values.sets.split(",")) {
    const set = await makers[name](size);
    sets.set(set.name, set);
  }

writeMapReport(
  {
    name: values.name,
    title: "Maps beside scikit-learn, Rtsne and the packages of npm",
    claim: "`embed` with its defaults is faster than t-SNE of other tools, to a divergence no larger.",
    contests: contestsOf(
      [...sets.values()],
      ({ points }) => values.contestants.split(",").filter((c) => points.rows <= (most[c] ?? Infinity)),
      repeats,
    ),
    repeats,
  },
  values.quick,
);
