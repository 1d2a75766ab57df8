/**
 * Figure 2 (and 3): SFO as it is beside methods whose numbers were sought on a grid, F after each pass, on data that
 * come with the packages. The best of a grid is the one with the least F at the last pass, judged by seed 0, as the
 * paper does; it is then run again with the other seeds.
 *
 * Usage: node figure-2.ts [--quick] [--passes 20] [--repeats 5] [--rows 1797] [--problems logistic,mlp]
 */
import { chartSvg, type Series } from "../../chart.ts";
import { experimentArguments } from "../../experiment-arguments.ts";
import { note } from "../../processor.ts";
import { type Table, writeReport } from "../../report.ts";
import { decimals, type Spread, spreadOf, spreadText } from "../../spread.ts";
import { type Trace, traceOf, traceOfSfo } from "./pass-values.ts";
import { type Problem, type ProblemName, problemNames, problemOf } from "./problems.ts";
import { quickRivals, type Rival, rivals } from "./rivals.ts";
import { SECONDS, seedsText, valueText } from "./texts.ts";

const { values } = experimentArguments({
  options: {
    quick: { type: "boolean", default: false },
    passes: { type: "string" },
    repeats: { type: "string" },
    rows: { type: "string" },
    problems: { type: "string" },
  },
});
const isQuick = values.quick;
const passes = Number(values.passes ?? (isQuick ? 3 : 20));
const repeats = Number(values.repeats ?? (isQuick ? 1 : 5));
const rows = Number(values.rows ?? (isQuick ? 200 : 1797));
const wanted = values.problems?.split(",") ?? problemNames;
const seeds = Array.from({ length: repeats }, (_, seed) => seed);
const contestants = isQuick ? quickRivals : rivals;

/** A method with its chosen numbers, over the seeds. */
interface Measured {
  readonly name: string;
  /** Of the grid; undefined where nothing was tuned. */
  readonly setting: string | undefined;
  readonly tried: number;
  readonly traces: readonly Trace[];
}

interface Finding {
  readonly key: ProblemName;
  readonly problem: Problem;
  /** SFO first. */
  readonly methods: readonly Measured[];
}

const atPass = ({ traces }: Measured, pass: number): Spread =>
  spreadOf(traces.map((trace) => trace.values[pass]));

async function measureSfo({ sum }: Problem): Promise<Measured> {
  const traces: Trace[] = [];
  for (const seed of seeds) traces.push(await traceOfSfo(sum, passes, { seed }));
  return { name: "SFO", setting: undefined, tried: 1, traces };
}

async function measureRival({ sum }: Problem, { name, grid, isRandom }: Rival): Promise<Measured> {
  let best: { readonly setting: string; readonly trace: Trace } | undefined;
  for (const setting of grid) {
    const trace = await traceOf(sum, passes, setting, 0);
    if (best === undefined || trace.values[passes] < best.trace.values[passes]) best = { setting, trace };
  }
  if (best === undefined) throw new Error(`${name} has an empty grid`);
  const traces = [best.trace];
  if (isRandom)
    for (const seed of seeds.slice(1)) traces.push(await traceOf(sum, passes, best.setting, seed));
  return { name, setting: best.setting, tried: grid.length, traces };
}

async function measure(key: ProblemName): Promise<Finding> {
  const problem = problemOf(key, rows);
  const methods = [await measureSfo(problem)];
  note(`${key}: SFO ${valueText(atPass(methods[0], passes).median)}`);
  for (const rival of contestants) {
    const measured = await measureRival(problem, rival);
    methods.push(measured);
    note(`${key}: ${measured.setting} ${valueText(atPass(measured, passes).median)}`);
  }
  return { key, problem, methods };
}

/** Passes at which the table looks. */
const looks = [...new Set([Math.ceil(passes / 4), Math.ceil(passes / 2), passes])];

/** On how many problems SFO is at or below all others after the last pass, and on which it is not. */
function summary(found: readonly Finding[]): string {
  const behind = found.filter(({ methods: [sfo, ...others] }) =>
    others.some((other) => atPass(other, passes).median < atPass(sfo, passes).median),
  );
  const rest =
    behind.length === 0 ? "" : ` **Not** on: ${behind.map(({ problem }) => problem.title).join(", ")}.`;
  return `After ${passes} passes SFO, untuned, is at or below every other method, tuned, on ${found.length - behind.length} of ${found.length} problems, by the medians.${rest}`;
}

function tableOf({ problem, methods }: Finding): Table {
  const { dimension, count } = problem.sum;
  const start = methods[0].traces[0].values[0];
  return {
    title: problem.title,
    note: `${problem.description}; ${dimension} parameters, ${count} subfunctions, F = ${valueText(start)} at the start.\n\n${looks.map((pass) => verdict(methods, pass)).join("\n")}`,
    columns: ["method", "setting", "of", ...looks.map((pass) => `F after ${pass}`), "seconds"],
    rows: methods.map((method) => [
      method.name,
      method.setting ?? "untuned",
      method.tried,
      ...looks.map((pass) => spreadText(atPass(method, pass), valueText)),
      spreadText(spreadOf(method.traces.map((trace) => trace.seconds)), decimals(2)),
    ]),
  };
}

/** Whether SFO is at or below the best of the others, by the medians. */
function verdict([sfo, ...others]: readonly Measured[], pass: number): string {
  const own = atPass(sfo, pass).median;
  const ranked = others.toSorted((a, b) => atPass(a, pass).median - atPass(b, pass).median);
  const [nearest] = ranked;
  const rivalValue = atPass(nearest, pass).median;
  const rival = `${nearest.name} (${nearest.setting}), ${valueText(rivalValue)}`;
  if (own <= rivalValue)
    return `- After ${pass} passes SFO, ${valueText(own)}, is at or below the best rival: ${rival}.`;
  const ahead = others.filter((other) => atPass(other, pass).median < own).map(({ name }) => name);
  return `- After ${pass} passes SFO, ${valueText(own)}, is **not** at or below the best rival: ${rival}. Ahead of it: ${ahead.join(", ")}.`;
}

function figureOf({ problem, methods }: Finding): string {
  const all = methods.flatMap((method) =>
    method.traces.flatMap((trace) => trace.values.filter(Number.isFinite)),
  );
  const least = Math.min(...all);
  const highest = 3 * (methods[0].traces[0].values[0] - least);
  const drawn = methods.map((method) => ({
    name: method.setting ?? method.name,
    points: Array.from({ length: passes + 1 }, (_, pass) => ({ pass, ...atPass(method, pass) }))
      .filter(({ median }) => median > least && median - least <= highest)
      .map(({ pass, median, least: low, most }) => ({
        pass,
        gap: median - least,
        low: low - least,
        high: Math.min(highest, most - least),
      })),
  }));
  // What lies below the least median has no place on a logarithmic axis.
  const floor = Math.min(...drawn.flatMap(({ points }) => points.map(({ gap }) => gap)));
  const series = drawn.map(
    ({ name, points }): Series => ({
      name,
      points: points.map(({ pass, gap }) => [pass, gap] as const),
      band: points.map(({ low, high }) => [Math.max(floor, low), high] as const),
    }),
  );
  return chartSvg(problem.title, [
    {
      title: `F above ${valueText(least)}, the least found`,
      xTitle: "passes",
      yTitle: "F - least",
      logarithmic: true,
      series,
    },
  ]);
}

const findings: Finding[] = [];
for (const key of problemNames) if (wanted.includes(key)) findings.push(await measure(key));

writeReport(
  {
    paper: "sfo",
    name: "figure-2",
    title: "SFO beside tuned methods",
    claim:
      "Figures 2 and 3: SFO, without numbers to tune, is ahead of SGD with momentum, AdaGrad, SAG, L-BFGS and Hessian-free, each at its best setting.",
    data: `Not the paper's data: the ${rows} bundled digits (or a part of them) and drawn curves; see each problem.`,
    method:
      `F is measured after each of ${passes} passes (a pass: as many evaluations as there are subfunctions; a product with the curvature counts as a pass over those it covers; ` +
      "a method whose step spans the end of a pass is looked at where it stood before that step). SFO runs with its defaults. " +
      "The numbers of the others are sought on a grid (the column `of` says how many were tried) and chosen by the least F at the last pass with seed 0, " +
      "so that this choice is made on what is measured, to their advantage, as in the paper. " +
      `All start at one point. Medians, least and most over ${seedsText(repeats)} of the order of evaluations (one run of methods without chance). ${SECONDS}`,
    findings: [summary(findings)],
    tables: findings.map(tableOf),
    figures: findings.map((finding) => ({
      name: `figure-2-${finding.key}`,
      caption: finding.problem.title,
      svg: figureOf(finding),
    })),
  },
  isQuick,
);
