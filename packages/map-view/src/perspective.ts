/**
 * Three axes as an eye sees them: turned about the vertical, then tilted, and smaller the farther away. The map is centred and its
 * largest extent is 1; the eye stands `eyeDistance` in front of its middle.
 */
import { cos, sin } from "@curvature/linalg";

const eyeDistance = 2.6;

/** From where a map is seen at first. */
export const firstView = { yaw: 0.6, pitch: 0.35 } as const;

export interface View {
  readonly yaw: number;
  readonly pitch: number;
}

/** Across, up, away from the eye, and the size of what is there beside what is in the middle. */
export type Seen = readonly [x: number, y: number, depth: number, size: number];

/** A function that projects points, for one view. */
export function projection({ yaw, pitch }: View): (x: number, y: number, z: number) => Seen {
  const [cy, sy] = [cos(yaw), sin(yaw)];
  const [cp, sp] = [cos(pitch), sin(pitch)];
  return (x, y, z) => {
    const away = cy * z - sy * x;
    const depth = sp * y + cp * away;
    const size = eyeDistance / Math.max(0.1, eyeDistance + depth);
    return [size * (cy * x + sy * z), size * (cp * y - sp * away), depth, size];
  };
}

/** N × 3 coordinates, centred and with a largest extent of 1; half of each extent; and what a unit of the map has become. */
export function centred(points: ArrayLike<number>): {
  places: Float64Array;
  halves: readonly number[];
  unit: number;
} {
  const low = [0, 1, 2].map((axis) => extremeOf(points, axis, Math.min));
  const high = [0, 1, 2].map((axis) => extremeOf(points, axis, Math.max));
  // Halves throughout: a whole span may overflow.
  const halves = low.map((value, axis) => high[axis] / 2 - value / 2);
  const largest = Math.max(...halves) || 1;
  const places = Float64Array.from(
    points,
    (value, k) => (value / 2 - (low[k % 3] / 4 + high[k % 3] / 4)) / largest,
  );
  return { places, halves: halves.map((half) => half / largest / 2), unit: 1 / largest / 2 };
}

function extremeOf(points: ArrayLike<number>, axis: number, of: (a: number, b: number) => number): number {
  let extreme = points[axis];
  for (let k = axis; k < points.length; k += 3) extreme = of(extreme, points[k]);
  return extreme;
}

/** The eight corners of the box around the map: −, + along x, then y, then z. */
export function cornersOf(halves: readonly number[]): [number, number, number][] {
  const [a, b, c] = halves;
  return Array.from({ length: 8 }, (_, k) => [
    (k & 1) === 0 ? -a : a,
    (k & 2) === 0 ? -b : b,
    (k & 4) === 0 ? -c : c,
  ]);
}

/** The box's edges, by its corners. */
export const edges: readonly (readonly [number, number])[] = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((corner) =>
  [1, 2, 4].flatMap((axis): [number, number][] => ((corner & axis) === 0 ? [[corner, corner | axis]] : [])),
);
