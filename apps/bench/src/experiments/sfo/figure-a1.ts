/**
 * Figure A.1: what SFO costs beside its subfunctions, (a) over the parameters M, (b) over the subfunctions N, and (c) how
 * well it does on the two convex problems over the number of minibatches that the data are split into.
 *
 * Usage: node figure-a1.ts [--quick] [--passes 20] [--rows 1797]
 * The paper has N = 100 in (a) and M = 10⁶ in (b).
 */
import { chartSvg } from "../../chart.ts";
import { experimentArguments, whole } from "../../experiment-arguments.ts";
import { powerLaw } from "../../fit.ts";
import { note } from "../../processor.ts";
import { writeReport } from "../../report.ts";
import type { Table } from "../../report-types.ts";
import { verdict } from "../../words.ts";
import { secondsOutside } from "./outside.ts";
import { type Trace, traceOfSfo } from "./pass-values.ts";
import { problemOf } from "./problems.ts";
import { valueText } from "./texts.ts";

const { isQuick, passes, rows } = experimentArguments({
  passes: whole(20, 3),
  rows: whole(1797, 200),
});
const N = isQuick ? 20 : 50;
const M = isQuick ? 3000 : 30_000;

interface Point {
  readonly size: number;
  readonly seconds: number;
}

const over = (sizes: readonly number[], seconds: (size: number) => number): Point[] =>
  sizes.map((size) => {
    const point = { size, seconds: seconds(size) };
    note(`${size}: ${point.seconds.toFixed(3)} s`);
    return point;
  });

secondsOutside(10, 1000); // compiles
const byParameters = over(isQuick ? [1000, 3000] : [10_000, 30_000, 100_000, 300_000], (size) =>
  secondsOutside(N, size),
);
const bySubfunctions = over(isQuick ? [10, 20] : [10, 20, 40, 80], (size) => secondsOutside(size, M));

const counts = isQuick ? [5, 20] : [2, 5, 10, 25, 50, 100];
const looks = [...new Set([Math.ceil(passes / 4), Math.ceil(passes / 2), passes])];
interface Split {
  readonly count: number;
  /** F / N after each pass. */
  readonly values: readonly number[];
  readonly trace: Trace;
}
const convex: { readonly title: string; readonly splits: readonly Split[] }[] = [];
for (const name of ["logistic", "ising"] as const) {
  const splits: Split[] = [];
  for (const count of counts) {
    const { sum } = problemOf(name, rows, count);
    const trace = await traceOfSfo(sum, passes, { seed: 0 });
    splits.push({ count, values: trace.values.map((value) => value / count), trace });
    note(`${name}, ${count} minibatches: ${valueText(trace.values[passes] / count)}`);
  }
  convex.push({ title: problemOf(name, rows).title, splits });
}

const exponentOf = (points: readonly Point[]): number =>
  powerLaw(points.map(({ size, seconds }) => [size, seconds])).exponent;
const [overM, overN] = [exponentOf(byParameters), exponentOf(bySubfunctions)];
/** How far an exponent may lie from the count and still be called the same. */
const SLACK = 0.15;
const isAs = (exponent: number, count: number): boolean => Math.abs(exponent - count) <= SLACK;
/** Minibatches that count as a small number of them. */
const FEW = 25;
/** The fewest minibatches with which what is left of the way is at most a thousandth. */
const enough = convex.map(({ title, splits }) => {
  const least = Math.min(...splits.map((split) => split.values[passes]));
  const left = ({ values: each }: Split): number => (each[passes] - least) / (each[0] - least);
  const near = splits.filter((split) => left(split) <= 1e-3).map(({ count }) => count);
  const far = splits
    .filter((split) => left(split) > 1e-3)
    .map((split) => `${split.count} (${left(split).toExponential(1)} left)`);
  const isEnough = near.some((count) => count <= FEW);
  const words = `${title}: ${near.length === 0 ? "none" : near.join(", ")}${far.length === 0 ? "" : `, **not** ${far.join(", ")}`}`;
  return { isEnough, words };
});
const costs = (title: string, column: string, points: readonly Point[]): Table => ({
  title,
  columns: [column, "seconds of a pass"],
  rows: points.map(({ size, seconds }) => [size, seconds.toPrecision(3)]),
});

writeReport(
  {
    paper: "sfo",
    name: "figure-a1",
    title: "SFO: overhead, and the number of minibatches",
    claim:
      "Figure A.1: the overhead of a pass grows as M and as N²; near maximal performance is had after breaking the problem into only a small number of minibatches.",
    data: `Springs (quadratics that take no memory) for the overhead; ${rows} digits for the convex problems, logistic regression and the Ising model.`,
    method: `(a) N = ${N} (the paper's 100), (b) M = ${M.toLocaleString("en-US")} (the paper's 10⁶): processor seconds of a pass outside the subfunctions, mean of passes 3 to 5. (c) F/N after each pass, defaults; F/N does not depend on how the rows are split. Exponents by least squares of the logarithms; within ${SLACK} of the count they are as it says. A small number of minibatches: at most ${FEW}. All in one process.`,
    repeats: "One run each (seed 0).",
    clock: "processor",
    findings: [
      `${verdict({ "growth with M": isAs(overM, 1), "growth with N": isAs(overN, 2), "few minibatches": enough.every(({ isEnough }) => isEnough) })} (a) seconds grow as M^${overM.toFixed(2)} (counts: 1); (b) as N^${overN.toFixed(2)} (counts: 2). (c) Within a thousandth of the way to the least F/N after ${passes} passes, by minibatches: ${enough.map(({ words }) => words).join("; ")}.`,
    ],
    tables: [
      costs(`(a) N = ${N}`, "M", byParameters),
      costs(`(b) M = ${M.toLocaleString("en-US")}`, "N", bySubfunctions),
      ...convex.map(({ title, splits }) => ({
        title: `(c) ${title}`,
        columns: ["minibatches", ...looks.map((pass) => `F/N after ${pass}`), "seconds"],
        rows: splits.map(({ count, values: each, trace }) => [
          count,
          ...looks.map((pass) => valueText(each[pass])),
          trace.seconds.toFixed(2),
        ]),
      })),
    ],
    figures: [
      {
        name: "figure-a1",
        caption: "Overhead over M and over N; F/N over passes by the number of minibatches.",
        svg: chartSvg("SFO: overhead, and the number of minibatches", [
          ...[
            { title: `(a) N = ${N}`, xTitle: "log₁₀ M", points: byParameters },
            { title: `(b) M = ${M.toLocaleString("en-US")}`, xTitle: "log₁₀ N", points: bySubfunctions },
          ].map(({ title, xTitle, points }) => ({
            title,
            xTitle,
            yTitle: "seconds of a pass",
            logarithmic: true,
            series: [
              {
                name: "overhead",
                points: points.map(({ size, seconds }) => [Math.log10(size), seconds] as const),
              },
            ],
          })),
          ...convex.map(({ title, splits }) => {
            const least = Math.min(...splits.flatMap((split) => split.values));
            return {
              title: `(c) ${title}`,
              xTitle: "passes",
              yTitle: "F/N - least",
              logarithmic: true,
              series: splits.map(({ count, values: each }) => ({
                name: `${count} minibatches`,
                points: each.map((value, pass) => [pass, value - least] as const),
              })),
            };
          }),
        ]),
      },
    ],
  },
  isQuick,
);
