/**
 * Figure 1: the steps η of SVRG-SBB along the epochs, on the synthetic set, for several ε; without ε they run away.
 *
 * Usage: node figure-1.ts [--epochs 40] [--data folder]
 */
import { parseArgs } from "node:util";
import { chartSvg } from "../../chart.ts";
import { lossTitles, paperLosses } from "./methods.ts";
import { mean, note, provenance, writeFigure, writeTable } from "./report.ts";
import { synthetic } from "./sets.ts";
import { trace } from "./trace.ts";

const { values } = parseArgs({
  options: { epochs: { type: "string", default: "40" }, data: { type: "string" } },
});
const epochs = Number(values.epochs);
const set = synthetic(values.data);
const N = set.train.quadruplets.length / 4;
const n = set.train.objects;
const starts = set.starts.slice(0, 3);
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

writeFigure(
  "figure-1",
  chartSvg(
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
);
writeTable("figure-1", [
  "# Steps of SVRG-SBB along the epochs",
  "",
  `${set.name}: ${n} objects, ${N.toLocaleString("en-US")} answers, p = ${set.dimensions}; the first step m η = 5, m = N, b = 1, ${epochs} epochs; the figure shows the first of ${starts.length} recorded starts, the table all (seeds 0 to ${starts.length - 1}). ${provenance()}`,
  "",
  "![steps](figure-1.svg)",
  "",
  "| loss | ε | η: median, least, largest from epoch 1 on | bound 1/(m ε) | test error at the end, mean | best on the way, mean |",
  "|---|---|---|---|---|---|",
  ...found.flatMap(({ loss, runs }) =>
    runs.map(({ epsilon, runs: each }) => {
      const steps = each.flatMap((run) => run.steps.slice(1)).sort((a, b) => a - b);
      const shown = [steps[steps.length >> 1], steps[0], steps[steps.length - 1]].map((step) =>
        step.toExponential(2),
      );
      const bound = epsilon === 0 ? "none" : (1 / (N * epsilon)).toExponential(2);
      const final = mean(each.map((run) => run.finalError));
      const best = mean(each.map((run) => Math.min(...run.errors)));
      return `| ${lossTitles[loss]} | ${epsilon} | ${shown.join(", ")} | ${bound} | ${final.toFixed(4)} | ${best.toFixed(4)} |`;
    }),
  ),
  "",
]);
