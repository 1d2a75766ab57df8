/**
 * Partial-Hessian strategies, figure 2: from many small random maps to minima that may differ. How low each method comes in
 * a time that is the same for all, in how many iterations, and how much that scatters.
 *
 * Usage: node figure-2.ts [--quick] [--set drawn|coil] [--objects 5] [--seconds 0.4] [--starts 10]
 *
 * Vladymyrov, Carreira-Perpiñán: Partial-Hessian strategies for fast learning of nonlinear embeddings, ICML 2012,
 * section 3.1. Differs: 5 drawn objects of 72 poses in place of 10 of COIL-20, unless `--set coil --objects 10`; 10 starts in place of
 * 50, unless `--starts 50`; a limit of time for each method.
 */
import { withProcesses } from "../../contestants/own-process.ts";
import { experimentArguments, namesOf, positive, string, whole } from "../../experiment-arguments.ts";
import { note } from "../../processor.ts";
import { writeReport } from "../../report.ts";
import type { Cell, Table } from "../../report-types.ts";
import { classColor, type Dots, panelsSvg } from "../../scatter.ts";
import { median } from "../../spread.ts";
import { verdict } from "../../words.ts";
import { describeSet, noiseOf, PERPLEXITY, POSES, smallSet, smallSets } from "./small-set.ts";
import { contestants } from "./small-set-contestants.ts";
import { contestantsOn, METHOD, type Race, race } from "./small-set-race.ts";

const values = experimentArguments({
  set: string("drawn"),
  objects: whole(5, 4),
  seconds: positive(0.4, 0.1),
  starts: whole(10, 3),
  name: string("figure-2"),
});
const { isQuick, objects, seconds: limit, starts } = values;
const [set] = namesOf("set", values.set, smallSets);
const choice = { set, objects, poses: isQuick ? 36 : POSES };

const { N, labels } = smallSet(choice);
const names = Object.keys(contestants);
const tables: Table[] = [];
const clouds: Dots[] = [];
const maps: Dots[] = [];
const findings: string[] = [];

/** Methods in the picture; the others' E would fill it. */
const SHOWN = 6;
const drawn = new Set<string>();
/** Of each model, which parts of the claim hold. */
const claims: Readonly<Record<string, boolean>>[] = [];

const pairs = (x: Float64Array): [number, number][] =>
  Array.from({ length: x.length / 2 }, (_, k) => [x[2 * k], x[2 * k + 1]]);

/** Of each model, and each start. */
const races = await withProcesses(contestantsOn(choice), async (processes) => {
  const all: { readonly model: string; readonly runs: readonly Race[][] }[] = [];
  for (const model of ["EE", "s-SNE"]) {
    await race(processes, { model, X0: noiseOf(N, 1e-5, 99) }, isQuick ? 0.1 : 0.4); // compiles
    const runs: Race[][] = [];
    for (let seed = 0; seed < starts; seed++) {
      note(`${model}, start ${seed}`);
      runs.push(await race(processes, { model, X0: noiseOf(N, 1e-5, seed) }, limit));
    }
    all.push({ model, runs });
  }
  return all;
});

for (const { model, runs } of races) {
  const ends = names.map((name, k) => ({
    name,
    all: runs.map((run) => run[k].moments[run[k].moments.length - 1]),
  }));
  const E0 = runs[0][0].moments[0].E;
  const middle = (k: number): number => median(ends[k].all.map(({ E }) => E));
  const rows = ends.map(({ name, all }): Cell[] => {
    const errors = all.map(({ E }) => E);
    const [low, high] = [Math.min(...errors), Math.max(...errors)];
    return [
      name,
      ...[low, median(errors), high, high - low].map((E) => E.toFixed(4)),
      median(all.map(({ iterations }) => iterations)),
      median(all.map(({ evaluations }) => evaluations)),
    ];
  });
  tables.push({
    title: `${model}, E₀ = ${E0.toFixed(4)}`,
    columns: ["method", "least E", "median", "largest", "spread", "iterations", "evaluations"],
    rows,
  });
  const order = names.map((name, k) => ({ name, E: middle(k) })).toSorted((a, b) => a.E - b.E);
  const best = order[0].E;
  const still = ends
    .filter(({ all }) => all.every(({ E }) => E0 - E < 0.01 * (E0 - best)))
    .map(({ name }) => name);
  const place = order.findIndex(({ name }) => name === "SD") + 1;
  const spreadOfEnds = (name: string): number => {
    const errors = ends[names.indexOf(name)].all.map(({ E }) => E);
    return Math.max(...errors) - Math.min(...errors);
  };
  const lowestTwo = order.filter(({ name }) => !name.includes("ours")).slice(0, 2);
  claims.push({
    "SD and L-BFGS as the lowest": lowestTwo.every(({ name }) => name === "SD" || name === "L-BFGS"),
    "the scatter of SD": spreadOfEnds("SD") < spreadOfEnds("L-BFGS"),
    "gradient descent": still.includes("GD"),
  });
  findings.push(
    `${model}, by median E after ${limit} s: ${order.map(({ name, E }) => `${name} ${E.toFixed(4)}`).join(", ")}; SD is at place ${place} of ${order.length}.${still.length === 0 ? "" : ` Hardly moved from the start: ${still.join(", ")}.`}`,
  );
  const points = ends.flatMap(({ all }, k) =>
    all.map(({ iterations, E }) => ({ k, at: [Math.log10(Math.max(1, iterations)), E] as const })),
  );
  const lowest = new Set(order.slice(0, SHOWN).map(({ name }) => name));
  for (const name of lowest) drawn.add(name);
  const shown = points.filter(({ k }) => lowest.has(names[k]));
  const range = (axis: 0 | 1): string => {
    const along = shown.map(({ at }) => at[axis]);
    return `${Math.min(...along).toFixed(2)} to ${Math.max(...along).toFixed(2)}`;
  };
  clouds.push({
    title: `${model}: E over log₁₀ iterations`,
    note: `up: E, ${range(1)}; right: ${range(0)}`,
    points: shown.map(({ at }) => at),
    isStretched: true,
    colorOf: (index) => classColor([...drawn].indexOf(names[shown[index].k])),
  });
  for (const name of ["SD", "SD-LBFGS (ours)", "L-BFGS", "FP"])
    maps.push({
      title: `${model}, ${name}`,
      note: `start 0, E ${ends[names.indexOf(name)].all[0].E.toFixed(4)}`,
      points: pairs(runs[0][names.indexOf(name)].x),
      colorOf: (index) => classColor(labels[index]),
    });
}

const onBoth = Object.keys(claims[0]).map((part) => [part, claims.every((one) => one[part])] as const);

writeReport(
  {
    paper: "spectral",
    name: values.name,
    title: "Partial-Hessian strategies, figure 2: from random maps",
    claim:
      "Figure 2: from 50 random starts SD and L-BFGS come lowest, SD with less scatter; gradient descent hardly moves.",
    data: `${describeSet(choice)}; perplexity ${PERPLEXITY}, all pairs.`,
    method: `From 1e-5 × normal, ${limit} s for each method and start. ${METHOD} E, iterations and evaluations are those at the end of the time. A part of the claim holds where it does for both objectives, among the paper's methods; scatter: the largest E less the least; hardly moved: by less than a hundredth of the way from E₀ to the least median.`,
    repeats: `${starts} starts of each (seeds 0 to ${starts - 1}).`,
    clock: "processor",
    findings: [verdict(Object.fromEntries(onBoth)), ...findings],
    tables,
    figures: [
      {
        name: values.name,
        caption: `E over iterations, a dot for each start, of the ${SHOWN} methods of least median; and the maps of the first start, a colour for each object.`,
        svg: panelsSvg(`Figure 2, N = ${N}`, [clouds[0], ...maps.slice(0, 4), clouds[1], ...maps.slice(4)], {
          columns: 5,
          legend: [...drawn],
        }),
      },
    ],
  },
  isQuick,
);
