/**
 * Figure 3: the twelve-layer autoencoder of drawn curves, 784-400-200-100-50-25-6 and back, at its full width: SFO beside
 * L-BFGS, Hessian-free and Adam, one run each, F after each pass.
 *
 * Usage: node figure-3.ts [--quick] [--images 20000] [--passes 20] [--minibatches 25] [--rivals adam:0.001,lbfgs,hessian-free:10]
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
import { type Trace, traceOf, traceOfSfo } from "./pass-values.ts";
import { SECONDS, valueText } from "./spread.ts";

const { values } = experimentArguments({
  options: {
    quick: { type: "boolean", default: false },
    images: { type: "string" },
    passes: { type: "string" },
    minibatches: { type: "string" },
    rivals: { type: "string" },
  },
});
const isQuick = values.quick;
const images = Number(values.images ?? (isQuick ? 20 : 20_000));
const passes = Number(values.passes ?? (isQuick ? 2 : 20));
const count = Number(values.minibatches ?? (isQuick ? 5 : 25));
const rivals = (values.rivals ?? (isQuick ? "adam:0.001" : "adam:0.001,lbfgs,hessian-free:10")).split(",");

const { points } = curves({ count: images, side: 28 });
const sum = deepAutoencoder(points, { count });

const runs: { readonly name: string; readonly trace: Trace }[] = [];
async function measure(name: string, traced: Promise<Trace>): Promise<void> {
  const trace = await traced;
  runs.push({ name, trace });
  note(`${name}: ${valueText(trace.values[passes])} after ${passes} passes, ${trace.seconds.toFixed(1)} s`);
}
await measure("SFO, untuned", traceOfSfo(sum, passes, { precision: "float32" }));
for (const name of rivals) await measure(name, traceOf(sum, passes, name, 0));

const looks = [...new Set([0, Math.ceil(passes / 4), Math.ceil(passes / 2), passes])];
/** Who is below SFO after so many passes. */
function aheadAfter(pass: number): string[] {
  const [sfo, ...others] = runs.map(({ name, trace }) => ({ name, value: trace.values[pass] }));
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
    method: `One run of each, seed 0; the rivals' numbers are given, not sought. ${SECONDS}`,
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
        rows: runs.map(({ name, trace }) => [
          name,
          ...looks.map((pass) => valueText(trace.values[pass])),
          trace.seconds.toFixed(1),
        ]),
      },
    ],
    figures: [
      {
        name: "figure-3",
        caption: "F after each pass.",
        svg: chartSvg("The twelve-layer autoencoder", [
          {
            title: `${images} images`,
            xTitle: "passes",
            yTitle: "F",
            logarithmic: true,
            series: runs.map(({ name, trace }) => ({
              name,
              points: trace.values.map((value, pass) => [pass, value] as const),
            })),
          },
        ]),
      },
    ],
  },
  isQuick,
);
