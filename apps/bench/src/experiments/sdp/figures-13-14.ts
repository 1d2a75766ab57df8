/**
 * NOMAD, figures 13 and 14: the paper's conditional gradients inside the method of multipliers, beside what a certified solver finds.
 * How the violation of Q ≥ 0 and the objective go with the outer steps, and how near the end is to the optimum.
 *
 * Usage: node figures-13-14.ts [--quick] [--outer 600] [--tolerance 1e-4]
 *
 * Tepper, Sengupta, Chklovskii: Clustering is semidefinitely not that hard. J. Mach. Learn. Res. 19 (2018). In place of SCS and
 * SDPNAL+ stands this repository's `auto`, whose interval is certified; so "better than the optimum" is visible, where the paper
 * compares with another approximate answer.
 */
import { moons, ring, trefoilKnot, twoRings } from "@curvature/datasets";
import { type DenseMatrix, zeros } from "@curvature/linalg";
import { gramOfPoints, Multipliers, nomad, repairMatrix } from "@curvature/optim-sdp";
import { chartSvg, type Series } from "../../chart.ts";
import { turntable } from "../../data/turntable.ts";
import { experimentArguments, positive, whole } from "../../experiment-arguments.ts";
import { cpuSeconds, note } from "../../processor.ts";
import { writeReport } from "../../report.ts";
import type { Cell } from "../../report-types.ts";
import { type Grey, panelsSvg } from "../../scatter.ts";
import { median } from "../../spread.ts";
import { verdict } from "../../words.ts";
import { relativeDifference } from "./figure-measures.ts";
import { ONE_RUN, shortGap } from "./gap.ts";

const {
  isQuick,
  outer: most,
  tolerance,
} = experimentArguments({
  outer: whole(600, 60, 11),
  tolerance: positive(1e-4, 1e-3),
});
const half = isQuick ? 25 : 100;
/** Of Q, to be nearly indistinguishable. */
const NEAR = 0.05;

interface Case {
  readonly name: string;
  readonly points: DenseMatrix;
  readonly clusters: number;
}
const cases: readonly Case[] = [
  { name: "ring", points: ring({ count: half }).points, clusters: 12 },
  { name: "trefoil knot", points: trefoilKnot({ count: 2 * half }).points, clusters: 16 },
  { name: "two rings", points: twoRings({ pointsPerRing: half }).points, clusters: 16 },
  { name: "two half rings", points: moons({ pointsPerMoon: half }).points, clusters: 16 },
  { name: "turntable", points: turntable(half), clusters: isQuick ? 8 : 20 },
];

const rows: Cell[][] = [];
const violationSeries: Series[] = [];
const objectiveSeries: Series[] = [];
const matrices: Grey[] = [];
const above: string[] = [];
const ended: string[] = [];
const repaired: number[] = [];
/** Outer steps from which on the objective is within 0.1 % of its end. */
const settled: number[] = [];
/** By how much the RMSE falls after ten outer steps. */
const falls: number[] = [];
const differences: number[] = [];
let widest = 0;
for (const { name, points, clusters } of cases) {
  const problem = { gram: gramOfPoints(points), clusters };
  const begun = cpuSeconds();
  const certified = await nomad(points, { clusters, tolerance, maxIterations: 10_000 });
  const seconds = cpuSeconds() - begun;
  const { Q, lower, upper } = certified;
  if (Q === undefined) throw new Error("Q does not fit into memory");
  const before = cpuSeconds();
  const solver = new Multipliers(problem, { stop: "violation", tolerance: 0, boundsEvery: most });
  const violations: [number, number][] = [];
  const objectives: [number, number][] = [];
  let status = "not ended";
  for (;;) {
    const { phase, value = Number.NaN, details, outcome } = solver.step();
    if (phase !== "outer") continue;
    violations.push([details.outer, details.meanViolation]);
    objectives.push([details.outer, value]);
    if (outcome !== undefined) status = outcome.status;
    if (outcome !== undefined || details.outer >= most) break;
  }
  const time = cpuSeconds() - before;
  const n = points.rows;
  const last: DenseMatrix = { rows: n, columns: n, data: solver.last.x };
  const value = solver.last.value ?? Number.NaN;
  const feasible = repairMatrix(problem, last, zeros(n, n));
  const off = objectives.findLastIndex(([, each]) => Math.abs(each / value - 1) > 1e-3);
  settled.push(off < 0 ? 1 : objectives[off][0] + 1);
  falls.push(violations[9][1] / violations[violations.length - 1][1]);
  const difference = relativeDifference(last, Q);
  differences.push(difference);
  widest = Math.max(widest, (upper - lower) / upper);
  const least = last.data.reduce((a, b) => Math.min(a, b), 0) * (n / clusters);
  if (value > upper) above.push(name);
  if (status === "converged") ended.push(name);
  repaired.push((upper - feasible) / upper);
  note(`${name}: ${status} after ${violations.length} outer steps, ${time.toFixed(1)} s`);
  rows.push([
    name,
    n,
    clusters,
    `${lower.toFixed(4)} … ${upper.toFixed(4)}`,
    value.toFixed(4),
    shortGap((upper - feasible) / upper),
    least.toExponential(1),
    difference.toFixed(3),
    settled[settled.length - 1],
    violations.length,
    time.toFixed(2),
    seconds.toFixed(2),
  ]);
  matrices.push(
    { title: `${name}, certified`, note: `gap ${shortGap(certified.gap)}`, matrix: Q },
    { title: `${name}, conditional gradients`, note: `${violations.length} outer steps`, matrix: last },
  );
  violationSeries.push({ name, points: violations.filter(([, rmse]) => rmse > 0) });
  objectiveSeries.push({
    name,
    points: objectives.map(([outer, each]) => [outer, Math.abs(each - upper) / upper] as const),
  });
}
/** A few hundred; and the objective must stay where it is for as long again. */
const soon = Math.min(300, most / 2);
const near = differences.filter((difference) => difference <= NEAR).length;
const early = settled.filter((outer) => outer <= soon).length;

writeReport(
  {
    paper: "sdp",
    name: "figures-13-14",
    title: "Conditional gradients beside a certified optimum",
    claim:
      "Figures 13 and 14: the RMSE of the negative entries falls linearly after some ten outer steps, the objective settles in a few hundred, and the solutions are nearly indistinguishable from a standard solver's.",
    data: `The ring, the trefoil knot, two rings, two half rings (noise 0.05), and the turntable in place of the teapot.`,
    method: `\`Multipliers\` as the authors stop it (least entry at least −1e-3 K/n, RMSE below 1e-4), at most ${most} outer steps of 15 inner ones, beside \`auto\` to a certified gap of ${tolerance}, or 10,000 iterations. "Below after repair": how far the feasible point made of it lies below the certified upper bound. The difference ‖P + E − Q‖/‖Q‖ is to \`auto\`'s Q; at most ${NEAR} counts as nearly indistinguishable. Settled: the outer step from which on the objective is within 0.1 % of its last value; ${soon} count as a few hundred.`,
    repeats: ONE_RUN,
    clock: "processor",
    findings: [
      `${verdict({ "where the objective settles": early === cases.length, "the solutions' likeness": near === cases.length })} The objective settles within ${soon} outer steps on ${early} of ${cases.length} sets, the solution is within ${NEAR} of the certified one on ${near}; after ten outer steps the RMSE falls ${falls.map((fall) => fall.toPrecision(2)).join(", ")} times (median ${median(falls).toPrecision(2)}).`,
      `The authors' stop is met on ${ended.length} of ${cases.length} sets in ${most} outer steps${ended.length === 0 ? "" : ` (${ended.join(", ")})`}. The objective ends **above** the certified upper bound, for want of feasibility, on ${above.length}${above.length === 0 ? "" : ` (${above.join(", ")})`}. Made feasible, the points are ${repaired.map((loss) => `${(100 * loss).toFixed(1)} %`).join(", ")} below the bound.`,
    ],
    tables: [
      {
        columns: [
          "set",
          "n",
          "K",
          "certified optimum",
          "Tr(D(P + E))",
          "below after repair",
          "least entry, K/n",
          "difference to Q",
          "settled after",
          "outer steps",
          "seconds",
          "seconds of auto",
        ],
        rows,
      },
    ],
    figures: [
      {
        name: "figures-13-14",
        caption: `Violation by outer steps, and the objective's distance from the certified upper bound, on all sets; the bound itself is known to ${shortGap(widest)}.`,
        svg: chartSvg("Conditional gradients", [
          {
            title: "Violation",
            xTitle: "outer steps",
            yTitle: "RMSE of negative entries",
            logarithmic: true,
            series: violationSeries,
          },
          {
            title: "Objective",
            xTitle: "outer steps",
            yTitle: "|Tr(D Q) − upper| / upper",
            logarithmic: true,
            series: objectiveSeries,
          },
        ]),
      },
      {
        name: "figures-13-14-matrices",
        caption: "The solutions, in the order of the data.",
        svg: panelsSvg("Certified solutions and conditional gradients", matrices, { columns: 4 }),
      },
    ],
  },
  isQuick,
);
