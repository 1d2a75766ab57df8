/**
 * NOMAD, figure 8: a square grid in ten dimensions, of which eight are noise. Whether the map gives the grid back, and how
 * local a column of Q is on it.
 *
 * Usage: node figure-8.ts [--quick] [--side 14] [--clusters 24] [--tolerance 1e-3]
 *
 * Tepper, Sengupta, Chklovskii: Clustering is semidefinitely not that hard. J. Mach. Learn. Res. 19 (2018). The paper does not
 * give K, nor the noise.
 */
import { noisyGrid } from "@curvature/datasets";
import { principalComponents } from "@curvature/linalg";
import { embeddingOf, nomad } from "@curvature/optim-sdp";
import { experimentArguments, positive, whole } from "../../experiment-arguments.ts";
import { cpuSeconds, note } from "../../processor.ts";
import { writeReport } from "../../report.ts";
import type { Cell } from "../../report-types.ts";
import { type Dots, panelsSvg } from "../../scatter.ts";
import { verdict } from "../../words.ts";
import { explained, pairsOf } from "./figure-measures.ts";
import { ONE_RUN, shortGap } from "./gap.ts";

const {
  isQuick,
  side,
  clusters: K,
  tolerance,
} = experimentArguments({
  side: whole(14, 9, 3),
  clusters: whole(24, 10),
  tolerance: positive(1e-3),
});
const noises = isQuick ? [0.5, 1] : [0.25, 0.5, 1];

const rows: Cell[][] = [];
const panels: Dots[] = [];
const verdicts: string[] = [];
/** Whether it is so at every noise. */
const parts = { "the plane": true, "local patches": true };
for (const noise of noises) {
  const { points, row, column } = noisyGrid({ side, noise });
  const n = points.rows;
  const before = cpuSeconds();
  const { Q, gap } = await nomad(points, { clusters: K, tolerance });
  const seconds = cpuSeconds() - before;
  if (Q === undefined) throw new Error("Q does not fit into memory");
  note(`noise ${noise}: gap ${shortGap(gap)}, ${seconds.toFixed(1)} s`);
  const map = pairsOf(embeddingOf(Q).coordinates);
  const linear = pairsOf(principalComponents(points, { count: 2 }).scores);
  const recovered = [row, column].map((axis) => explained(map, axis));
  const byComponents = [row, column].map((axis) => explained(linear, axis));
  /** Of each point the root mean square distance on the grid, weighed by its row of Q, which sums to 1. */
  let [radius, whole, filled] = [0, 0, 0];
  const largest = Math.max(...Q.data);
  for (let i = 0; i < n; i++) {
    let [square, all] = [0, 0];
    for (let j = 0; j < n; j++) {
      const distance = (row[i] - row[j]) ** 2 + (column[i] - column[j]) ** 2;
      square += Q.data[i * n + j] * distance;
      all += distance / n;
      if (Q.data[i * n + j] > 1e-3 * largest) filled++;
    }
    radius += Math.sqrt(square) / n;
    whole += Math.sqrt(all) / n;
  }
  rows.push([
    noise,
    shortGap(gap),
    ...recovered.map((r) => r.toFixed(3)),
    ...byComponents.map((r) => r.toFixed(3)),
    radius.toFixed(2),
    whole.toFixed(2),
    (filled / n).toFixed(1),
    seconds.toFixed(1),
  ]);
  parts["the plane"] &&= Math.min(...recovered) >= 0.9;
  parts["local patches"] &&= radius <= whole / 2;
  verdicts.push(
    `at noise ${noise} R² ${recovered.map((r) => r.toFixed(2)).join(" and ")}, columns within ${radius.toFixed(2)} (of ${whole.toFixed(2)} for all points), **behind** two principal components in ${recovered.filter((r, k) => r < byComponents[k]).length} of 2`,
  );
  panels.push({
    title: `noise ${noise}: the map`,
    note: "red by row, blue by column",
    points: map,
    colorOf: (i) =>
      `rgb(${Math.round((230 * row[i]) / (side - 1))} 60 ${Math.round((230 * column[i]) / (side - 1))})`,
  });
  for (const at of [0, Math.floor(side / 2) * side + Math.floor(side / 2)]) {
    const column_ = Q.data.subarray(at * n, (at + 1) * n);
    const top = Math.max(...column_);
    panels.push({
      title: `noise ${noise}: column ${at} of Q`,
      note: "on the grid; red is the largest entry",
      points: Array.from(row, (r, i) => [column[i], -r] as const),
      colorOf: (i) => {
        const share = Math.round(225 * (1 - Math.min(1, column_[i] / top)));
        return `rgb(${Math.max(share, 200)} ${share} ${share})`;
      },
    });
  }
}

writeReport(
  {
    paper: "sdp",
    name: "figure-8",
    title: "NOMAD on a grid in ten dimensions",
    claim:
      "Figure 8: NOMAD recovers the plane of the grid, and its solution tiles it with overlapping local patches.",
    data: `A grid of ${side} × ${side} points at distance 1, and eight more columns of normal noise (seed 0).`,
    method: `K = ${K}, \`auto\` to a certified gap of ${tolerance}. R²: of the linear fit of a point's row and column in the grid by the map's two coordinates, and by two principal components of the points. Radius: the root mean square distance on the grid to the others, weighed by a point's row of Q (which sums to 1), mean over the points; beside it the same with all points weighed alike. Filled: entries of a row above 1e-3 of the largest. The claim counts as held for the plane where R² is at least 0.9 for row and column at every noise, for local patches where the radius is at most half of that of all.`,
    repeats: ONE_RUN,
    clock: "processor",
    findings: [`${verdict(parts)} The map gives back row and column: ${verdicts.join("; ")}.`],
    tables: [
      {
        columns: [
          "noise",
          "gap",
          "R² of row",
          "R² of column",
          "row, principal components",
          "column, principal components",
          "radius",
          "radius of all",
          "filled",
          "seconds",
        ],
        rows,
      },
    ],
    figures: [
      {
        name: "figure-8",
        caption: "The maps, and two columns of Q on the grid: of a corner, and of the middle.",
        svg: panelsSvg(`A grid of ${side} × ${side} points`, panels),
      },
    ],
  },
  isQuick,
);
