/**
 * Figure 3: the twelve-layer autoencoder of drawn curves, 784-400-200-100-50-25-6 and back, at its full width: SFO beside
 * L-BFGS, Hessian-free and Adam, F after each pass.
 *
 * Usage: node figure-3.ts [--quick] [--images 20000] [--passes 20] [--minibatches 25] [--rivals adam:0.001,lbfgs,hessian-free:10]
 *          [--repeats 3]
 *
 * The paper has 20,000 images. A pass over them is 10¹¹ multiply-adds, and SFO's own work 4 M K = 2.6·10⁸ for each of its
 * evaluations: estimated at hours on one core for the whole, which was not run. `--images 100` takes some 3 s of
 * processor time a pass. Its basis is in single precision (4 M bytes a column, 78 columns at most: 250 MiB).
 */
import { curves } from "@curvature/datasets";
import { deepAutoencoder } from "@curvature/objectives/networks";
import { chartSvg } from "../../chart.ts";
import { experimentArguments } from "../../experiment-arguments.ts";
import { note } from "../../processor.ts";
import { writeReport } from "../../report.ts";
import { decimals, type Spread, spreadOf, spreadText } from "../../spread.ts";
import { type Trace, traceOf, traceOfSfo } from "./pass-values.ts";
import { SECONDS, seedsText, valueText } from "./texts.ts";

const { values } = experimentArguments({
  options: {
    quick: { type: "boolean", default: false },
    images: { type: "string" },
    passes: { type: "string" },
    minibatches: { type: "string" },
    rivals: { type: "string" },
    repeats: { type: "string" },
  },
});
const isQuick = values.quick;
const images = Number(values.images ?? (isQuick ? 20 : 20_000));
const passes = Number(values.passes ?? (isQuick ? 2 : 20));
const count = Number(values.minibatches ?? (isQuick ? 5 : 25));
const repeats = Number(values.repeats ?? (isQuick ? 1 : 3));
const rivals = (values.rivals ?? (isQuick ? "adam:0.001" : "adam:0.001,lbfgs,hessian-free:10")).split(",");

const { points } = curves({ count: images, side: 28 });
const sum = deepAutoencoder(points, { count });

interface Run {
  readonly name: string;
  /** By seed. */
  readonly traces: readonly Trace[];
}

const runs: Run[] = [];
async function measure(name: string, traced: (seed: number) => Promise<Trace>): Promise<void> {
  const traces: Trace[] = [];
  for (let seed = 0; seed < repeats; seed++) traces.push(await traced(seed));
  const run = { name, traces };
  runs.push(run);
  note(`${name}: ${valueText(after(run, passes).median)} after ${passes} passes`);
}
const after = ({ traces }: Run, pass: number): Spread => spreadOf(traces.map((trace) => trace.values[pass]));

await measure("SFO, untuned", (seed) => traceOfSfo(sum, passes, { precision: "float32", seed }));
for (const name of rivals) await measure(name, (seed) => traceOf(sum, passes, name, seed));

const looks = [...new Set([0, Math.ceil(passes / 4), Math.ceil(passes / 2), passes])];
/** Who is below SFO after so many passes. */
function aheadAfter(pass: number): string[] {
  const [sfo, ...others] = runs.map((run) => ({ name: run.name, value: after(run, pass).median }));
  return others.filter(({ value }) => value < sfo.value).map(({ name }) => name);
}
const reduced = images < 20_000 ? " (**the paper has 20,000: a reduced run**)" : "";

writeReport(
  {
    paper: "sfo",
    name: "figure-3",
    title: "The twelve-layer autoencoder (figure 3)",
    claim: "Figure 3: SFO is ahead of L-BFGS, Hessian-free and SGD on the autoencoder of twelve layers.",
    data: `Drawn curves of 28 x 28, layers 784-400-200-100-50-25-6-25-50-100-200-400-784, cross-entropy; ${images} images${reduced} in ${count} minibatches, ${sum.dimension} parameters.`,
    method: `Medians, least and most over ${seedsText(repeats)} of the order of evaluations, all from one point; the rivals' numbers are given, not sought. ${SECONDS}`,
    findings: [
      `${looks
        .filter((pass) => pass > 0)
        .map((pass) => {
          const ahead = aheadAfter(pass);
          return `After ${pass} passes SFO is ${ahead.length === 0 ? "at or below the others" : `**not** at or below the others: ${ahead.join(", ")} ahead of it`}`;
        })
        .join("; ")}${reduced}.`,
    ],
    tables: [
      {
        columns: [
          "method",
          ...looks.map((pass) => (pass === 0 ? "F at the start" : `F after ${pass}`)),
          "seconds",
        ],
        rows: runs.map((run) => [
          run.name,
          ...looks.map((pass) => spreadText(after(run, pass), valueText)),
          spreadText(spreadOf(run.traces.map(({ seconds }) => seconds)), decimals(1)),
        ]),
      },
    ],
    figures: [
      {
        name: "figure-3",
        caption: "F after each pass, medians.",
        svg: chartSvg("The twelve-layer autoencoder", [
          {
            title: `${images} images`,
            xTitle: "passes",
            yTitle: "F",
            logarithmic: true,
            series: runs.map((run) => ({
              name: run.name,
              points: Array.from(
                { length: passes + 1 },
                (_, pass) => [pass, after(run, pass).median] as const,
              ),
            })),
          },
        ]),
      },
    ],
  },
  isQuick,
);
