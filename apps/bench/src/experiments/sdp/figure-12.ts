/**
 * NOMAD, figure 12: the low-rank factor Y ≥ 0 (n × r) of Burer and Monteiro beside the certified optimum, for r from K on. How much of
 * the value is lost, how far Y Yᵀ is from Q, and how hard a clustering it is.
 *
 * Usage: node figure-12.ts [--quick] [--tolerance 1e-4] [--seeds 3]
 *
 * Tepper, Sengupta, Chklovskii: Clustering is semidefinitely not that hard. J. Mach. Learn. Res. 19 (2018): two rings with K = 8, a
 * teapot's views with K = 20, in whose place stands the turntable.
 */
import { twoRings } from "@curvature/datasets";
import { maxIterations, run } from "@curvature/optim-core";
import { BurerMonteiro, factoredDense, gramOfPoints, PrimalDual } from "@curvature/optim-sdp";
import { turntable } from "../../data/turntable.ts";
import { experimentArguments, positive, whole } from "../../experiment-arguments.ts";
import { cpuSeconds, note } from "../../processor.ts";
import { writeReport } from "../../report.ts";
import type { Cell, Table } from "../../report-types.ts";
import { type Grey, panelsSvg } from "../../scatter.ts";
import { decimals, type Spread, spreadOf, spreadText } from "../../spread.ts";
import { mediansOf, verdict } from "../../words.ts";
import { relativeDifference } from "./figure-measures.ts";
import { shortGap } from "./gap.ts";

const { isQuick, tolerance, seeds } = experimentArguments({
  tolerance: positive(1e-4, 1e-3),
  seeds: whole(3, 1),
});
const half = isQuick ? 40 : 100;
const multiples = isQuick ? [1, 4] : [1, 2, 4, 8];

const cases = [
  { name: "two rings", points: twoRings({ pointsPerRing: half }).points, clusters: 8 },
  { name: "turntable", points: turntable(half), clusters: isQuick ? 8 : 20 },
];

const tables: Table[] = [];
const panels: Grey[] = [];
const findings: string[] = [];
/** Whether it is so on all sets. */
const parts = { "r = K": true, "larger r": true };
for (const { name, points, clusters } of cases) {
  const problem = { gram: gramOfPoints(points), clusters };
  const solver = new PrimalDual(problem, { tolerance });
  const before = cpuSeconds();
  const { history } = await run(solver, { stop: maxIterations(isQuick ? 2000 : 8000), history: 1 });
  const { gap, lower, upper } = history[0].details;
  const Q = solver.nonnegativePoint();
  if (Q === undefined) throw new Error(`${name}: the gap ${gap} was reached without the dual iteration.`);
  const n = points.rows;
  note(`${name}: gap ${shortGap(gap)} in ${(cpuSeconds() - before).toFixed(1)} s`);
  panels.push({ title: `${name}, optimum`, note: `gap ${shortGap(gap)}`, matrix: Q });
  const errors: number[] = [];
  const hardShares: number[] = [];
  const rows = multiples.map((multiple): Cell[] => {
    const runs = Array.from({ length: seeds }, (_, seed) => {
      const begun = cpuSeconds();
      const bm = new BurerMonteiro(problem, { rank: multiple * clusters, seed, tolerance: 1e-4 });
      while (!bm.isOver) bm.step();
      const found = factoredDense(bm.lowerPoint);
      return {
        found,
        loss: (upper - bm.lower) / upper,
        error: relativeDifference(found, Q),
        hard: hardRows(bm.factor.data, multiple * clusters),
        seconds: cpuSeconds() - begun,
      };
    });
    const over = (pick: (one: (typeof runs)[number]) => number): Spread => spreadOf(runs.map(pick));
    const error = over((one) => one.error);
    const hard = over((one) => one.hard);
    errors.push(error.median);
    hardShares.push(hard.median);
    note(`${name}, r = ${multiple} K: error ${error.median.toFixed(3)}`);
    panels.push({
      title: `${name}, r = ${multiple * clusters}`,
      note: `error ${runs[0].error.toFixed(3)}`,
      matrix: runs[0].found,
    });
    return [
      `${multiple} K = ${multiple * clusters}`,
      spreadText(
        over((one) => one.loss),
        (loss) => loss.toExponential(1),
      ),
      spreadText(error, decimals(3)),
      spreadText(hard, decimals(2)),
      spreadText(
        over((one) => one.seconds),
        decimals(2),
      ),
    ];
  });
  tables.push({
    title: `${name}, n = ${n}, K = ${clusters}`,
    note: `The optimum lies in ${lower.toFixed(5)} … ${upper.toFixed(5)}.`,
    columns: ["r", "below the upper bound", "‖Y Yᵀ − Q‖/‖Q‖", "rows of one cluster", "seconds"],
    rows,
  });
  parts["r = K"] &&= hardShares[0] >= 0.95 && errors[0] >= 0.5;
  parts["larger r"] &&= errors[errors.length - 1] <= 0.1;
  const falls = errors.every((error, k) => k === 0 || error <= errors[k - 1]);
  findings.push(
    `${name}: the error is ${errors.map((error) => error.toFixed(3)).join(", ")} for r = ${multiples.map((multiple) => `${multiple} K`).join(", ")}${falls ? "" : ": it does **not** fall throughout"}; with r = K ${(100 * hardShares[0]).toFixed(0)} % of the points are in one cluster only, with r = ${multiples[multiples.length - 1]} K ${(100 * hardShares[hardShares.length - 1]).toFixed(0)} %.`,
  );
}

/** Share of Y's rows with one entry above 1 % of the row's largest. */
function hardRows(Y: Float64Array, r: number): number {
  const n = Y.length / r;
  let hard = 0;
  for (let i = 0; i < n; i++) {
    const row = Y.subarray(i * r, (i + 1) * r);
    const top = Math.max(...row);
    if (row.filter((each) => each > 0.01 * top).length === 1) hard++;
  }
  return hard / n;
}

writeReport(
  {
    paper: "sdp",
    name: "figure-12",
    title: "Low-rank factors beside NOMAD's optimum",
    claim:
      "Figure 12: Burer and Monteiro's factor with r = K gives a hard clustering, far from the optimum; larger r come near it.",
    data: `Two rings of ${half} points each; the turntable, ${half} images, in place of the teapot.`,
    method: `Q is \`auto\`'s nonnegative copy at the gap in the picture (asked for ${tolerance}). \`BurerMonteiro\`, repaired to a feasible point. Rows of one cluster: the points with one entry of Y above 1 % of their largest. The claim counts as held for r = K where 95 % of the points are in one cluster only and the error is 0.5 or more, for larger r where the largest r has an error of at most 0.1.`,
    repeats: `${mediansOf(seeds, "start of each factor", "starts of each factor")}, one run of \`auto\` (seed 0), all in one process. Another run gives the same but for its seconds.`,
    clock: "processor",
    findings: [verdict(parts), ...findings],
    tables,
    figures: [
      {
        name: "figure-12",
        caption: "Q, and Y Yᵀ of seed 0, in the order of the data.",
        svg: panelsSvg("Low-rank factors", panels, { columns: multiples.length + 1 }),
      },
    ],
  },
  isQuick,
);
