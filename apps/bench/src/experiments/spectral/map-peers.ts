/**
 * Default `embed` beside scikit-learn, Rtsne and the packages of npm on MNIST and on three sets that its schedule was not
 * chosen on.
 *
 * Usage: node map-peers.ts [--quick] --mnist folder --tables folder [--sizes 2000,5000,20000] [--sets mnist,letter,pendigits,tree]
 *          [--repeats 3] [--contestants curvature,scikit-learn,Rtsne,umap-js,druid,keckelt,tsne-js] [--name map-peers]
 * DruidJS, @keckelt/tsne and tsne-js take part up to 2,000 points (they sum all pairs), umap-js up to 5,000. Needs python3-sklearn, r-cran-rtsne.
 */
import {
  experimentArguments,
  namesOf,
  refuse,
  string,
  whole,
  wholeNumber,
} from "../../experiment-arguments.ts";
import { contestsOf, takingPart } from "./map-contest.ts";
import { besideTsne, rivalsIn, writeMapReport } from "./map-table.ts";
import { clusterTree, mnist, type PointSet, table } from "./sets.ts";

const values = experimentArguments({
  mnist: string(""),
  tables: string(""),
  sizes: string("2000,5000,20000"),
  sets: string("mnist,letter,pendigits,tree"),
  repeats: whole(3),
  contestants: string("curvature,scikit-learn,Rtsne,umap-js,druid"),
  name: string("map-peers"),
});
const { isQuick, repeats } = values;
const taking = takingPart(values.contestants, ["scikit-learn", "Rtsne"]);
const sizes = values.sizes.split(",").map((size) => wholeNumber("sizes", size, 100));
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
const folders = { mnist: ["mnist"], tables: ["letter", "pendigits"] } as const;
const setNames = namesOf("sets", values.sets, Object.keys(makers));
for (const folder of ["mnist", "tables"] as const)
  if (values[folder] === "" && folders[folder].some((name) => setNames.includes(name)))
    refuse(`--sets: ${folders[folder].join(" and ")} need --${folder}, a folder`);
for (const size of sizes)
  for (const name of setNames) {
    const set = await makers[name](size);
    sets.set(set.name, set);
  }

const contests = contestsOf(
  [...sets.values()],
  ({ points }) => taking.filter((name) => points.rows <= (most[name] ?? Infinity)),
  repeats,
);

writeMapReport(
  {
    name: values.name,
    title: `Maps beside ${rivalsIn(contests)}`,
    claim: "`embed` with its defaults is faster than t-SNE of other tools, to a divergence no larger.",
    contests,
    repeats,
    findings: [besideTsne(contests)],
  },
  isQuick,
);
