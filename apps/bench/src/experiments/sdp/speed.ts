/**
 * NOMAD's solvers by time: processor seconds to a certified relative gap, the same in units of one dense
 * eigendecomposition of the same size (see `yardstick.ts`), and where `auto` spends them.
 *
 * Usage: node speed.ts [--quick] [--repeats 3] [--sizes 250,500,1000,1797] [--size 500] [--seconds 60] [--python /usr/bin/python3]
 *        [--mnist folder with MNIST's training set in IDX]
 */
import { withProcesses } from "../../contestants/own-process.ts";
import { experimentArguments, positive, string, whole, wholeNumber } from "../../experiment-arguments.ts";
import { powerLaw } from "../../fit.ts";
import { writeReport } from "../../report.ts";
import type { Cell } from "../../report-types.ts";
import { decimals, spreadText } from "../../spread.ts";
import { mediansOf, verdict } from "../../words.ts";
import { shortGap } from "./gap.ts";
import { digits, mnistZeros, synthetic } from "./sets.ts";
import {
  type Measured,
  measured,
  type Repeated,
  type SolverName,
  type SpeedProcess,
  solverNames,
  speedOf,
} from "./speed-solvers.ts";
import { YARDSTICK_REPEATS, type Yardstick, yardstick } from "./yardstick.ts";

const values = experimentArguments({
  repeats: whole(3, 1),
  sizes: string("250,500,1000,1797", "100,200"),
  size: whole(500, 100, 33),
  seconds: positive(60, 5),
  python: string("/usr/bin/python3"),
  mnist: string(),
});
const { isQuick, repeats, size, seconds: limit } = values;
const sizes = values.sizes.split(",").map((word) => wholeNumber("sizes", word, 17));
/** Beyond it the rivals do not end in the time. */
const RIVALS_UP_TO = 500;
/** The claim: `auto` takes less than so many eigendecompositions. */
const FEW = 100;

const units = new Map<number, Yardstick>();
function unitOf(n: number): Yardstick {
  const unit = units.get(n) ?? yardstick(values.python, n);
  units.set(n, unit);
  return unit;
}
const inUnits = (seconds: number, n: number): number => seconds / unitOf(n).seconds;
function unitText(seconds: number, n: number): string {
  const count = inUnits(seconds, n);
  return count.toFixed(count < 9.95 ? 1 : 0);
}

interface Timed {
  readonly n: number;
  readonly run: Measured;
}
const autoRuns: Timed[] = [];
const bySize: Cell[][] = [];
/** Rivals that certify the gap before `auto` does. */
const slower: string[] = [];
const unreached: string[] = [];

/** @returns the row of a solver */
function line(n: number, solver: SolverName, found: Repeated, auto: Repeated): Cell[] {
  const { seconds, spread, iterations, status, gap, lower } = found;
  const loss = ((auto.upper - lower) / auto.upper).toExponential(1);
  return [
    n,
    solver,
    spreadText(spread, decimals(2)),
    unitText(seconds, n),
    iterations,
    solver === "bm" ? `${shortGap(gap)}; its value lies ${loss} below auto's upper bound` : shortGap(gap),
    status,
  ];
}

async function growth(processes: readonly SpeedProcess[]): Promise<void> {
  for (const n of sizes) {
    const set = await digits(n);
    const some = processes.slice(0, n > RIVALS_UP_TO ? 2 : 4);
    const found = await measured(some, set, 1e-3, repeats, limit);
    const [auto] = found;
    autoRuns.push({ n, run: auto });
    if (auto.gap > 1e-3) unreached.push(`${set.name} to 0.001`);
    for (const [p, run] of found.entries()) {
      const solver = solverNames[p];
      bySize.push(line(n, solver, run, auto));
      if (p > 1 && run.gap <= 1e-3 && run.seconds < auto.seconds) slower.push(`${solver} at n = ${n}`);
    }
  }
}

async function tolerances(auto: SpeedProcess): Promise<Cell[][]> {
  const sets = synthetic(size);
  if (values.mnist !== undefined) sets.push(await mnistZeros(values.mnist, size));
  const rows: Cell[][] = [];
  for (const set of sets) {
    const cells: string[] = [];
    for (const tolerance of [1e-2, 1e-3, 1e-4]) {
      const [{ seconds, spread, gap }] = await measured([auto], set, tolerance, repeats, limit);
      const time = `${spreadText(spread, decimals(2))} s, ${unitText(seconds, set.points.rows)}`;
      if (gap > tolerance) unreached.push(`${set.name} to ${tolerance}`);
      cells.push(gap <= tolerance ? time : `not in ${time}: ${shortGap(gap)}`);
    }
    rows.push([set.name, set.clusters, ...cells]);
  }
  return rows;
}

const byTolerance = await withProcesses(solverNames.map(speedOf), async (processes) => {
  await measured(processes, await digits(100), 1e-2, 1, 1); // compiles
  await growth(processes);
  return tolerances(processes[0]);
});

const phaseNames = [...new Set(autoRuns.flatMap(({ run }) => [...run.phases.keys()]))];
const exponent = powerLaw(autoRuns.map(({ n, run }) => [n, run.seconds])).exponent.toFixed(2);
const mostUnits = Math.max(...autoRuns.map(({ n, run }) => inUnits(run.seconds, n)));
const unitsText = [...units].map(([n, unit]) => `${unit.seconds.toPrecision(2)} s at n = ${n}`).join(", ");

writeReport(
  {
    paper: "sdp",
    name: "speed",
    title: "NOMAD to a certified gap",
    claim: `Not a paper's: \`auto\` gets to a certified gap of 1e-3 sooner than ADMM and conditional gradients alone, and in less than ${FEW} eigendecompositions of the same size.`,
    data: `The bundled digits, and sets of ${size} points${values.mnist === undefined ? " (the zeros of MNIST are measured with `--mnist`)" : ""}.`,
    method: `Time is that of the whole call of \`nomad\`, labels and embedding included, each solver in a process of its own, warm after a run that is not counted; a run is broken off after ${limit} s of processor time. The unit is ${unitOf(sizes[0]).name} of a random symmetric matrix of the same size with its vectors, one thread: ${unitsText}. \`admm\` and \`cg\` take part up to n = ${RIVALS_UP_TO}; \`bm\`'s own bounds are those of its Lagrange multipliers.`,
    repeats: `${mediansOf(repeats)}, in turn; iterations, gap and phases are those of the run of median time. The unit: the median of ${YARDSTICK_REPEATS}, seed 0.`,
    clock: "processor",
    findings: [
      `${verdict({ "the rivals": slower.length === 0, eigendecompositions: mostUnits < FEW })} ${slower.length === 0 ? "No rival that certifies the gap is faster." : `**Faster** than \`auto\`: ${slower.join(", ")}.`} \`auto\` takes ${autoRuns.map(({ n, run }) => `${run.seconds.toFixed(1)} s (${unitText(run.seconds, n)} eigendecompositions) at n = ${n}`).join(", ")}: seconds grow as n^${exponent}. ${unreached.length === 0 ? "All gaps are reached." : `**Not reached** in the time: ${unreached.join(", ")}.`}`,
    ],
    tables: [
      {
        title: "The first n digits, K = 16, tolerance 1e-3",
        columns: ["n", "solver", "seconds", "eigendecompositions", "iterations", "certified gap", "ended"],
        rows: bySize,
      },
      {
        title: "Where auto's time goes",
        columns: ["n", ...phaseNames],
        rows: autoRuns.map(({ n, run }) => [
          n,
          ...phaseNames.map((name) => `${(run.phases.get(name) ?? 0).toFixed(2)} s`),
        ]),
      },
      {
        title: `Sets of ${size} points, auto`,
        note: "Seconds to each tolerance, behind them in eigendecompositions of that size.",
        columns: ["set", "K", "1e-2", "1e-3", "1e-4"],
        rows: byTolerance,
      },
    ],
  },
  isQuick,
);
