/**
 * Figure 3: the primal cost on Alpha by passes and by training time, SVMSGD2, SGD-QN and online L-BFGS of rank 10.
 *
 * Usage: node figure-3.ts [--quick] [--set alpha-like] [--passes 10] [--repeats 3]
 */
import { chartSvg } from "../../chart.ts";
import { experimentArguments } from "../../experiment-arguments.ts";
import { note } from "../../processor.ts";
import { writeReport } from "../../report.ts";
import { decimals, spreadText } from "../../spread.ts";
import { linearSet } from "./sets.ts";
import { methodOf, optimum, paperContestants, problemOf, traces } from "./traces.ts";

const { values } = experimentArguments({
  options: {
    quick: { type: "boolean", default: false },
    set: { type: "string" },
    passes: { type: "string", default: "10" },
    repeats: { type: "string" },
  },
});
const passes = Number(values.passes);
const repeats = Number(values.repeats ?? (values.quick ? 1 : 3));
const name = values.set ?? (values.quick ? "alpha-like:2000" : "alpha-like");
const set = await linearSet(undefined, name);
const problem = problemOf(set);
const named = { folder: undefined, set: name, loss: "squared-hinge" } as const;
const found = await traces(named, set, problem, paperContestants, passes, repeats);
note("passes are done; the optimum");
const P = optimum(problem);

const looks = [1, 2, 5, passes];
const last = (solver: string) => found.find((run) => run.name === solver)?.looks[passes];
const excess = (cost: number): number => cost / P - 1;
const percent = (share: number): string => `${(100 * share).toPrecision(3)} %`;
const plain = last("SVMSGD2");
const verdict = found.map(({ name: solver, looks: each }) => {
  const reached =
    plain === undefined
      ? undefined
      : each.find(({ pass, cost }) => pass > 0 && cost.median <= plain.cost.median);
  return `${solver} ${reached === undefined ? "**never**" : `${reached.pass} passes, ${reached.seconds.median.toFixed(2)} s`}`;
});

writeReport(
  {
    paper: "sgdqn",
    name: "figure-3",
    title: "Primal cost by passes and by time",
    claim:
      "Figure 3: on Alpha SGD-QN and online L-BFGS need far fewer passes than SVMSGD2; in time SGD-QN is first, and one pass of online L-BFGS takes longer than many of the others.",
    data: `Alpha of the PASCAL challenge is not to be had: ${set.name}, drawn (\`generated.ts\`), ${set.train.rows.rows.toLocaleString("en-US")} dense rows of ${set.train.rows.columns}, λ = ${set.lambda}, squared hinge.`,
    method: `${methodOf(repeats)}; no bias. P* = ${P.toPrecision(6)} by Newton to 1e-8.`,
    findings: [
      `To the cost that SVMSGD2 has after ${passes} passes: ${verdict.join("; ")}.`,
      `P after one pass: ${found.map(({ name, looks: each }) => `${name} ${each[1].cost.median.toPrecision(4)}`).join(", ")}.`,
      `Above P* after ${passes} passes: ${found.map(({ name, looks: each }) => `${name} ${percent(excess(each[passes].cost.median))}`).join(", ")}.`,
    ],
    tables: [
      {
        note: "P after so many passes, and the seconds.",
        columns: ["solver", ...looks.map((pass) => `after ${pass}`)],
        rows: found.map(({ name, looks: each }) => [
          name,
          ...looks.map(
            (pass) =>
              `${spreadText(each[pass].cost, (cost) => cost.toPrecision(5))}; ${spreadText(each[pass].seconds, decimals(2))} s`,
          ),
        ]),
      },
    ],
    figures: [
      {
        name: "figure-3",
        caption: "Primal cost by passes and by seconds of training, medians.",
        svg: chartSvg(`Primal cost on ${set.name}`, [
          {
            title: "by passes",
            xTitle: "passes",
            yTitle: "P - P*",
            logarithmic: true,
            series: found.map(({ name, looks: each }) => ({
              name,
              points: each.slice(1).map(({ pass, cost }) => [pass, cost.median - P] as const),
            })),
          },
          {
            title: "by time",
            xTitle: "seconds of training",
            yTitle: "P - P*",
            logarithmic: true,
            series: found.map(({ name, looks: each }) => ({
              name,
              points: each.slice(1).map(({ seconds, cost }) => [seconds.median, cost.median - P] as const),
            })),
          },
        ]),
      },
    ],
  },
  values.quick,
);
