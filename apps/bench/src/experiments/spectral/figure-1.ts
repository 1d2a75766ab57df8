/**
 * Partial-Hessian strategies, figure 1: learning curves of all methods to one and the same minimum, by iterations and by time,
 * for EE and s-SNE (t-SNE besides).
 *
 * X₀ is the map that SD has after 40 iterations from small noise (60 for t-SNE), plus noise of 2 % of its spread, from where all
 * have one minimum in reach, if not the same one always. Shown is (E − E*)/(E₀ − E*), E* the least E of all contestants.
 *
 * Usage: node figure-1.ts [--quick] [--set drawn|coil] [--objects 10] [--seconds 2] [--repeats 3]
 *
 * Vladymyrov, Carreira-Perpiñán: Partial-Hessian strategies for fast learning of nonlinear embeddings, ICML 2012,
 * section 3.1. Differs: drawn objects in place of COIL-20 unless `--set coil`; seconds in place of minutes for each method; the paper
 * does not say how its X₀ was found.
 */
import type { EmbeddingObjective } from "@curvature/objectives/embedding";
import { chartSvg, type Panel } from "../../chart.ts";
import { withProcesses } from "../../contestants/own-process.ts";
import { experimentArguments, namesOf, positive, string, whole } from "../../experiment-arguments.ts";
import { note } from "../../processor.ts";
import { writeReport } from "../../report.ts";
import type { Cell, Table } from "../../report-types.ts";
import { median, spreadOf, spreadText } from "../../spread.ts";
import { describeSet, noiseOf, PERPLEXITY, POSES, smallSet, smallSets } from "./small-set.ts";
import { contestants } from "./small-set-contestants.ts";
import { contestantsOn, METHOD, type Moment, type Race, race } from "./small-set-race.ts";
import { allOf, isTimesAsLong, type Judgement, judged, standing } from "./time-limit.ts";

const values = experimentArguments({
  set: string("drawn"),
  objects: whole(10, 4),
  seconds: positive(2, 0.25),
  repeats: whole(3, 1),
  name: string("figure-1"),
});
const { isQuick, objects, seconds: limit, repeats } = values;
const [set] = namesOf("set", values.set, smallSets);
const choice = { set, objects, poses: isQuick ? 36 : POSES };
const shares = [0.1, 0.01, 0.001];
/** Share of E₀ − E* by which methods are ordered. */
const MAIN = 1e-2;
/** Iterations from noise to X₀. */
const early = (model: string): number => (model === "t-SNE" ? 60 : 40);

const { N, objectives } = smallSet(choice);
const names = Object.keys(contestants);
const tables: Table[] = [];
const panels: Panel[] = [];
const findings: string[] = [];
/** Those of the paper's figure. */
const PAPER = ["EE", "s-SNE"];
/** Of each of them, which parts of the claim hold. */
const claims: Readonly<Record<string, Judgement>>[] = [];

const logarithm = (x: number): number => Math.log10(Math.max(x, 1e-3));
const shown = (x: number): string =>
  x === Infinity ? "never" : x >= 10 ? x.toFixed(0) : String(Number(x.toPrecision(2)));
const shortNumber = (all: readonly number[]): string => spreadText(spreadOf(all), shown);

/** A map on its way, with some noise. */
function onItsWay(objective: EmbeddingObjective, iterations: number, seed: number): Float64Array {
  const solver = contestants.SD(objective)(objective, noiseOf(N, 1e-5, seed));
  for (let k = 0; k < iterations; k++) solver.step();
  const { x } = solver.last;
  const spread = Math.sqrt(x.reduce((sum, each) => sum + each * each, 0) / x.length);
  const noise = noiseOf(N, 0.02 * spread, 1000 + seed);
  return x.map((each, k) => each + noise[k]);
}

/** Of lines: at most some 120 points, evenly by place in the list, the last among them. */
function thinned<T>(list: readonly T[]): T[] {
  const step = Math.max(1, Math.ceil(list.length / 120));
  return list.filter((_, k) => k % step === 0 || k === list.length - 1);
}

const leastOf = (run: readonly Race[]): number =>
  Math.min(...run.flatMap(({ moments }) => moments.map(({ E }) => E)));

/** Of each model, and each start. */
const races = await withProcesses(contestantsOn(choice), async (processes) => {
  const all: { readonly model: string; readonly runs: readonly Race[][] }[] = [];
  for (const [model, objective] of Object.entries(objectives)) {
    await race(processes, { model, X0: noiseOf(N, 1e-5, 99) }, isQuick ? 0.1 : 0.4); // compiles
    const runs: Race[][] = [];
    for (let seed = 1; seed <= repeats; seed++) {
      const X0 = onItsWay(objective, early(model), seed);
      const run = await race(processes, { model, X0 }, limit);
      note(`${model}, seed ${seed}: E0 ${run[0].moments[0].E.toFixed(6)}, E* ${leastOf(run).toFixed(6)}`);
      runs.push(run);
    }
    all.push({ model, runs });
  }
  return all;
});

for (const { model, runs } of races) {
  const floors = runs.map(leastOf);
  const errorsOf = (moments: readonly Moment[], run: number): number[] =>
    moments.map(({ E }) => (E - floors[run]) / (moments[0].E - floors[run]));
  const rows = names.map((name, k): Cell[] => {
    const ways = runs.map((run, at) => ({ moments: run[k].moments, errors: errorsOf(run[k].moments, at) }));
    const cells = shares.map((share) => {
      const [iterations, seconds] = (["iterations", "seconds"] as const).map((what) =>
        ways.map(({ moments, errors }) => {
          const at = errors.findIndex((error) => error <= share);
          return at < 0 ? Infinity : moments[at][what];
        }),
      );
      return iterations.every((count) => count === Infinity)
        ? "-"
        : `${shortNumber(iterations)} it., ${shortNumber(seconds)} s`;
    });
    const final = ways.map(({ errors }) => errors[errors.length - 1]);
    const each = ways.map(({ moments }) => moments[moments.length - 1]);
    return [
      name,
      ...cells,
      median(final).toExponential(1),
      shortNumber(each.map(({ iterations }) => iterations)),
      (1000 * median(each.map(({ seconds, iterations }) => seconds / iterations))).toFixed(1),
    ];
  });
  tables.push({
    title: `${model}, E* = ${floors.map((E) => E.toFixed(4)).join(", ")}`,
    columns: [
      "method",
      ...shares.map((share) => `to ${share}`),
      "last error",
      "iterations",
      "ms an iteration",
    ],
    rows,
  });
  /** To the main share, median over the starts, a start from which it is not reached counted as infinitely long. */
  const effortOf = (name: string, what: "iterations" | "seconds"): number =>
    median(
      runs.map((run, at) => {
        const { moments } = run[names.indexOf(name)];
        const reached = errorsOf(moments, at).findIndex((error) => error <= MAIN);
        return reached < 0 ? Infinity : moments[reached][what];
      }),
    );
  const seconds = (name: string): number => effortOf(name, "seconds");
  const fewest = Math.min(
    ...names.filter((name) => !name.includes("ours")).map((name) => effortOf(name, "iterations")),
  );
  const isBehind = (factor: number, slow: readonly string[], fast: readonly string[]): Judgement =>
    isTimesAsLong(factor, Math.min(...slow.map(seconds)), Math.max(...fast.map(seconds)), limit);
  if (PAPER.includes(model))
    claims.push({
      "SD− with the fewest iterations": Number.isFinite(effortOf("SD−", "iterations"))
        ? effortOf("SD−", "iterations") === fewest
        : undefined,
      "GD ten times behind FP and DiagH": isBehind(10, ["GD"], ["FP", "DiagH"]),
      "FP and DiagH ten times behind SD and L-BFGS": isBehind(10, ["FP", "DiagH"], ["SD", "L-BFGS"]),
      "SD− slower than SD": isBehind(1, ["SD−"], ["SD"]),
    });
  findings.push(
    `${model}, ${repeats === 1 ? "seconds" : "median seconds"} to ${MAIN} of E₀ − E*: ${standing(
      names.map((name) => ({ name, seconds: seconds(name) })),
      "SD",
      limit,
    )}`,
  );
  const lines = runs[0].map(({ name, moments }) => {
    const errors = errorsOf(moments, 0);
    return { name, points: moments.map((moment, k) => ({ ...moment, error: errors[k] })) };
  });
  panels.push(
    {
      title: `${model} by iterations`,
      xTitle: "log₁₀ iterations",
      yTitle: "(E − E*) / (E₀ − E*)",
      logarithmic: true,
      range: [1e-5, 1],
      series: lines.map(({ name, points }) => ({
        name,
        points: thinned(points.slice(1)).map(
          ({ iterations, error }) => [logarithm(iterations), error] as const,
        ),
      })),
    },
    {
      title: `${model} by time`,
      xTitle: "log₁₀ seconds (CPU)",
      yTitle: "(E − E*) / (E₀ − E*)",
      logarithmic: true,
      range: [1e-5, 1],
      series: lines.map(({ name, points }) => ({
        name,
        points: thinned(points.slice(1)).map(({ seconds, error }) => [logarithm(seconds), error] as const),
      })),
    },
  );
}

const onBoth = Object.keys(claims[0]).map((part) => [part, allOf(claims.map((one) => one[part]))] as const);

writeReport(
  {
    paper: "spectral",
    name: values.name,
    title: "Partial-Hessian strategies, figure 1: to the same minimum",
    claim:
      "Figure 1: with more of the Hessian fewer iterations are needed; in time GD is an order of magnitude behind FP and DiagH, these one behind SD and L-BFGS; SD−, with the fewest iterations, loses by what they cost.",
    data: `${describeSet(choice)}; perplexity ${PERPLEXITY}, all pairs.`,
    method: `From the map of SD after ${early("EE")} iterations (${early("t-SNE")} for t-SNE) from 1e-5 × normal, plus noise of 2 % of its spread; ${limit} s each. ${METHOD} Cells: iterations and seconds to that share of E₀ − E*; a start from which it is not reached counts as infinitely long ("never"; "-" where that is so of all). A part of the claim holds where it does for ${PAPER.join(" and ")}, the objectives of the paper's figure, and for its methods, at ${MAIN}; of a method that is not there in ${limit} s only that it takes longer is known. E* is the least E of all contestants, of each start its own: a last error that stays far from 0 is that of a method that is slow or that went to another minimum.`,
    repeats: `${repeats === 1 ? "One start (seed 1)" : `Medians of ${repeats} starts (seeds 1 to ${repeats}), in brackets the least and the most`}.`,
    clock: "processor",
    findings: [judged(Object.fromEntries(onBoth), limit), ...findings],
    tables,
    figures: [
      {
        name: values.name,
        caption: "Relative error by iterations and by time, the first start.",
        svg: chartSvg(`Figure 1, N = ${N}`, panels),
      },
    ],
  },
  isQuick,
);
