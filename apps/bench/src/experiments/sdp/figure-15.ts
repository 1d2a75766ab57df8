/**
 * NOMAD, figure 15: running times over n of Burer and Monteiro's factor (r = 4 K and 8 K), the paper's conditional gradients as their
 * authors stop them, the ADMM (in place of SCS and SDPNAL+, which are not here) and `auto`; and, which the paper's figure leaves open,
 * how far each answer is from the optimum.
 *
 * Usage: node figure-15.ts [--quick] [--sizes 100,250,500] [--seconds 10] [--repeats 3]
 *
 * Tepper, Sengupta, Chklovskii: Clustering is semidefinitely not that hard. J. Mach. Learn. Res. 19 (2018). `speed.ts` has `auto` by
 * tolerance, and its phases.
 */
import { zeros } from "@curvature/linalg";
import type { Iteration } from "@curvature/optim-core";
import {
  Admm,
  Auto,
  BurerMonteiro,
  gramOfPoints,
  Multipliers,
  type NomadProblem,
  repairMatrix,
} from "@curvature/optim-sdp";
import { chartSvg } from "../../chart.ts";
import { experimentArguments } from "../../experiment-arguments.ts";
import { cpuSeconds, note } from "../../processor.ts";
import { type Cell, writeReport } from "../../report.ts";
import { decimals, spreadOf, spreadText } from "../../spread.ts";
import { SECONDS, shortGap } from "./gap.ts";
import { digits } from "./sets.ts";

const { values } = experimentArguments({
  options: {
    quick: { type: "boolean", default: false },
    sizes: { type: "string" },
    seconds: { type: "string" },
    repeats: { type: "string" },
  },
});
const isQuick = values.quick;
const sizes = (values.sizes ?? (isQuick ? "60,120" : "100,250,500")).split(",").map(Number);
const limit = Number(values.seconds ?? (isQuick ? 1 : 10));
const repeats = Number(values.repeats ?? (isQuick ? 1 : 3));
const K = 16;

interface Ended {
  readonly seconds: number;
  readonly iterations: number;
  readonly isDone: boolean;
  /** Tr(D Q) of a feasible point. */
  readonly lower: number;
}

interface Steps {
  step(): Iteration<unknown>;
}

/** Steps until the solver ends or the time is over; of the whole, its making included. */
function timed<S extends Steps>(make: () => S, lowerOf: (solver: S) => number, most: number): Ended {
  const begun = cpuSeconds();
  const solver = make();
  for (let iterations = 1; ; iterations++) {
    const { outcome } = solver.step();
    const seconds = cpuSeconds() - begun;
    if (outcome !== undefined || seconds > most)
      return { seconds, iterations, isDone: outcome !== undefined, lower: lowerOf(solver) };
  }
}

/** Of a solver that reports its bounds as its best point's value. */
const bestValue = ({ best }: { readonly best: { readonly value: number | undefined } }): number =>
  best.value ?? Number.NaN;

const contestants: Readonly<Record<string, (problem: NomadProblem, most: number) => Ended>> = {
  "Burer-Monteiro, r = 4 K": (problem, most) =>
    timed(
      () => new BurerMonteiro(problem, { rank: 4 * K }),
      ({ lower }) => lower,
      most,
    ),
  "Burer-Monteiro, r = 8 K": (problem, most) =>
    timed(
      () => new BurerMonteiro(problem, { rank: 8 * K }),
      ({ lower }) => lower,
      most,
    ),
  "conditional gradients": (problem, most) =>
    timed(
      () =>
        new Multipliers(problem, {
          stop: "violation",
          largestViolation: 1e-2,
          meanViolation: 1e-4,
          tolerance: 0,
          boundsEvery: 1_000_000,
        }),
      (solver) => {
        const { n } = problem.gram;
        return repairMatrix(problem, { rows: n, columns: n, data: solver.last.x }, zeros(n, n));
      },
      most,
    ),
  "ADMM to 1e-3": (problem, most) => timed(() => new Admm(problem, { tolerance: 1e-3 }), bestValue, most),
  "auto to 1e-3": (problem, most) => timed(() => new Auto(problem, { tolerance: 1e-3 }), bestValue, most),
};

const problemOf = async (n: number): Promise<NomadProblem> => {
  const { points } = await digits(n);
  return { gram: gramOfPoints(points), clusters: K };
};

const small = await problemOf(60);
for (const solve of Object.values(contestants)) solve(small, isQuick ? 0.2 : 0.5); // compiles

const rows: Cell[][] = [];
const lines = new Map<string, [number, number][]>(Object.keys(contestants).map((name) => [name, []]));
const fastest: string[] = [];
const unfinished: string[] = [];
const behind: number[] = [];
for (const n of sizes) {
  const problem = await problemOf(n);
  const solver = new Auto(problem, { tolerance: 1e-4 });
  const begun = cpuSeconds();
  let upper = Number.POSITIVE_INFINITY;
  while (cpuSeconds() - begun < limit) {
    const { details, outcome } = solver.step();
    upper = details.upper;
    if (outcome !== undefined) break;
  }
  const turns = Array.from({ length: repeats }, () =>
    Object.values(contestants).map((solve) => solve(problem, limit)),
  );
  const runs = Object.keys(contestants).map((name, c) => ({
    name,
    ...turns[0][c],
    spread: spreadOf(turns.map((turn) => turn[c].seconds)),
  }));
  for (const { name, spread, iterations, isDone, lower } of runs) {
    note(`n = ${n}, ${name}: ${isDone ? "ended" : "not ended"} in ${spread.median.toFixed(2)} s`);
    const loss = (upper - lower) / upper;
    const seconds = `${spreadText(spread, decimals(2))}${isDone ? "" : ", not ended"}`;
    rows.push([n, name, seconds, iterations, shortGap(loss)]);
    if (isDone) lines.get(name)?.push([Math.log10(n), spread.median]);
    else unfinished.push(`${name} at n = ${n}`);
  }
  const secondsOf = (wanted: string): number =>
    runs.find(({ name, isDone }) => isDone && name.startsWith(wanted))?.spread.median ??
    Number.POSITIVE_INFINITY;
  if (secondsOf("ADMM") < secondsOf("conditional")) behind.push(n);
  const [first, second] = runs
    .filter(({ isDone }) => isDone)
    .toSorted((a, b) => a.spread.median - b.spread.median);
  if (first !== undefined)
    fastest.push(`${first.name} at n = ${n}${second === undefined ? "" : ` (then ${second.name})`}`);
}

writeReport(
  {
    paper: "sdp",
    name: "figure-15",
    title: "Running times of NOMAD's solvers",
    claim:
      "Figure 15: Burer and Monteiro's factor is fastest; of the convex methods standard solvers up to 250 points, conditional gradients above.",
    data: `The first ${sizes.join(", ")} of the bundled digits, K = ${K}.`,
    method: `${repeats} runs each, in turn in one process, after runs that are not counted: medians, in brackets the least and the most seconds (the rest is the same in each); at most ${limit} s. Conditional gradients end as their authors' figure does, at a least entry of −1e-2 K/n and an RMSE of 1e-4; Burer-Monteiro at a tolerance of 1e-4; ADMM and \`auto\` at a certified gap of 1e-3. Loss: how far the value of a feasible point made of the answer lies below the upper bound that \`auto\` certifies at 1e-4 (or in ${limit} s). SCS and SDPNAL+ are not measured here. ${SECONDS}`,
    findings: [
      `Fastest: ${fastest.join(", ")}. ${unfinished.length === 0 ? "All came to their end." : `**Not ended** in ${limit} s: ${unfinished.join(", ")}.`} Conditional gradients are **behind** the ADMM ${behind.length === 0 ? "nowhere" : `at n = ${behind.join(", ")}`}.`,
    ],
    tables: [{ columns: ["n", "solver", "seconds", "iterations", "loss"], rows }],
    figures: [
      {
        name: "figure-15",
        caption: "Seconds over n, of the runs that ended.",
        svg: chartSvg("Running times, digits, K = 16", [
          {
            title: "To each solver's own end",
            xTitle: "log₁₀ n",
            yTitle: "seconds (CPU)",
            logarithmic: true,
            series: [...lines].map(([name, points]) => ({ name, points })),
          },
        ]),
      },
    ],
  },
  isQuick,
);
