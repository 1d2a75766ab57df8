/**
 * NOMAD, figure 15: running times over n of Burer and Monteiro's factor (r = 4 K and 8 K), the paper's conditional gradients as their
 * authors stop them, SCS where Python has it, the ADMM (in place of SDPNAL+, which is not here) and `auto`; and, which the paper's figure leaves open,
 * how far each answer is from the optimum.
 *
 * Usage: node figure-15.ts [--quick] [--sizes 100,250,500] [--seconds 10] [--repeats 3]
 *
 * Tepper, Sengupta, Chklovskii: Clustering is semidefinitely not that hard. J. Mach. Learn. Res. 19 (2018). `speed.ts` has `auto` by
 * tolerance, and its phases.
 */
import { PrimalDual } from "@curvature/optim-sdp";
import { chartSvg } from "../../chart.ts";
import { withProcesses } from "../../contestants/own-process.ts";
import { experimentArguments, positive, string, whole, wholeNumber } from "../../experiment-arguments.ts";
import { cpuSeconds, note } from "../../processor.ts";
import { writeReport } from "../../report.ts";
import type { Cell } from "../../report-types.ts";
import { decimals, type Spread, spreadOf, spreadText } from "../../spread.ts";
import { scsVersion } from "../../versions.ts";
import { verdict } from "../../words.ts";
import { type ContestantName, contestants, type Ended, K, problemOf, solverOf } from "./figure-15-solvers.ts";
import { shortGap } from "./gap.ts";

const values = experimentArguments({
  sizes: string("100,250,500", "60,120"),
  seconds: positive(10, 1),
  repeats: whole(3, 1),
});
const { isQuick, seconds: limit, repeats } = values;
const sizes = values.sizes.split(",").map((word) => wholeNumber("sizes", word, K + 1));
/** Up to which n the paper has standard solvers ahead of conditional gradients. */
const TURNING_POINT = 250;

/** Undefined where it is left out. */
const scs = isQuick ? undefined : scsVersion();
const names = (Object.keys(contestants) as ContestantName[]).filter(
  (name) => !name.startsWith("SCS") || scs !== undefined,
);
if (scs === undefined)
  note("SCS is left out: Python has none (pip's scs, with scipy), or the run is a quick one.");
/** The paper's standard solver; ours stands for it where it is not there. */
const standard: ContestantName = scs === undefined ? "ADMM to 1e-3" : "SCS to 1e-4";

/** The first run of several, with the seconds of all; `isDone` if all of them are. */
interface Repeated extends Omit<Ended, "seconds"> {
  readonly name: ContestantName;
  readonly spread: Spread;
}

const runsBySize = await withProcesses(names.map(solverOf), async (processes) => {
  for (const process of processes) await process.turn({ n: 60, most: isQuick ? 0.2 : 0.5 }); // compiles
  const found = new Map<number, Repeated[]>();
  for (const n of sizes) {
    const turns: Ended[][] = processes.map(() => []);
    for (let r = 0; r < repeats; r++)
      for (const [c, process] of processes.entries()) turns[c].push(await process.turn({ n, most: limit }));
    const runs = names.map((name, c) => ({
      name,
      ...turns[c][0],
      isDone: turns[c].every(({ isDone }) => isDone),
      spread: spreadOf(turns[c].map(({ seconds }) => seconds)),
    }));
    for (const { name, isDone, spread } of runs)
      note(`n = ${n}, ${name}: ${isDone ? "ended" : "not ended"} in ${spread.median.toFixed(2)} s`);
    found.set(n, runs);
  }
  return found;
});

/** That is certified at 1e-4, or in the time. */
async function upperBound(n: number): Promise<number> {
  const solver = new PrimalDual(await problemOf(n), { tolerance: 1e-4 });
  const begun = cpuSeconds();
  for (;;) {
    const { details, outcome } = solver.step();
    if (outcome !== undefined || cpuSeconds() - begun > limit) return details.upper;
  }
}

const rows: Cell[][] = [];
const lines = new Map<string, [number, number][]>(names.map((name) => [name, []]));
const fastest: string[] = [];
const unfinished: string[] = [];
/** Sizes at which conditional gradients are behind the standard solver. */
const behind: number[] = [];
/** The paper's sentences, and its contestants: `auto` is not among them. */
const parts: Record<string, boolean> = { "Burer and Monteiro's factor": true };
for (const [n, runs] of runsBySize) {
  const upper = await upperBound(n);
  for (const { name, spread, iterations, isDone, lower } of runs) {
    const loss = (upper - lower) / upper;
    const seconds = `${spreadText(spread, decimals(2))}${isDone ? "" : ", not ended"}`;
    rows.push([n, name, seconds, iterations, shortGap(loss)]);
    if (isDone) lines.get(name)?.push([Math.log10(n), spread.median]);
    else unfinished.push(`${name} at n = ${n}`);
  }
  const ranked = runs
    .filter(({ isDone }) => isDone)
    .toSorted((a, b) => a.spread.median - b.spread.median)
    .map(({ name }) => name);
  const place = (wanted: ContestantName): number => {
    const at = ranked.indexOf(wanted);
    return at < 0 ? ranked.length : at;
  };
  const isBehind = place(standard) < place("conditional gradients");
  if (isBehind) behind.push(n);
  const [paperFirst] = ranked.filter(
    (name) => name !== "auto to 1e-3" && (name !== "ADMM to 1e-3" || scs === undefined),
  );
  parts["Burer and Monteiro's factor"] &&= paperFirst?.startsWith("Burer") ?? false;
  const convex = `the convex methods ${n <= TURNING_POINT ? "up to" : "above"} ${TURNING_POINT} points`;
  parts[convex] = (parts[convex] ?? true) && n <= TURNING_POINT === isBehind;
  if (ranked.length > 0)
    fastest.push(`${ranked[0]} at n = ${n}${ranked.length === 1 ? "" : ` (then ${ranked[1]})`}`);
}

writeReport(
  {
    paper: "sdp",
    name: "figure-15",
    title: "Running times of NOMAD's solvers",
    claim:
      "Figure 15: Burer and Monteiro's factor is fastest; of the convex methods standard solvers up to 250 points, conditional gradients above.",
    data: `The first ${sizes.join(", ")} of the bundled digits, K = ${K}.`,
    method: `Each solver is in a process of its own, warm after a run that is not counted, and has at most ${limit} s for a run. Conditional gradients end as their authors' figure does, at a least entry of −1e-2 K/n and an RMSE of 1e-4; Burer-Monteiro at a tolerance of 1e-4; ADMM and \`auto\` at a certified gap of 1e-3${scs === undefined ? "" : `, SCS ${scs} (one thread, a process for each run) at its own residuals of 1e-4, as it does by itself, and of 1e-5, absolute and relative, of a D of norm 1`}. Loss: how far the value of a feasible point made of the answer lies below the upper bound that \`auto\` certifies at 1e-4 (or in ${limit} s). Of the standard solvers of the paper SDPNAL+ is not measured here${scs === undefined ? ", nor is SCS: the ADMM stands for them" : ""}; \`auto\` ${scs === undefined ? "is" : "and our ADMM are"} not the paper's, and the claim is judged without ${scs === undefined ? "it" : "them"}.`,
    repeats: `${repeats === 1 ? "One run of each" : `Medians of ${repeats} runs of each, in brackets the least and the most`}, in turn; all have seed 0, so that iterations and loss are the same in all that ended.`,
    clock: "processor",
    findings: [
      `${verdict(parts)} Fastest: ${fastest.join(", ")}. ${unfinished.length === 0 ? "All came to their end." : `**Not ended** in ${limit} s: ${unfinished.join(", ")}.`} Conditional gradients are **behind** ${scs === undefined ? "the ADMM" : "SCS"} ${behind.length === 0 ? "nowhere" : `at n = ${behind.join(", ")}`}.`,
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
