/** The points that are disentangled: a generated set, one class of the digits, or what was drawn. */
import { doubleSwissRoll, moons, ring, twoRings } from "@curvature/datasets";
import { type DenseMatrix, principalComponents } from "@curvature/linalg";
import type { Dataset } from "../../data/dataset.js";
import type { DisentangleState, Place } from "./options.js";

export interface PointSet {
  readonly dataset: Dataset;
  /** x0, y0, x1, y1, …: where the points are drawn; the leading principal components where there are more columns. */
  readonly places: Float64Array;
}

/** Points below which there is nothing to disentangle. */
export const fewest = 2;

/** @param digits - all of them; needed for their class alone */
export function pointsOf(state: DisentangleState, digits: Dataset | undefined): PointSet | undefined {
  const { data, points: count, noise, seed } = state;
  const half = Math.max(1, Math.round(count / 2));
  switch (data) {
    case "two-rings":
      return grouped(data, "ring", twoRings({ pointsPerRing: half, noise, seed }));
    case "moons":
      return grouped(data, "moon", moons({ pointsPerMoon: half, noise, seed }));
    case "double-swiss-roll":
      return grouped(data, "roll", doubleSwissRoll({ pointsPerRoll: half, noise, seed }));
    case "ring":
      return inPlane(named(data, ring({ count, noise, seed }).points));
    case "drawn":
      return inPlane(named(data, matrixOf(state.drawn)));
    case "digits":
      return digits === undefined ? undefined : ofDigit(digits, state);
  }
}

const matrixOf = (drawn: readonly Place[]): DenseMatrix => ({
  rows: drawn.length,
  columns: 2,
  data: Float64Array.from(drawn.flatMap(({ x, y }) => [x, y])),
});

interface Grouped {
  readonly points: DenseMatrix;
  readonly labels: Uint32Array;
}

const grouped = (name: string, labelName: string, { points, labels }: Grouped): PointSet =>
  inPlane({ ...named(name, points), labels: Array.from(labels, String), labelName });

function named(name: string, points: DenseMatrix): Dataset {
  return {
    name,
    points,
    columns: ["x", "y"],
    labels: undefined,
    labelName: undefined,
    image: undefined,
    choices: [],
    leftOut: [],
    fileName: undefined,
    takenFrom: undefined,
  };
}

const inPlane = (dataset: Dataset): PointSet => ({ dataset, places: dataset.points.data });

/** The first so many of one class. */
function ofDigit(digits: Dataset, { digit, points: most }: DisentangleState): PointSet {
  const { points, labels = [] } = digits;
  const { columns } = points;
  const chosen: number[] = [];
  labels.forEach((label, i) => {
    if (label === String(digit) && chosen.length < most) chosen.push(i);
  });
  const data = new Float64Array(chosen.length * columns);
  chosen.forEach((i, k) => {
    data.set(points.data.subarray(i * columns, (i + 1) * columns), k * columns);
  });
  const own: DenseMatrix = { rows: chosen.length, columns, data };
  return {
    dataset: { ...digits, name: `digits-${digit}`, points: own, labels: undefined, labelName: undefined },
    places: principalComponents(own).scores.data,
  };
}

/** The points as they would have been drawn: with three decimals, so that links stay short. */
export function placesOf(set: PointSet | undefined): readonly Place[] {
  const rounded = (value: number): number => Math.round(value * 1000) / 1000;
  const places = set?.places ?? [];
  return Array.from({ length: places.length / 2 }, (_, i) => ({
    x: rounded(places[2 * i]),
    y: rounded(places[2 * i + 1]),
  }));
}
