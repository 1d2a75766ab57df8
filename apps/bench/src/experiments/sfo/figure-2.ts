/**
 * Figure 2 (and 3): SFO as it is beside methods whose numbers were sought on a grid, F after each pass, on data that
 * come with the packages. The best of a grid is the one with the least F at the last pass, judged by seed 0, as the
 * paper does; it is then run again with the other seeds.
 *
 * Usage: node figure-2.ts [--quick] [--passes 20] [--repeats 5] [--rows 1797] [--problems logistic,mlp]
 */
import { chartSvg, type Series } from "../../chart.ts";
import { experimentArguments, namesOf, string, whole } from "../../experiment-arguments.ts";
import { note } from "../../processor.ts";
import { writeReport } from "../../report.ts";
import type { Table } from "../../report-types.ts";
import { decimals, spreadOf, spreadText } from "../../spread.ts";
import { verdict } from "../../words.ts";
import {
  aheadOfSfo,
  atPass,
  isAtStart,
  type Measured,
  measureRival,
  measureSfo,
  secondsOf,
  TUNING,
} from "./measured.ts";
import { type Problem, type ProblemName, problemNames, problemOf } from "./problems.ts";
import { quickRivals, rivals } from "./rivals.ts";
import { ordersText, PASSES, SECONDS, valueText } from "./texts.ts";

const values = experimentArguments({
  passes: whole(20, 3),
  repeats: whole(5, 1),
  rows: whole(1797, 200),
  problems: string(),
});
const { isQuick, passes, repeats, rows } = values;
const wanted =
  values.problems === undefined ? problemNames : namesOf("problems", values.problems, problemNames);
const contestants = isQuick ? quickRivals : rivals;

interface Finding {
  readonly key: ProblemName;
  readonly problem: Problem;
  /** SFO first. */
  readonly methods: readonly Measured[];
}

async function measure(key: ProblemName): Promise<Finding> {
  const problem = problemOf(key, rows);
  const methods = [await measureSfo(problem.sum, passes, repeats)];
  note(`${key}: SFO ${valueText(atPass(methods[0], passes).median)}`);
  for (const rival of contestants) {
    const measured = await measureRival(problem.sum, rival, passes, repeats);
    methods.push(measured);
    note(`${key}: ${measured.setting} ${valueText(atPass(measured, passes).median)}`);
  }
  return { key, problem, methods };
}

/** Passes at which the table looks. */
const looks = [...new Set([Math.ceil(passes / 4), Math.ceil(passes / 2), passes])];

/** Problems on which another method is below SFO after so many passes. */
const behindAt = (found: readonly Finding[], pass: number): Finding[] =>
  found.filter(({ methods }) => aheadOfSfo(methods, pass).length > 0);

/** On how many problems SFO is at or below all others after so many passes, and on which it is not. */
function summary(found: readonly Finding[]): string {
  const counts = looks.map((pass) => {
    const behind = behindAt(found, pass);
    const rest =
      behind.length === 0 ? "" : ` (**not** on ${behind.map(({ problem }) => problem.title).join(", ")})`;
    return `after ${pass} passes on ${found.length - behind.length} of ${found.length} problems${rest}`;
  });
  const holds = looks.map((pass) => [`${pass} passes`, behindAt(found, pass).length === 0] as const);
  return `${verdict(Object.fromEntries(holds))} SFO, untuned, is at or below every other method, tuned, by the medians, ${counts.join("; ")}.`;
}

const twoDigits = (ratio: number): string => String(Number(ratio.toPrecision(2)));

/** Seconds of SFO's passes over those of the rival that is best by passes. */
function timeSummary(found: readonly Finding[]): string {
  const ratios = found.map(({ problem, methods: [sfo, ...others] }) => {
    const [best] = others.toSorted((a, b) => atPass(a, passes).median - atPass(b, passes).median);
    return { title: problem.title, best, ratio: secondsOf(sfo) / secondsOf(best) };
  });
  const each = ratios.map(
    ({ title, best, ratio }) =>
      `${title} ${ratio > 1 ? `**${twoDigits(ratio)}**` : twoDigits(ratio)} (${best.name})`,
  );
  return `The same passes take SFO, by processor time, so many times as long as the best rival (its search for settings not counted): ${each.join("; ")}.`;
}

/** Methods that have not made a step after so many passes, which makes them easy to be ahead of. */
function startSummary(found: readonly Finding[]): string[] {
  const stuck = looks.flatMap((pass) =>
    contestants.flatMap(({ name }) => {
      const where = found.filter(({ methods }) =>
        methods.some((method) => method.name === name && isAtStart(method, pass)),
      );
      return where.length === 0
        ? []
        : [`after ${pass} passes ${name} on ${where.length} of ${found.length} problems`];
    }),
  );
  return stuck.length === 0
    ? []
    : [`Still where they started, so that SFO's place before them says nothing: ${stuck.join("; ")}.`];
}

function tableOf({ problem, methods }: Finding): Table {
  const { dimension, count } = problem.sum;
  const start = methods[0].traces[0].values[0];
  return {
    title: problem.title,
    note: `${problem.description}; ${dimension} parameters, ${count} subfunctions, F = ${valueText(start)} at the start.\n\n${looks.map((pass) => standing(methods, pass)).join("\n")}`,
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
function standing([sfo, ...others]: readonly Measured[], pass: number): string {
  const own = atPass(sfo, pass).median;
  const ranked = others.toSorted((a, b) => atPass(a, pass).median - atPass(b, pass).median);
  const [nearest] = ranked;
  const rivalValue = atPass(nearest, pass).median;
  const rival = `${nearest.name} (${nearest.setting}), ${valueText(rivalValue)}`;
  if (own <= rivalValue)
    return `- After ${pass} passes SFO, ${valueText(own)}, is at or below the best rival: ${rival}.`;
  const ahead = aheadOfSfo([sfo, ...others], pass).map(({ name }) => name);
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
      "Figures 2 and 3: SFO, without numbers to tune, is ahead of SGD with momentum, AdaGrad, SAG, L-BFGS and Hessian-free, each at its best setting, after any number of passes.",
    data: `Not the paper's data: the ${rows} bundled digits (or a part of them) and drawn curves; see each problem.`,
    method:
      `F is measured after each of ${passes} passes. ${PASSES} SFO runs with its defaults. ` +
      `${TUNING} All start at one point. ${SECONDS}`,
    repeats: `${ordersText(repeats)}, one run of methods without chance.`,
    clock: "processor",
    findings: [summary(findings), timeSummary(findings), ...startSummary(findings)],
    tables: findings.map(tableOf),
    figures: findings.map((finding) => ({
      name: `figure-2-${finding.key}`,
      caption: finding.problem.title,
      svg: figureOf(finding),
    })),
  },
  isQuick,
);
