/**
 * Figure 1: the steps η of SVRG-SBB along the epochs, on the synthetic set, for several ε; without ε they run away.
 *
 * Usage: node figure-1.ts [--quick] [--epochs 40] [--data folder]
 */
import { chartSvg } from "../../chart.ts";
import { experimentArguments, string, whole } from "../../experiment-arguments.ts";
import { note } from "../../processor.ts";
import { writeReport } from "../../report.ts";
import { decimals, type Spread, spreadOf, spreadText } from "../../spread.ts";
import { mediansOf, verdict } from "../../words.ts";
import { lossTitles, paperLosses } from "./methods.ts";
import { synthetic } from "./sets.ts";
import { trace } from "./trace.ts";

const { isQuick, epochs, data } = experimentArguments({
  epochs: whole(40, 4),
  data: string(),
});
const set = synthetic(data);
const N = set.train.quadruplets.length / 4;
const n = set.train.objects;
const starts = set.starts.slice(0, isQuick ? 1 : 3);
const epsilons = [0, 2.5e-4, 2.5e-3, 2.5e-2];

const nameOf = (epsilon: number): string => (epsilon === 0 ? "SBB 0" : `SBB ε = ${epsilon}`);

const found = paperLosses.map((loss) => ({
  loss,
  runs: epsilons.map((epsilon) => {
    const runs = starts.map((start, seed) =>
      trace(
        set,
        start,
        { solver: epsilon === 0 ? "svrg-sbb0" : "svrg-sbb", initialStep: 5, epsilon, batchSize: 1, seed },
        { loss, epochs },
      ),
    );
    note(
      `${loss} ε = ${epsilon}: last steps ${runs.map((run) => run.steps.at(-1)?.toExponential(2)).join(", ")}`,
    );
    return { epsilon, runs };
  }),
}));

interface Row {
  readonly loss: string;
  readonly epsilon: number;
  /** Of epochs 1 and on, all starts. */
  readonly steps: Spread;
  readonly final: Spread;
  readonly best: Spread;
}

const rows: Row[] = found.flatMap(({ loss, runs }) =>
  runs.map(({ epsilon, runs: each }) => ({
    loss: lossTitles[loss],
    epsilon,
    steps: spreadOf(each.flatMap((run) => run.steps.slice(1))),
    final: spreadOf(each.map((run) => run.finalError)),
    best: spreadOf(each.map((run) => Math.min(...run.errors))),
  })),
);
const bound = (epsilon: number): number => (epsilon === 0 ? Number.POSITIVE_INFINITY : 1 / (N * epsilon));
const over = rows.filter(({ steps: { most }, epsilon }) => most > bound(epsilon) * (1 + 1e-9));
const free = rows.filter(({ epsilon }) => epsilon === 0);
const held = rows.filter(({ epsilon }) => epsilon > 0);
const ratioOf = ({ steps: { most, least } }: Row): number => most / least;
const ratio = (some: readonly Row[]): string => Math.max(...some.map(ratioOf)).toPrecision(2);
/** Largest steps over least ones up to which steps count as settled, and above which as run away. */
const SETTLED = 10;
const calm = free.filter((row) => ratioOf(row) <= SETTLED);
const restless = held.filter((row) => ratioOf(row) > SETTLED);
const named = (some: readonly Row[]): string =>
  some.map(({ loss, epsilon }) => `${loss} ε = ${epsilon}`).join(", ");

writeReport(
  {
    paper: "svrg",
    name: "figure-1",
    title: "Steps of SVRG-SBB along the epochs",
    claim: "Figure 1: with ε the steps of SVRG-SBB settle and stay below 1/(m ε); without it they run away.",
    data: `${set.name}: ${n} objects, ${N.toLocaleString("en-US")} answers, p = ${set.dimensions}.`,
    method: `The first step m η = 5, m = N, b = 1, ${epochs} epochs; the figure shows the first of ${starts.length} recorded starts, the table all. From epoch 1 on, steps count as settled where the largest of all starts is at most ${SETTLED} times the least, and as run away where it is more, with ε and without.`,
    repeats: `${mediansOf(starts.length, "start", "starts")}.`,
    clock: "none",
    findings: [
      `${verdict({ "the bound 1/(m ε)": over.length === 0, "steps that settle with ε": restless.length === 0, "steps that run away without": calm.length === 0 })} Without ε the largest step is up to ${ratio(free)} times the least, with ε up to ${ratio(held)} times. ${over.length === 0 ? "No step is above its bound" : `**Above** their bound: ${named(over)}`}; with ε ${restless.length === 0 ? "all steps settle" : `steps do **not** settle on ${restless.length} of ${held.length}: ${named(restless)}`}; without ${calm.length === 0 ? "they run away under every loss" : `they do **not** run away under ${calm.map(({ loss }) => loss).join(", ")}`}.`,
    ],
    tables: [
      {
        columns: [
          "loss",
          "ε",
          "η from epoch 1 on",
          "bound 1/(m ε)",
          "test error at the end",
          "best on the way",
        ],
        rows: rows.map(({ loss, epsilon, steps, final, best }) => [
          loss,
          epsilon,
          spreadText(steps, (step) => step.toExponential(2)),
          epsilon === 0 ? "none" : bound(epsilon).toExponential(2),
          spreadText(final, decimals(4)),
          spreadText(best, decimals(4)),
        ]),
      },
    ],
    figures: [
      {
        name: "figure-1",
        caption: "Steps along the epochs.",
        svg: chartSvg(
          "Steps along the epochs",
          found.map(({ loss, runs }) => ({
            title: lossTitles[loss],
            xTitle: "epoch",
            yTitle: "η = B/m",
            logarithmic: true,
            series: runs.map(({ epsilon, runs: each }) => ({
              name: nameOf(epsilon),
              points: (each[0].steps ?? []).map((step, epoch) => [epoch, step] as const),
            })),
          })),
        ),
      },
    ],
  },
  isQuick,
);
