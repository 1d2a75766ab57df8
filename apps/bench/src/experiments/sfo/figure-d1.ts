/**
 * Figure D.1: what becomes of SFO when one of its choices is made otherwise: rank-one updates in place of BFGS, all
 * subfunctions active from the start, other orders of evaluation.
 *
 * Usage: node figure-d1.ts [--quick] [--passes 20] [--repeats 5] [--rows 1797] [--problems logistic,ising,mlp,autoencoder]
 */
import type { SfoOptions } from "@curvature/optim-sfo";
import { chartSvg } from "../../chart.ts";
import { experimentArguments, namesOf, string, whole } from "../../experiment-arguments.ts";
import { note } from "../../processor.ts";
import { writeReport } from "../../report.ts";
import { decimals, median, spreadOf, spreadText } from "../../spread.ts";
import { verdict } from "../../words.ts";
import { type Trace, traceOfSfo } from "./pass-values.ts";
import { type Problem, type ProblemName, problemNames, problemOf } from "./problems.ts";
import { ordersText, SECONDS, valueText } from "./texts.ts";

const values = experimentArguments({
  passes: whole(20, 3),
  repeats: whole(5, 1),
  rows: whole(1797, 200),
  problems: string("logistic,ising"),
});
const { isQuick, passes, repeats, rows } = values;
const wanted = namesOf("problems", values.problems, problemNames);

interface Variant {
  readonly name: string;
  options(problem: Problem): SfoOptions;
}

const variants: readonly Variant[] = [
  { name: "SFO", options: () => ({}) },
  { name: "rank one", options: () => ({ update: "rank-one" }) },
  { name: "all active from the start", options: ({ sum }) => ({ initialActive: sum.count }) },
  { name: "random order", options: () => ({ selection: "random" }) },
  { name: "cyclic order", options: () => ({ selection: "cyclic" }) },
  { name: "distance in H (eq. 15)", options: () => ({ selection: "distance" }) },
  { name: "distance in H_i alone", options: () => ({ selection: "single" }) },
];

interface Finding {
  readonly key: ProblemName;
  readonly problem: Problem;
  readonly runs: readonly { readonly name: string; readonly traces: readonly Trace[] }[];
}

async function measure(key: ProblemName): Promise<Finding> {
  const problem = problemOf(key, rows);
  const runs = [];
  for (const { name, options } of variants) {
    const traces: Trace[] = [];
    for (let seed = 0; seed < repeats; seed++) {
      traces.push(await traceOfSfo(problem.sum, passes, { ...options(problem), seed }));
    }
    runs.push({ name, traces });
    note(`${key}: ${name} ${valueText(median(traces.map((trace) => trace.values[passes])))}`);
  }
  return { key, problem, runs };
}

const findings: Finding[] = [];
for (const key of problemNames) if (wanted.includes(key)) findings.push(await measure(key));

/** Passes at which the table looks. */
const looks = [...new Set([Math.ceil(passes / 4), Math.ceil(passes / 2), passes])];

type Run = Finding["runs"][number];
const after = ({ traces }: Run, pass: number): number => median(traces.map((trace) => trace.values[pass]));
/** Less of the way than this is rounding. */
const ROUNDING = 1e-9;

/** A share of the way that counts as a difference. */
const SENSITIVE = 0.01;

interface Drop {
  readonly where: string;
  /** What is left of the way from the start to the least F found, with the change and without. */
  readonly left: number;
  readonly own: number;
}

function dropsAt(pass: number): Drop[] {
  return findings.flatMap(({ problem, runs: [standard, ...others] }) => {
    const start = standard.traces[0].values[0];
    const least = Math.min(...[standard, ...others].map((run) => after(run, passes)));
    const left = (run: Run): number => (after(run, pass) - least) / (start - least);
    return others.map((run) => ({
      where: `${run.name} (${problem.title})`,
      left: left(run),
      own: left(standard),
    }));
  });
}

/** What the changes cost after so many passes, in words. */
function costsAt(pass: number): string {
  const drops = dropsAt(pass);
  const better = drops.filter(({ left, own }) => left < own - ROUNDING).map(({ where }) => where);
  const worst = drops.reduce((a, b) => (b.left > a.left ? b : a));
  const ahead = better.length === 0 ? "no change is ahead" : `**ahead** are ${better.join(", ")}`;
  return `After ${pass} passes the worst change is ${worst.where}: ${percent(worst.left)} of the way from the start to the least F found is left, ${percent(worst.own)} with the standard choices; ${ahead}.`;
}
const percent = (share: number): string => `${Number((100 * share).toPrecision(2))} %`;

writeReport(
  {
    paper: "sfo",
    name: "figure-d1",
    title: "SFO with one choice made otherwise",
    claim:
      "Figure D.1: SFO is insensitive to single choices of its design: rank-one updates, all subfunctions active from the start, random or cyclic order.",
    data: `Not the paper's data: the ${rows} bundled digits; see each problem.`,
    method: `F after so many passes, all from one point. Insensitive: no change leaves ${percent(SENSITIVE)} more of the way to the least F found than the standard choices do. ${SECONDS} The other methods are in \`sfo/figure-2\`.`,
    repeats: `${ordersText(repeats)}.`,
    clock: "processor",
    findings: [
      `${verdict(Object.fromEntries(looks.map((pass) => [`${pass} passes`, dropsAt(pass).every(({ left, own }) => left - own <= SENSITIVE)])))} ${looks.map(costsAt).join(" ")}`,
    ],
    tables: findings.map(({ problem, runs }) => ({
      title: problem.title,
      note: `${problem.description}; ${problem.sum.dimension} parameters, ${problem.sum.count} subfunctions, F = ${valueText(runs[0].traces[0].values[0])} at the start.`,
      columns: ["SFO with", ...looks.map((pass) => `F after ${pass}`), "seconds"],
      rows: runs.map(({ name, traces }) => [
        name === "SFO" ? "its own choices" : name,
        ...looks.map((pass) => spreadText(spreadOf(traces.map((trace) => trace.values[pass])), valueText)),
        spreadText(spreadOf(traces.map((trace) => trace.seconds)), decimals(2)),
      ]),
    })),
    figures: [
      {
        name: "figure-d1",
        caption: "F by passes, medians.",
        svg: chartSvg(
          "SFO with one choice made otherwise",
          findings.map(({ problem, runs }) => {
            const least = Math.min(...runs.flatMap(({ traces }) => traces.flatMap((trace) => trace.values)));
            return {
              title: problem.title,
              xTitle: "passes",
              yTitle: `F - ${valueText(least)}`,
              logarithmic: true,
              series: runs.map(({ name, traces }) => ({
                name,
                points: Array.from(
                  { length: passes + 1 },
                  (_, pass) => [pass, median(traces.map((trace) => trace.values[pass])) - least] as const,
                ),
              })),
            };
          }),
        ),
      },
    ],
  },
  isQuick,
);
