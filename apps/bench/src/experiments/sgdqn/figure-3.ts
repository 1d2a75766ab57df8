/**
 * Figure 3: the primal cost on Alpha by passes and by training time, SVMSGD2, SGD-QN and online L-BFGS of rank 10.
 *
 * Usage: node figure-3.ts [--quick] [--set alpha-like] [--passes 10]
 */
import { chartSvg } from "../../chart.ts";
import { experimentArguments } from "../../experiment-arguments.ts";
import { note } from "../../processor.ts";
import { writeReport } from "../../report.ts";
import { linearSet } from "./sets.ts";
import { METHOD, optimum, paperContestants, problemOf, traces } from "./traces.ts";

const { values } = experimentArguments({
  options: {
    quick: { type: "boolean", default: false },
    set: { type: "string" },
    passes: { type: "string", default: "10" },
  },
});
const passes = Number(values.passes);
const name = values.set ?? (values.quick ? "alpha-like:2000" : "alpha-like");
const set = await linearSet(undefined, name);
const problem = problemOf(set);
const named = { folder: undefined, set: name, loss: "squared-hinge" } as const;
const found = await traces(named, set, problem, paperContestants, passes);
note("passes are done; the optimum");
const P = optimum(problem);

const looks = [1, 2, 5, passes];
const last = (solver: string) => found.find((run) => run.name === solver)?.looks[passes];
const excess = (cost: number): number => cost / P - 1;
const percent = (share: number): string => `${(100 * share).toPrecision(3)} %`;
const plain = last("SVMSGD2");
const verdict = found.map(({ name: solver, looks: each }) => {
  const reached =
    plain === undefined ? undefined : each.find(({ pass, cost }) => pass > 0 && cost <= plain.cost);
  return `${solver} ${reached === undefined ? "**never**" : `${reached.pass} passes, ${reached.seconds.toFixed(2)} s`}`;
});

writeReport(
  {
    paper: "sgdqn",
    name: "figure-3",
    title: "Primal cost by passes and by time",
    claim:
      "Figure 3: on Alpha SGD-QN and online L-BFGS need far fewer passes than SVMSGD2; in time SGD-QN is first, and one pass of online L-BFGS takes longer than many of the others.",
    data: `Alpha of the PASCAL challenge is not to be had: ${set.name}, drawn (\`generated.ts\`), ${set.train.rows.rows.toLocaleString("en-US")} dense rows of ${set.train.rows.columns}, λ = ${set.lambda}, squared hinge.`,
    method: `${METHOD}; one run, seed 0; no bias. P* = ${P.toPrecision(6)} by Newton to 1e-8.`,
    findings: [
      `To the cost that SVMSGD2 has after ${passes} passes: ${verdict.join("; ")}.`,
      `P after one pass: ${found.map(({ name, looks: each }) => `${name} ${each[1].cost.toPrecision(4)}`).join(", ")}.`,
      `Above P* after ${passes} passes: ${found.map(({ name, looks: each }) => `${name} ${percent(excess(each[passes].cost))}`).join(", ")}.`,
    ],
    tables: [
      {
        note: "P after so many passes, in brackets the seconds.",
        columns: ["solver", ...looks.map((pass) => `after ${pass}`)],
        rows: found.map(({ name, looks: each }) => [
          name,
          ...looks.map((pass) => `${each[pass].cost.toPrecision(5)} (${each[pass].seconds.toFixed(2)})`),
        ]),
      },
    ],
    figures: [
      {
        name: "figure-3",
        caption: "Primal cost by passes and by seconds of training.",
        svg: chartSvg(`Primal cost on ${set.name}`, [
          {
            title: "by passes",
            xTitle: "passes",
            yTitle: "P - P*",
            logarithmic: true,
            series: found.map(({ name, looks: each }) => ({
              name,
              points: each.slice(1).map(({ pass, cost }) => [pass, cost - P] as const),
            })),
          },
          {
            title: "by time",
            xTitle: "seconds of training",
            yTitle: "P - P*",
            logarithmic: true,
            series: found.map(({ name, looks: each }) => ({
              name,
              points: each.slice(1).map(({ seconds, cost }) => [seconds, cost - P] as const),
            })),
          },
        ]),
      },
    ],
  },
  values.quick,
);
