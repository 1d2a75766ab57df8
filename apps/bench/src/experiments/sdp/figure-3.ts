/**
 * NOMAD, figure 3: the solution for a ring of 100 points as K grows. What the linear programme of section 2.4 says exactly
 * (`solveRing`), and what the semidefinite solver finds of it.
 *
 * Usage: node figure-3.ts [--quick] [--points 100] [--tolerance 1e-4]
 *
 * Tepper, Sengupta, Chklovskii: Clustering is semidefinitely not that hard. J. Mach. Learn. Res. 19 (2018), figure 3.
 */
import { ring } from "@curvature/datasets";
import { zeros } from "@curvature/linalg";
import { nomad, solveRing } from "@curvature/optim-sdp";
import { chartSvg } from "../../chart.ts";
import { experimentArguments, positive, whole } from "../../experiment-arguments.ts";
import { note } from "../../processor.ts";
import { writeReport } from "../../report.ts";
import type { Cell } from "../../report-types.ts";
import { panelsSvg } from "../../scatter.ts";
import { verdict } from "../../words.ts";
import { ONE_RUN, shortGap } from "./gap.ts";

const {
  isQuick,
  points: n,
  tolerance,
} = experimentArguments({
  points: whole(100, 50, 4),
  tolerance: positive(1e-4, 1e-3),
});
const counts = (isQuick ? [2, 4, 8, 16] : [1.5, 2, 3, 4, 6, 8, 12, 16, 25, 33, 50, 75]).filter((K) => K < n);
/** Entries and eigenvalues below this share of the largest count as 0. */
const ZERO = 1e-7;
const MOST_ITERATIONS = 20_000;

const { points } = ring({ count: n });
const half = Math.floor(n / 2);
const active = (list: ArrayLike<number>): number => {
  const all = Array.from(list);
  return all.filter((each) => each > ZERO * Math.max(...all)).length;
};
const rows: Cell[][] = [];
let [inside, growing, before] = [0, 0, 0];
const outside: number[] = [];
/** Elements by which the band is wider than it should be, by K. */
const excesses: number[] = [];
for (const K of counts) {
  const exact = solveRing(n, K);
  const { lower, upper, gap, status } = await nomad(points, {
    clusters: K,
    tolerance,
    maxIterations: MOST_ITERATIONS,
  });
  note(`K = ${K}: ${status}, gap ${shortGap(gap)}`);
  /** Each frequency but 0 and n/2 is there twice. */
  const eigenvalues = Array.from(exact.spectrum).flatMap((q, p) => (p === 0 || 2 * p === n ? [q] : [q, q]));
  /** ⌈n/K⌉, or all that there are. */
  const expected = Math.min(Math.ceil(n / K), half + 1);
  const band = active(exact.row.subarray(0, half + 1));
  const slack = 1e-9 * exact.value;
  const isInside = lower <= exact.value + slack && exact.value <= upper + slack;
  if (isInside) inside++;
  else outside.push(K);
  excesses.push(band - expected);
  const modes = active(eigenvalues);
  if (modes >= before) growing++;
  before = modes;
  const error = Math.abs(exact.value - lower) / exact.value;
  rows.push([
    K,
    exact.value.toFixed(6),
    lower.toFixed(6),
    upper.toFixed(6),
    error.toExponential(1),
    modes,
    band,
    expected,
  ]);
}

const within = (most: number): number => excesses.filter((excess) => Math.abs(excess) <= most).length;

/** The values of n Q_ij over i − j = h, by K. */
const lines = [0, 1, 2, 3, 5, 8, 12, 20, 30].filter((h) => h <= half);
const fine = Array.from(
  { length: isQuick ? 12 : 60 },
  (_, k) => 1 + ((n - 1) * (k + 0.5) ** 2) / (isQuick ? 144 : 3600),
);
const along = fine.map((K) => ({ K, row: solveRing(n, K).row }));
const shown = counts.filter((K) => K >= 2).slice(0, 8);

writeReport(
  {
    paper: "sdp",
    name: "figure-3",
    title: "NOMAD on a ring, as K grows",
    claim:
      "Figure 3: on a ring the solution is circulant; with K its band narrows to ⌈n/K⌉ elements on a side, and more eigenvalues become active.",
    data: `${n} points of the unit circle.`,
    method: `Exact values by the linear programme in the Fourier basis (\`solveRing\`); bounds by \`nomad\`, \`auto\`, to a certified gap of ${tolerance} or ${MOST_ITERATIONS.toLocaleString("en-US")} iterations. Entries and eigenvalues above ${ZERO} of the largest are counted; the band is that of one side, the diagonal included, and at most ${half + 1}. The error is the lower bound's.`,
    repeats: ONE_RUN,
    clock: "none",
    findings: [
      `${verdict({ "the width of the band": excesses.every((excess) => excess === 0), "the number of eigenvalues": growing === counts.length })} The band has ⌈n/K⌉ elements for ${within(0)} of ${counts.length} K, is within one of it for ${within(1)}, and at most ${Math.max(...excesses.map(Math.abs))} away; the number of active eigenvalues does not fall for ${growing} of ${counts.length}.`,
      `The certified interval holds the exact value for ${inside} of ${counts.length} K${outside.length === 0 ? "" : `, **not** for ${outside.join(", ")}`}.`,
    ],
    tables: [
      {
        columns: [
          "K",
          "exact value",
          "lower bound",
          "upper bound",
          "error",
          "active eigenvalues",
          "band",
          "⌈n/K⌉",
        ],
        rows,
      },
    ],
    figures: [
      {
        name: "figure-3-matrices",
        caption: "The solutions: black is the largest entry of each.",
        svg: panelsSvg(
          `Q of a ring of ${n} points`,
          shown.map((K) => {
            const { row } = solveRing(n, K);
            const matrix = zeros(n, n);
            for (let i = 0; i < n; i++)
              for (let j = 0; j < n; j++) matrix.data[i * n + j] = row[(j - i + n) % n];
            return { title: `K = ${K}`, matrix };
          }),
          { columns: 4 },
        ),
      },
      {
        name: "figure-3",
        caption: "The eigenvalues of Q by frequency.",
        svg: chartSvg(`A ring of ${n} points`, [
          {
            title: "Eigenvalues",
            xTitle: "frequency",
            yTitle: "eigenvalue",
            series: shown.map((K) => ({
              name: `K = ${K}`,
              points: Array.from(solveRing(n, K).spectrum, (q, p) => [p, q] as const),
            })),
          },
        ]),
      },
      {
        name: "figure-3-diagonals",
        caption: "The value of each diagonal of Q over K.",
        svg: chartSvg(`A ring of ${n} points`, [
          {
            title: "Diagonals",
            xTitle: "K",
            yTitle: "n Q_ij, i − j = h",
            series: lines.map((h) => ({
              name: `h = ${h}`,
              points: along.map(({ K, row }) => [K, n * row[h]] as const),
            })),
          },
        ]),
      },
    ],
  },
  isQuick,
);
