/**
 * Two columns of the visitor's file and two classes of its rows: to learn from, to test on, and as points of the board.
 */
import {
  applyScaling,
  CurvatureError,
  type DenseMatrix,
  fitScaling,
  RandomGenerator,
  sampleWithoutReplacement,
  selectRows,
} from "@curvature/linalg";
import type { Dataset } from "../../data/dataset.js";
import type { LabeledSet } from "./digits.js";
import { type ClassifyState, edge } from "./options.js";
import type { Plane } from "./plane.js";

export interface FileSets {
  readonly training: LabeledSet;
  /** Undefined where nothing is held out. */
  readonly test: LabeledSet | undefined;
  /** The names of the two columns. */
  readonly columns: readonly [string, string];
  readonly plane: Plane;
}

type Choices = Pick<ClassifyState, "x" | "y" | "against" | "share" | "seed">;

/** The columns that are looked at: those chosen, or else the first ones. */
export function columnsOf(
  { columns }: Dataset,
  { x, y }: Pick<Choices, "x" | "y">,
): readonly [string, string] {
  const first = columns.includes(x) ? x : columns[0];
  const others = columns.filter((name) => name !== first);
  return [first, others.includes(y) ? y : others[0]];
}

/** The labels that occur, in the order of the package. */
export const classesIn = ({ labels = [] }: Dataset): readonly string[] =>
  [...new Set(labels)].filter((label) => label !== "").sort();

/** @returns the sets, or a sentence that says why there are none */
export function fileSets(dataset: Dataset, choices: Choices): FileSets | string {
  const { points, labels, columns } = dataset;
  const file = dataset.ofFile?.name ?? dataset.name;
  const classes = classesIn(dataset);
  if (new Set(columns).size < 2)
    return `A border in the plane takes two columns of numbers; ${file} has ${columns.length === 1 ? `one beside the labels, ${columns[0]}` : "one name for all"}.`;
  if (labels === undefined) return `No column of ${file} looks like labels: choose one above.`;
  if (classes.length < 2)
    return `A border needs two classes; in ${file} ${classes.length === 0 ? "no row has a label" : `all labels are ${classes[0]}`}.`;
  const names = columnsOf(dataset, choices);
  const pair = twoColumns(points, [columns.indexOf(names[0]), columns.indexOf(names[1])]);
  const against = classes.includes(choices.against) ? choices.against : classes[0];
  // With two classes both keep their names.
  const named = (label: string): string =>
    classes.length === 2 || label === against ? label : `not ${against}`;
  const kept = labels.flatMap((label, i) => (label === "" ? [] : [i]));
  const held = heldOut(kept.length, choices);
  const part = (isHeld: boolean): LabeledSet => {
    const rows = kept.filter((_, k) => held.has(k) === isHeld);
    return { rows: selectRows(pair, rows), labels: rows.map((i) => named(labels[i])) };
  };
  const training = part(false);
  try {
    const plane = planeOfFile(training);
    return { training, test: held.size === 0 ? undefined : part(true), columns: names, plane };
  } catch (error) {
    if (error instanceof CurvatureError) return error.message; // numbers too large to be scaled
    throw error;
  }
}

function twoColumns({ rows, columns, data }: DenseMatrix, chosen: readonly [number, number]): DenseMatrix {
  const pair = new Float64Array(2 * rows);
  for (let i = 0; i < rows; i++)
    pair.set([data[i * columns + chosen[0]], data[i * columns + chosen[1]]], 2 * i);
  return { rows, columns: 2, data: pair };
}

/** Of so many rows those that are held out: drawn at random, since files are often sorted by class. */
function heldOut(count: number, { share, seed }: Choices): ReadonlySet<number> {
  const most = Math.floor((count * share) / 100);
  return new Set(sampleWithoutReplacement(new RandomGenerator(seed), most, count));
}

/** The farthest point lies so near to the board's edge. */
const margin = 0.95;

/** The rows as the model sees them, with both columns in units of their deviation, as large as the board allows. */
function planeOfFile({ rows, labels }: LabeledSet): Plane {
  const { data } = applyScaling(fitScaling(rows, "standard"), rows);
  const farthest = data.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const unit = farthest === 0 ? 1 : farthest / (margin * edge);
  return {
    places: data.map((value) => value / unit),
    labels,
    classes: [...new Set(labels)].sort(),
    rows,
    scale: [unit, unit],
  };
}
