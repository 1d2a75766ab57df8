/**
 * Figure 3: the twelve-layer autoencoder of drawn curves, 784-400-200-100-50-25-6 and back, at its full width: SFO beside
 * SGD with momentum, Adam, L-BFGS and Hessian-free, each with the best of a small grid, F after each pass.
 *
 * Usage: node figure-3.ts [--quick] [--images 20000] [--passes 20] [--minibatches 25] [--repeats 3]
 *
 * The paper has 20,000 images. A pass over them is 10¹¹ multiply-adds, and SFO's own work 4 M K = 2.6·10⁸ for each of its
 * evaluations: estimated at hours on one core for the whole, which was not run. `--images 100` takes some 3 s of
 * processor time a pass. Its basis is in single precision (4 M bytes a column, 78 columns at most: 250 MiB).
 */
import { curves } from "@curvature/datasets";
import { deepAutoencoder } from "@curvature/objectives/networks";
import { chartSvg } from "../../chart.ts";
import { experimentArguments, whole } from "../../experiment-arguments.ts";
import { note } from "../../processor.ts";
import { writeReport } from "../../report.ts";
import { decimals, spreadOf, spreadText } from "../../spread.ts";
import { verdict } from "../../words.ts";
import {
  aheadOfSfo,
  atPass,
  firstStepOf,
  isAtStart,
  type Measured,
  measureRival,
  measureSfo,
  secondsOf,
  TUNING,
} from "./measured.ts";
import type { Rival } from "./rivals.ts";
import { ordersText, PASSES, SECONDS, valueText } from "./texts.ts";

const {
  isQuick,
  images,
  passes,
  minibatches: count,
  repeats,
} = experimentArguments({
  images: whole(20_000, 20),
  passes: whole(20, 2),
  minibatches: whole(25, 5),
  repeats: whole(3, 1),
});
const fullRivals: readonly Rival[] = [
  {
    name: "SGD + momentum",
    grid: ["momentum:0.00001:0.9", "momentum:0.0001:0.9", "momentum:0.001:0.9", "momentum:0.01:0.9"],
    isRandom: true,
  },
  { name: "Adam", grid: ["adam:0.0001", "adam:0.001", "adam:0.01"], isRandom: true },
  { name: "L-BFGS", grid: ["lbfgs"], isRandom: false },
  {
    name: "Hessian-free",
    grid: ["hessian-free:1", "hessian-free:10", "hessian-free:100"],
    isRandom: false,
  },
];
const rivals = isQuick
  ? fullRivals.map((rival) => ({ ...rival, grid: [rival.grid[rival.grid.length >> 1]] }))
  : fullRivals;

const { points } = curves({ count: images, side: 28 });
const sum = deepAutoencoder(points, { count });

const runs: Measured[] = [];
async function measured(run: Promise<Measured>): Promise<void> {
  const one = await run;
  runs.push(one);
  note(`${one.setting ?? one.name}: ${valueText(atPass(one, passes).median)} after ${passes} passes`);
}
await measured(measureSfo(sum, passes, repeats, { precision: "float32" }));
for (const rival of rivals) await measured(measureRival(sum, rival, passes, repeats));

const looks = [...new Set([0, Math.ceil(passes / 4), Math.ceil(passes / 2), passes])];
const [sfo, ...others] = runs;
const stuck = others.filter((run) => isAtStart(run, passes));
const moving = runs.filter((run) => !stuck.includes(run));

/** Who is below SFO after so many passes, of those that move. */
function standing(pass: number): string {
  const ahead = aheadOfSfo(moving, pass).map(({ name }) => name);
  return `after ${pass} passes ${ahead.length === 0 ? "no other method" : `**${ahead.join(", ")}**`}`;
}
/** The paper's are SGD, L-BFGS and Hessian-free. */
const beaten = moving
  .slice(1)
  .map((run) => [run.name, looks.every((pass) => !aheadOfSfo([sfo, run], pass).includes(run))] as const);
const isBeaten = beaten.every(([, holds]) => holds);
const names = (of: readonly Measured[]): string => of.map(({ name }) => name).join(", ");

/** Whether the claim holds, against those that move. */
function standingVerdict(): string {
  if (stuck.length === 0) return verdict(Object.fromEntries(beaten));
  const untested = `it is **not tested** against ${names(stuck)}`;
  if (beaten.length === 0) return `Of the claim nothing can be said: ${untested}.`;
  return isBeaten
    ? `The claim holds for ${names(moving.slice(1))}; ${untested}.`
    : `${verdict(Object.fromEntries(beaten))} Beside this ${untested}.`;
}

/** Why a method is where it started. */
function reason(run: Measured): string {
  const step = firstStepOf(run);
  return step > passes && Number.isFinite(step)
    ? `the first step of ${run.setting} is done after ${step} passes only`
    : `no step of ${run.setting} leads away from there`;
}
const sooner = moving.slice(1).filter((run) => secondsOf(run) < secondsOf(sfo));
const reduced = images < 20_000 ? " (**the paper has 20,000: a reduced run**)" : "";

writeReport(
  {
    paper: "sfo",
    name: "figure-3",
    title: "The twelve-layer autoencoder (figure 3)",
    claim:
      "Figure 3: SFO, untuned, is ahead of SGD, L-BFGS and Hessian-free (and Adam, which the paper has not) on the autoencoder of twelve layers, after any number of passes.",
    data: `Drawn curves of 28 x 28, layers 784-400-200-100-50-25-6-25-50-100-200-400-784, cross-entropy; ${images} images${reduced} in ${count} minibatches, ${sum.dimension} parameters.`,
    method: `F is measured after each of ${passes} passes. ${PASSES} All from one point; SFO with its defaults. ${TUNING} ${SECONDS}`,
    repeats: `${ordersText(repeats)}, one run of methods without chance.`,
    clock: "processor",
    findings: [
      `${standingVerdict()} Below SFO are, by the medians, ${looks
        .filter((pass) => pass > 0)
        .map(standing)
        .join(
          "; ",
        )}${reduced}.${stuck.length === 0 ? "" : ` After ${passes} passes still where it started, with every setting of its grid, and not counted as beaten: ${stuck.map((run) => `**${run.name}** (${reason(run)})`).join("; ")}.`}`,
      `${sooner.length === 0 ? "No method that moves takes fewer seconds for these passes" : `In seconds **${sooner.map((run) => `${run.name} takes ${(secondsOf(sfo) / secondsOf(run)).toPrecision(2)} times fewer`).join(", ")}** for these passes`} than SFO.`,
    ],
    tables: [
      {
        columns: [
          "method",
          "setting",
          "of",
          ...looks.map((pass) => (pass === 0 ? "F at the start" : `F after ${pass}`)),
          "seconds",
        ],
        rows: runs.map((run) => [
          run.name,
          run.setting ?? "untuned",
          run.tried,
          ...looks.map((pass) => spreadText(atPass(run, pass), valueText)),
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
                (_, pass) => [pass, atPass(run, pass).median] as const,
              ),
            })),
          },
        ]),
      },
    ],
  },
  isQuick,
);
