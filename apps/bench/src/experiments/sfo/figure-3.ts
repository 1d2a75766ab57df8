/**
 * Figure 3: the twelve-layer autoencoder of drawn curves, 784-400-200-100-50-25-6 and back, at its full width: SFO beside
 * L-BFGS, Hessian-free and Adam, one run each, F after each pass.
 *
 * Usage: node figure-3.ts [--images 20000] [--passes 20] [--minibatches 25] [--rivals adam:0.001,lbfgs,hessian-free:10]
 *
 * The paper has 20,000 images. A pass over them is 10¹¹ multiply-adds, and SFO's own work 4 M K = 2.6·10⁸ for each of its
 * evaluations: estimated at hours on one core for the whole, which was not run. `--images 100 --passes 3` takes 10 s of
 * processor time for SFO. Its basis is in
 * single precision (4 M bytes a column, 78 columns at most: 250 MiB).
 */
import { parseArgs } from "node:util";
import { curves } from "@curvature/datasets";
import { deepAutoencoder } from "@curvature/objectives/networks";
import { type Trace, traceOf, traceOfSfo } from "./pass-values.ts";
import { folderOf, note, provenance, valueText, write } from "./report.ts";

const { values } = parseArgs({
  options: {
    images: { type: "string", default: "20000" },
    passes: { type: "string", default: "20" },
    minibatches: { type: "string", default: "25" },
    rivals: { type: "string", default: "adam:0.001,lbfgs,hessian-free:10" },
  },
});
const images = Number(values.images);
const passes = Number(values.passes);
const count = Number(values.minibatches);

const { points } = curves({ count: images, side: 28 });
const sum = deepAutoencoder(points, { count });

const runs: { readonly name: string; readonly trace: Trace }[] = [];
async function measure(name: string, traced: Promise<Trace>): Promise<void> {
  const trace = await traced;
  runs.push({ name, trace });
  note(`${name}: ${valueText(trace.values[passes])} after ${passes} passes, ${trace.seconds.toFixed(1)} s`);
}
await measure("SFO, untuned", traceOfSfo(sum, passes, { precision: "float32" }));
for (const name of values.rivals.split(",")) await measure(name, traceOf(sum, passes, name, 0));

const looks = [...new Set([0, Math.ceil(passes / 4), Math.ceil(passes / 2), passes])];
const [sfo, ...others] = runs.map(({ name, trace }) => ({ name, value: trace.values[passes] }));
const ahead = others.filter(({ value }) => value < sfo.value).map(({ name }) => name);
const table = [
  "# The twelve-layer autoencoder (figure 3)",
  "",
  "Sohl-Dickstein, Poole, Ganguli (ICML 2014), figure 3: drawn curves of 28 x 28, layers 784-400-200-100-50-25-6-25-50-100-200-400-784, " +
    `cross-entropy; ${images} images${images < 20_000 ? " (**the paper has 20,000: a reduced run**)" : ""} in ${count} minibatches, ${sum.dimension} parameters. One run of each, seed 0; the rivals' numbers are given, not sought.`,
  "",
  provenance(),
  "",
  `| method | ${looks.map((pass) => (pass === 0 ? "F at the start" : `F after ${pass}`)).join(" | ")} | seconds |`,
  `|---|${looks.map(() => "---|").join("")}---|`,
  ...runs.map(
    ({ name, trace }) =>
      `| ${name} | ${looks.map((pass) => valueText(trace.values[pass])).join(" | ")} | ${trace.seconds.toFixed(1)} |`,
  ),
  "",
  ahead.length === 0
    ? `After ${passes} passes SFO is at or below the others.`
    : `After ${passes} passes SFO is **not** at or below the others: ${ahead.join(", ")} ahead of it.`,
  "",
].join("\n");
process.stdout.write(table);
write(folderOf(false), "figure-3.md", table);
