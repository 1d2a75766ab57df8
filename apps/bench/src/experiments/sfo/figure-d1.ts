/**
 * Figure D.1: what becomes of SFO when one of its choices is made otherwise: rank-one updates in place of BFGS, all
 * subfunctions active from the start, other orders of evaluation.
 *
 * Usage: node design-choices.ts [--quick] [--passes 20] [--repeats 5] [--rows 1797] [--problems logistic,mlp]
 */
import { parseArgs } from "node:util";
import type { SfoOptions } from "@curvature/optim-sfo";
import { chartSvg } from "../../chart.ts";
import { type Trace, traceOfSfo } from "./pass-values.ts";
import { type Problem, type ProblemName, problemNames, problemOf } from "./problems.ts";
import { folderOf, note, provenance, spreadOf, spreadText, valueText, write } from "./report.ts";

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    passes: { type: "string" },
    repeats: { type: "string" },
    rows: { type: "string" },
    problems: { type: "string", default: "logistic,mlp,autoencoder" },
  },
});
const isQuick = values.quick;
const passes = Number(values.passes ?? (isQuick ? 3 : 20));
const repeats = Number(values.repeats ?? (isQuick ? 1 : 5));
const rows = Number(values.rows ?? (isQuick ? 200 : 1797));
const wanted = values.problems.split(",");
const folder = folderOf(isQuick);

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
    note(`${key}: ${name} ${valueText(spreadOf(traces.map((trace) => trace.values[passes])).median)}`);
  }
  return { key, problem, runs };
}

const findings: Finding[] = [];
for (const key of problemNames) if (wanted.includes(key)) findings.push(await measure(key));

/** Passes at which the table looks. */
const looks = [...new Set([Math.ceil(passes / 4), Math.ceil(passes / 2), passes])];

const table = [
  "# SFO with one choice made otherwise",
  "",
  "Sohl-Dickstein, Poole, Ganguli (ICML 2014), figure D.1, on other and smaller data: see each problem. " +
    `F after so many passes; medians, least and most over ${repeats} seed${repeats === 1 ? "" : "s"}, all from one point.`,
  "",
  `${provenance()}${isQuick ? " **A first look (--quick): few rows and few passes.**" : ""}`,
  ...findings.flatMap(({ problem, runs }) => [
    "",
    `## ${problem.title}`,
    "",
    `${problem.description}; ${problem.sum.dimension} parameters, ${problem.sum.count} subfunctions, F = ${valueText(runs[0].traces[0].values[0])} at the start.`,
    "",
    `| SFO with | ${looks.map((pass) => `F after ${pass}`).join(" | ")} | seconds |`,
    `|---|${looks.map(() => "---|").join("")}---|`,
    ...runs.map(({ name, traces }) => {
      const cells = looks.map((pass) => spreadText(spreadOf(traces.map((trace) => trace.values[pass]))));
      const seconds = spreadOf(traces.map((trace) => trace.seconds)).median.toFixed(2);
      return `| ${name === "SFO" ? "its own choices" : name} | ${cells.join(" | ")} | ${seconds} |`;
    }),
  ]),
  "",
  "![F by passes](design-choices.svg)",
  "",
].join("\n");
process.stdout.write(table);
write(folder, "design-choices.md", table);
write(
  folder,
  "design-choices.svg",
  chartSvg(
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
            (_, pass) => [pass, spreadOf(traces.map((trace) => trace.values[pass])).median - least] as const,
          ),
        })),
      };
    }),
  ),
);
note(`-> ${folder}`);
