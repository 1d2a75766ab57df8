/** The contours of a sum of two variables, in a worker. */
import type { Task } from "../../worker/protocol.js";
import { contourSegments } from "./contours.js";
import { edge, middle, planarSum, wholeValue } from "./planar.js";
import type { PlanarName, ProblemRequest } from "./problem-request.js";

export interface FieldJob extends ProblemRequest {
  readonly objective: PlanarName;
}

export interface Contour {
  readonly level: number;
  /** Pairs of points: x0, y0, x1, y1 of every piece. */
  readonly segments: Float32Array;
}

const side = 121;
const levels = 12;
/** So that contours reach the frame. */
const beyond = 1.15;

export const fieldTask: Task<FieldJob, never, readonly Contour[]> = {
  run({ objective, count, seed }) {
    const problem = planarSum(objective, count, seed);
    const [mx, my] = middle[objective];
    const at = (k: number): number => beyond * edge * ((2 * k) / (side - 1) - 1);
    const values = new Float64Array(side * side);
    const point = new Float64Array(2);
    for (let j = 0; j < side; j++) {
      for (let i = 0; i < side; i++) {
        point[0] = mx + at(i);
        point[1] = my + at(j);
        values[j * side + i] = wholeValue(problem, point);
      }
    }
    const low = values.reduce((least, value) => Math.min(least, value));
    const span = values.reduce((greatest, value) => Math.max(greatest, value)) - low;
    const content = Array.from({ length: levels }, (_, k) => {
      const level = low + span / 2 ** (levels - 1.5 - k);
      const segments = contourSegments(values, side, level, (i, j) => [mx + at(i), my + at(j)]);
      return { level, segments };
    });
    return Promise.resolve({ content, transfer: content.map(({ segments }) => segments.buffer) });
  },
};
