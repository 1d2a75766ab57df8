/** The points of the plane: a generated set and those that the visitor has added, or two columns of a file. */
import { gaussianBlobs, moons } from "@curvature/datasets";
import type { DenseMatrix } from "@curvature/linalg";
import { type ClassifyState, type ClassName, classNames } from "./options.js";

export interface Plane {
  /** x0, y0, x1, y1, … in units of the board. */
  readonly places: Float64Array;
  readonly labels: readonly string[];
  /** The two classes in order: the second is the one with scores above 0. */
  readonly classes: readonly string[];
  /** n × 2, what is learned from. */
  readonly rows: DenseMatrix;
  /** What a unit of the board is in x and in y, as the model sees them. */
  readonly scale: readonly [number, number];
}

export const columnNames = ["x", "y"] as const;

type PlaneState = Pick<ClassifyState, "data" | "points" | "spread" | "stretch" | "added" | "seed">;

export function planeOf(state: PlaneState): Plane {
  const { places: made, labels: given } = generated(state);
  const places = new Float64Array(made.length + 2 * state.added.length);
  places.set(made);
  state.added.forEach(({ x, y }, k) => {
    places.set([x, y], made.length + 2 * k);
  });
  const labels = [...given, ...state.added.map(({ label }) => label)];
  const data = places.map((value, k) => (k % 2 === 0 ? value * state.stretch : value));
  const rows = { rows: labels.length, columns: 2, data };
  return { places, labels, classes: classNames, rows, scale: [state.stretch, 1] };
}

interface Made {
  readonly places: Float64Array;
  readonly labels: readonly ClassName[];
}

/** Half the distance between the centres of the clouds. */
const [apartX, apartY] = [0.4, 0.35];

function generated({ data, points, spread, seed }: PlaneState): Made {
  const half = Math.round(points / 2);
  switch (data) {
    case "clouds": {
      const clouds = gaussianBlobs({ groups: 2, pointsPerGroup: half, box: 0, spread, seed });
      return named(clouds.labels, clouds.points.data, (x, y, side) => [x + side * apartX, y + side * apartY]);
    }
    case "moons": {
      const halves = moons({ pointsPerMoon: half, noise: spread / 4, seed });
      return named(halves.labels, halves.points.data, (x, y) => [x - 0.5, y - 0.25]);
    }
    case "drawn":
    case "digits":
    case "file":
      return { places: new Float64Array(0), labels: [] };
  }
}

function named(
  groups: Uint32Array,
  data: Float64Array,
  move: (x: number, y: number, side: -1 | 1) => readonly [number, number],
): Made {
  const places = new Float64Array(data.length);
  groups.forEach((group, i) => {
    places.set(move(data[2 * i], data[2 * i + 1], group === 0 ? -1 : 1), 2 * i);
  });
  return { places, labels: Array.from(groups, (group) => classNames[group]) };
}
