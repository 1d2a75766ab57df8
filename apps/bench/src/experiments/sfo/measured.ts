/** SFO and its rivals on one sum, pass by pass, over seeds; the rivals with the best of their grids. */
import type { MinibatchSum } from "@curvature/objectives/sums";
import type { SfoOptions } from "@curvature/optim-sfo";
import { median, type Spread, spreadOf } from "../../spread.ts";
import { type Trace, traceOf, traceOfSfo } from "./pass-values.ts";
import type { Rival } from "./rivals.ts";

/** A method with its chosen numbers. */
export interface Measured {
  readonly name: string;
  /** Of the grid; undefined where nothing was tuned. */
  readonly setting: string | undefined;
  readonly tried: number;
  /** By seed. */
  readonly traces: readonly Trace[];
}

/** F after so many passes. */
export const atPass = ({ traces }: Measured, pass: number): Spread =>
  spreadOf(traces.map(({ values }) => values[pass]));

export const secondsOf = ({ traces }: Measured): number => median(traces.map(({ seconds }) => seconds));

export const firstStepOf = ({ traces }: Measured): number => median(traces.map(({ firstStep }) => firstStep));

/** Whether F is what it was at the start after so many passes: such a method does not count as beaten. */
export const isAtStart = (run: Measured, pass: number): boolean =>
  atPass(run, pass).median === atPass(run, 0).median;

/** How the best of a grid is chosen, for the method of a report. */
export const TUNING =
  "The numbers of the others are sought on a grid (the column `of` says how many were tried) and chosen by the least F at the last pass with seed 0, " +
  "so that this choice is made on what is measured, to their advantage, as in the paper.";

export async function measureSfo(
  sum: MinibatchSum,
  passes: number,
  repeats: number,
  options: SfoOptions = {},
): Promise<Measured> {
  const traces: Trace[] = [];
  for (let seed = 0; seed < repeats; seed++) traces.push(await traceOfSfo(sum, passes, { ...options, seed }));
  return { name: "SFO", setting: undefined, tried: 1, traces };
}

export async function measureRival(
  sum: MinibatchSum,
  { name, grid, isRandom }: Rival,
  passes: number,
  repeats: number,
): Promise<Measured> {
  let best: { readonly setting: string; readonly trace: Trace } | undefined;
  for (const setting of grid) {
    const trace = await traceOf(sum, passes, setting, 0);
    if (best === undefined || trace.values[passes] < best.trace.values[passes]) best = { setting, trace };
  }
  if (best === undefined) throw new Error(`${name} has an empty grid`);
  const traces = [best.trace];
  if (isRandom)
    for (let seed = 1; seed < repeats; seed++) traces.push(await traceOf(sum, passes, best.setting, seed));
  return { name, setting: best.setting, tried: grid.length, traces };
}

/** Methods that are below SFO, the first, after so many passes, by the medians. */
export function aheadOfSfo([sfo, ...others]: readonly Measured[], pass: number): Measured[] {
  return others.filter((other) => atPass(other, pass).median < atPass(sfo, pass).median);
}
