/**
 * Partial-Hessian strategies, figure 1: learning curves of all methods to one and the same minimum, by iterations and by time,
 * for EE and s-SNE (t-SNE besides).
 *
 * X₀ is the map that SD has after 40 iterations from small noise (60 for t-SNE), plus noise of 2 % of its spread, from where all
 * have one minimum in reach, if not the same one always. Shown is (E − E*)/(E₀ − E*), E* the least E of all contestants.
 *
 * Usage: node figure-1.ts [--quick] [--objects 10] [--seconds 2] [--repeats 3]
 *
 * Vladymyrov, Carreira-Perpiñán: Partial-Hessian strategies for fast learning of nonlinear embeddings, ICML 2012,
 * section 3.1. Differs: drawn objects in place of COIL-20; seconds in place of minutes for each method; the paper does not
 * say how its X₀ was found.
 */
import type { EmbeddingObjective } from "@curvature/objectives/embedding";
import { chartSvg, type Panel } from "../../chart.ts";
import { withProcesses } from "../../contestants/own-process.ts";
import { experimentArguments } from "../../experiment-arguments.ts";
import { note } from "../../processor.ts";
import { type Cell, type Table, writeReport } from "../../report.ts";
import { median } from "../../spread.ts";
import { describeSet, noiseOf, PERPLEXITY, POSES, smallSet } from "./small-set.ts";
import { contestants } from "./small-set-contestants.ts";
import { contestantsOn, METHOD, type Moment, type Race, race } from "./small-set-race.ts";

const { values } = experimentArguments({
  options: {
    quick: { type: "boolean", default: false },
    objects: { type: "string" },
    seconds: { type: "string" },
    repeats: { type: "string" },
  },
});
const isQuick = values.quick;
const objects = Number(values.objects ?? (isQuick ? 4 : 10));
const poses = isQuick ? 36 : POSES;
const limit = Number(values.seconds ?? (isQuick ? 0.25 : 2));
const repeats = Number(values.repeats ?? (isQuick ? 1 : 3));
const shares = [0.1, 0.01, 0.001];
/** Share of E₀ − E* by which methods are ordered. */
const MAIN = 1e-2;
/** Iterations from noise to X₀. */
const early = (model: string): number => (model === "t-SNE" ? 60 : 40);

const { N, objectives } = smallSet(objects, poses);
const names = Object.keys(contestants);
const tables: Table[] = [];
const panels: Panel[] = [];
const findings: string[] = [];

const logarithm = (x: number): number => Math.log10(Math.max(x, 1e-3));
const shortNumber = (values_: readonly number[]): string => {
  const [low, middle, high] = [Math.min(...values_), median(values_), Math.max(...values_)];
  const shown = (x: number): string => (Number.isInteger(x) && x >= 10 ? String(x) : x.toPrecision(2));
  return low === high ? shown(middle) : `${shown(middle)} (${shown(low)} to ${shown(high)})`;
};

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
const races = await withProcesses(contestantsOn(objects, poses), async (processes) => {
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
      const reached = ways.flatMap(({ moments, errors }) => {
        const at = errors.findIndex((error) => error <= share);
        return at < 0 ? [] : [moments[at]];
      });
      if (reached.length === 0) return "-";
      const lost = reached.length < repeats ? `, ${reached.length} of ${repeats}` : "";
      return `${shortNumber(reached.map(({ iterations }) => iterations))} it., ${shortNumber(reached.map(({ seconds }) => seconds))} s${lost}`;
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
  const secondsTo = (k: number, share: number): number =>
    median(
      runs.map((run, at) => {
        const reached = errorsOf(run[k].moments, at).findIndex((error) => error <= share);
        return reached < 0 ? Infinity : run[k].moments[reached].seconds;
      }),
    );
  const order = names
    .map((name, k) => ({ name, seconds: secondsTo(k, MAIN) }))
    .toSorted((a, b) => a.seconds - b.seconds);
  const inTime = order.filter(({ seconds }) => Number.isFinite(seconds));
  const others = order.filter(({ seconds }) => !Number.isFinite(seconds)).map(({ name }) => name);
  const ahead = order
    .slice(
      0,
      order.findIndex(({ name }) => name === "SD"),
    )
    .map(({ name }) => name);
  findings.push(
    `${model}, median seconds to ${MAIN} of E₀ − E*: ${inTime.map(({ name, seconds }) => `${name} ${seconds.toPrecision(2)}`).join(", ")}${others.length === 0 ? "" : `; **not** in ${limit} s: ${others.join(", ")}`}. ${ahead.length === 0 ? "None is ahead of SD" : `**Ahead** of SD: ${ahead.join(", ")}`}.`,
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

writeReport(
  {
    paper: "spectral",
    name: "figure-1",
    title: "Partial-Hessian strategies, figure 1: to the same minimum",
    claim:
      "Figure 1: with more of the Hessian fewer iterations are needed; in time GD is an order of magnitude behind FP and DiagH, these one behind SD and L-BFGS; SD−, with the fewest iterations, loses by what they cost.",
    data: `${describeSet(objects, poses)}; perplexity ${PERPLEXITY}, all pairs.`,
    method: `From the map of SD after ${early("EE")} iterations (${early("t-SNE")} for t-SNE) from 1e-5 × normal (seeds 1 to ${repeats}), plus noise of 2 % of its spread; ${limit} s each. ${METHOD} Cells: iterations and CPU seconds to that share of E₀ − E*, median and range of ${repeats} starts. E* is the least E of all contestants, of each start its own: a last error that stays far from 0 is that of a method that is slow or that went to another minimum.`,
    findings,
    tables,
    figures: [
      {
        name: "figure-1",
        caption: "Relative error by iterations and by time, the first start.",
        svg: chartSvg(`Figure 1, N = ${N}`, panels),
      },
    ],
  },
  isQuick,
);
