/**
 * NOMAD's solvers by time: processor seconds to a certified relative gap, the same in units of one dense
 * eigendecomposition at n = 500 (see `yardstick.ts`), and where `auto` spends them.
 *
 * Usage: node speed.ts [--quick] [--repeats 3] [--sizes 250,500,1000,1797] [--size 500] [--seconds 60] [--python /usr/bin/python3]
 *        [--mnist folder with MNIST's training set in IDX]
 */
import { nomad } from "@curvature/optim-sdp";
import { experimentArguments } from "../../experiment-arguments.ts";
import { powerLaw } from "../../fit.ts";
import { cpuSeconds, note } from "../../processor.ts";
import { type Cell, writeReport } from "../../report.ts";
import { decimals, type Spread, spreadOf, spreadText } from "../../spread.ts";
import { SECONDS, shortGap } from "./gap.ts";
import { digits, mnistZeros, type PointSet, synthetic } from "./sets.ts";
import { numpyYardstick, ownYardstick, type Yardstick } from "./yardstick.ts";

const { values } = experimentArguments({
  options: {
    quick: { type: "boolean", default: false },
    repeats: { type: "string" },
    sizes: { type: "string" },
    size: { type: "string" },
    seconds: { type: "string" },
    python: { type: "string", default: "/usr/bin/python3" },
    mnist: { type: "string" },
  },
});
const isQuick = values.quick;
const repeats = Number(values.repeats ?? (isQuick ? 1 : 3));
const sizes = (values.sizes ?? (isQuick ? "100,200" : "250,500,1000,1797")).split(",").map(Number);
const size = Number(values.size ?? (isQuick ? 100 : 500));
const limit = Number(values.seconds ?? (isQuick ? 5 : 60));
/** Beyond it the rivals do not end in the time. */
const RIVALS_UP_TO = 500;

type SolverName = "auto" | "admm" | "cg" | "bm";

interface Measured {
  readonly seconds: number;
  readonly iterations: number;
  readonly status: string;
  readonly lower: number;
  readonly upper: number;
  readonly gap: number;
  /** Processor seconds by phase of the iterations, and of the rest. */
  readonly phases: ReadonlyMap<string, number>;
}

async function measure(
  set: PointSet,
  solver: SolverName,
  tolerance: number,
  seed: number,
  secondsAllowed = limit,
): Promise<Measured> {
  const phases = new Map<string, number>();
  const began = cpuSeconds();
  const limiter = new AbortController();
  let last = began;
  const lap = (phase: string): void => {
    const now = cpuSeconds();
    phases.set(phase, (phases.get(phase) ?? 0) + now - last);
    last = now;
    if (now - began > secondsAllowed) limiter.abort();
  };
  const { iterations, status, lower, upper, gap } = await nomad(set.points, {
    clusters: set.clusters,
    solver,
    tolerance,
    seed,
    signal: limiter.signal,
    onIteration: ({ phase }) => lap(phase),
  });
  lap("reading the answer");
  note(
    `${set.name} ${solver} ${tolerance} seed ${seed}: ${(last - began).toFixed(2)} s, ${status}, gap ${shortGap(gap)}`,
  );
  return { seconds: last - began, iterations, status, lower, upper, gap, phases };
}

/** The run of median time, with the seconds of all. */
interface Repeated extends Measured {
  readonly spread: Spread;
}

async function measured(
  set: PointSet,
  solver: SolverName,
  tolerance: number,
  seeds = repeats,
): Promise<Repeated> {
  const runs: Measured[] = [];
  for (let seed = 0; seed < seeds; seed++) runs.push(await measure(set, solver, tolerance, seed));
  const spread = spreadOf(runs.map(({ seconds }) => seconds));
  const from = ({ seconds }: Measured): number => Math.abs(seconds - spread.median);
  return { ...runs.reduce((a, b) => (from(b) < from(a) ? b : a)), spread };
}

const yardsticks = [numpyYardstick(values.python), ownYardstick()].filter((each) => each !== undefined);
const [unit]: readonly Yardstick[] = yardsticks;
const inUnits = (seconds: number): string => (seconds / unit.seconds).toFixed(0);
note(yardsticks.map(({ name, seconds }) => `${name}: ${seconds.toFixed(4)} s`).join(", "));

for (const solver of ["auto", "admm", "cg", "bm"] as const)
  await measure(await digits(100), solver, 1e-2, 0, 1); // compiles

interface Timed {
  readonly n: number;
  readonly run: Measured;
}
const autoRuns: Timed[] = [];
const bySize: Cell[][] = [];
const slower: string[] = [];
for (const n of sizes) {
  const set = await digits(n);
  const auto = await measured(set, "auto", 1e-3);
  autoRuns.push({ n, run: auto });
  const line = (solver: string, { seconds, spread, iterations, status }: Repeated, gap: string): Cell[] => [
    n,
    solver,
    spreadText(spread, decimals(2)),
    inUnits(seconds),
    iterations,
    gap,
    status,
  ];
  bySize.push(line("auto", auto, shortGap(auto.gap)));
  const bm = await measured(set, "bm", 1e-3);
  const loss = (auto.upper - bm.lower) / auto.upper;
  bySize.push(
    line("bm", bm, `${shortGap(bm.gap)}; its value lies ${loss.toExponential(1)} below auto's upper bound`),
  );
  if (n > RIVALS_UP_TO) continue;
  for (const solver of ["admm", "cg"] as const) {
    const rival = await measured(set, solver, 1e-3, 1);
    if (rival.gap <= 1e-3 && rival.seconds < auto.seconds) slower.push(`${solver} at n = ${n}`);
    bySize.push(line(solver, rival, shortGap(rival.gap)));
  }
}

const byTolerance: Cell[][] = [];
const unreached: string[] = [];
const sets = synthetic(size);
if (values.mnist !== undefined) sets.push(await mnistZeros(values.mnist, size));
for (const set of sets) {
  const cells: string[] = [];
  for (const tolerance of [1e-2, 1e-3, 1e-4]) {
    const { seconds, spread, gap } = await measured(set, "auto", tolerance);
    const time = `${spreadText(spread, decimals(2))} s, ${inUnits(seconds)}`;
    if (gap > tolerance) unreached.push(`${set.name} to ${tolerance}`);
    cells.push(gap <= tolerance ? time : `not in ${time}: ${shortGap(gap)}`);
  }
  byTolerance.push([set.name, set.clusters, ...cells]);
}

const phaseNames = [...new Set(autoRuns.flatMap(({ run }) => [...run.phases.keys()]))];
const slope = (secondsOf: (run: Measured) => number): string =>
  powerLaw(autoRuns.map(({ n, run }) => [n, secondsOf(run)])).exponent.toFixed(2);

writeReport(
  {
    paper: "sdp",
    name: "speed",
    title: "NOMAD to a certified gap",
    claim:
      "`auto` gets to a certified gap sooner than ADMM and conditional gradients alone, in a few hundred eigendecompositions.",
    data: `The bundled digits, and sets of ${size} points${values.mnist === undefined ? " (the zeros of MNIST are measured with `--mnist`)" : ""}.`,
    method: `${repeats} repeats (seeds 0 to ${repeats - 1}), of which the one of median time is shown, in brackets the least and the most seconds; a run is broken off after ${limit} s of processor time. ${SECONDS} The unit is ${unit.name} of a random symmetric matrix with its vectors, n = 500, one thread: ${unit.seconds.toFixed(4)} s in this run${yardsticks.length > 1 ? ` (${yardsticks[1].name}: ${yardsticks[1].seconds.toFixed(4)} s)` : ""}. Time is that of the whole call of \`nomad\`, labels and embedding included. \`admm\` and \`cg\` ran once each, up to n = ${RIVALS_UP_TO}; \`bm\`'s own bounds are those of its Lagrange multipliers.`,
    findings: [
      `\`auto\` takes ${autoRuns.map(({ n, run }) => `${run.seconds.toFixed(1)} s at n = ${n}`).join(", ")}: seconds grow as n^${slope(({ seconds }) => seconds)}. ${slower.length === 0 ? "No rival that certifies the gap is faster." : `**Faster** than it: ${slower.join(", ")}.`} ${unreached.length === 0 ? "All gaps are reached." : `**Not reached** in the time: ${unreached.join(", ")}.`}`,
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
        note: "Seconds to each tolerance, behind them in eigendecompositions.",
        columns: ["set", "K", "1e-2", "1e-3", "1e-4"],
        rows: byTolerance,
      },
    ],
  },
  isQuick,
);
