/**
 * The sets of figures 1 to 4 of the partial-Hessian paper under the packages of npm: default `embed` beside DruidJS,
 * @keckelt/tsne, tsne-js and umap-js, which have no minimisers to choose from and so are no curves in those figures. Each
 * takes part up to the size that it can bear: those that sum all pairs hold several N × N arrays, and their iterations take
 * seconds beyond 2,000 points.
 *
 * Usage: node figure-peers.ts [--quick] [--mnist folder] [--repeats 3]
 * Without the folder figure 4's images are left out.
 */
import { turningObjects } from "../../data/turning-objects.ts";
import { experimentArguments, string, whole } from "../../experiment-arguments.ts";
import { contestsOf } from "./map-contest.ts";
import { besideTsne, rivalsIn, writeMapReport } from "./map-table.ts";
import { mnist, type PointSet } from "./sets.ts";
import { POSES } from "./small-set.ts";

const values = experimentArguments({
  mnist: string(),
  repeats: whole(3),
});
const { isQuick, repeats } = values;
const allPairs = ["druid", "keckelt", "tsne-js"];
/** The most points of those that sum all pairs. */
const MOST_OF_ALL_PAIRS = 2000;

const objectsOf = (objects: number, poses: number, figure: string): PointSet => {
  const { points } = turningObjects({ objects, poses });
  return {
    name: `${figure}, ${points.rows} images`,
    description: `${objects} drawn objects of ${poses} poses`,
    points,
  };
};

const sets: PointSet[] = isQuick
  ? [objectsOf(4, 36, "quick")]
  : [objectsOf(10, POSES, "figure 1"), objectsOf(5, POSES, "figures 2 and 3")];
if (values.mnist !== undefined && !isQuick) {
  const images = await mnist(values.mnist, 20_000);
  sets.push({ ...images, name: "figure 4, 20000 images of MNIST" });
}

const contests = contestsOf(
  sets,
  ({ points }) => ["curvature", "umap-js", ...(points.rows <= MOST_OF_ALL_PAIRS ? allPairs : [])],
  repeats,
);

writeMapReport(
  {
    name: "figure-peers",
    title: `The sets of figures 1 to 4 beside ${rivalsIn(contests)}`,
    claim:
      "On the figures' sets, too, `embed` is faster than t-SNE of npm's packages, to a divergence no larger.",
    contests,
    repeats,
    findings: [besideTsne(contests)],
    admission: `Those that sum all pairs take part up to ${MOST_OF_ALL_PAIRS} points.`,
  },
  isQuick,
);
