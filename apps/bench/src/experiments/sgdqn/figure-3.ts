/**
 * Figure 3: the primal cost on Alpha by passes and by training time, SVMSGD2, SGD-QN and online L-BFGS of rank 10.
 *
 * Usage: node figure-3.ts [--quick] [--set alpha-like] [--passes 10] [--repeats 3]
 */
import { chartSvg } from "../../chart.ts";
import { experimentArguments, string, whole } from "../../experiment-arguments.ts";
import { note } from "../../processor.ts";
import { writeReport } from "../../report.ts";
import { decimals, spreadText } from "../../spread.ts";
import { verdict } from "../../words.ts";
import { linearSet, setNames } from "./sets.ts";
import { type Look, METHOD, optimum, paperContestants, problemOf, repeatsText, traces } from "./traces.ts";

const values = experimentArguments({
  set: string("alpha-like", "alpha-like:2000"),
  passes: whole(10, 10, 2),
  repeats: whole(3, 1),
});
const { isQuick, passes, repeats } = values;
const [name] = setNames("set", values.set, undefined);
/** Passes of SVMSGD2 that are many, for the time of one of online L-BFGS. */
const MANY = 5;
const set = await linearSet(undefined, name);
const problem = problemOf(set);
const named = { folder: undefined, set: name, loss: "squared-hinge" } as const;
const found = await traces(named, set, problem, paperContestants, passes, repeats);
note("passes are done; the optimum");
const P = optimum(problem);

const looks = [...new Set([1, 2, 5, passes])].filter((pass) => pass <= passes);
const looksOf = (solver: string): readonly Look[] => found.find((run) => run.name === solver)?.looks ?? [];
const excess = (cost: number): number => cost / P - 1;
const percent = (share: number): string => `${(100 * share).toPrecision(3)} %`;
const target = looksOf("SVMSGD2")[passes].cost.median;
const reached = found.map(({ name: solver, looks: each }) => ({
  solver,
  look: each.find(({ pass, cost }) => pass > 0 && cost.median <= target),
}));
const reachedText = reached.map(
  ({ solver, look }) =>
    `${solver} ${look === undefined ? "**never**" : `${look.pass} passes, ${look.seconds.median.toFixed(2)} s`}`,
);
const isEarly = (wanted: string): boolean =>
  reached.some(({ solver, look }) => solver === wanted && look !== undefined && 2 * look.pass <= passes);
const [soonest] = reached
  .flatMap(({ solver, look }) => (look === undefined ? [] : [{ solver, seconds: look.seconds.median }]))
  .toSorted((a, b) => a.seconds - b.seconds);
/** Seconds of a pass, the search for t₀ and the first pass left out. */
function price(solver: string): number {
  const each = looksOf(solver);
  return (each[passes].seconds.median - each[1].seconds.median) / (passes - 1);
}
const held = {
  "the passes of SGD-QN": isEarly("SGD-QN"),
  "the passes of online L-BFGS": isEarly("oLBFGS"),
  "SGD-QN in time": soonest.solver === "SGD-QN",
  "the price of a pass of online L-BFGS": price("oLBFGS") >= MANY * price("SVMSGD2"),
};

writeReport(
  {
    paper: "sgdqn",
    name: "figure-3",
    title: "Primal cost by passes and by time",
    claim:
      "Figure 3: on Alpha SGD-QN and online L-BFGS need far fewer passes than SVMSGD2; in time SGD-QN is first, and one pass of online L-BFGS takes longer than many of the others.",
    data: `Alpha of the PASCAL challenge is not to be had: ${set.name}, drawn (\`generated.ts\`), ${set.train.rows.rows.toLocaleString("en-US")} dense rows of ${set.train.rows.columns}, λ = ${set.lambda}, squared hinge.`,
    method: `${METHOD}; no bias. P* = ${P.toPrecision(6)} by Newton to 1e-8. Judged by the cost that SVMSGD2 has after ${passes} passes: far fewer passes are at most half of them; many are ${MANY}.`,
    repeats: repeatsText(repeats, [name]),
    clock: "processor",
    findings: [
      `${verdict(held)} To the cost that SVMSGD2 has after ${passes} passes: ${reachedText.join("; ")}. A pass of online L-BFGS takes ${(price("oLBFGS") / price("SVMSGD2")).toPrecision(2)} times one of SVMSGD2.`,
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
            xTitle: "log₁₀ of seconds of training",
            yTitle: "P - P*",
            logarithmic: true,
            series: found.map(({ name, looks: each }) => ({
              name,
              points: each
                .filter(({ pass, seconds }) => pass > 0 && seconds.median > 0)
                .map(({ seconds, cost }) => [Math.log10(seconds.median), cost.median - P] as const),
            })),
          },
        ]),
      },
    ],
  },
  isQuick,
);
