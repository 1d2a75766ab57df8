/** Where a model's border runs on the board. */
import { edge } from "./options.js";
import type { Frame } from "./task.js";

/** a x + b y + c, in units of the board: 0 on the border, ±1 on the margins. */
export interface Score {
  readonly a: number;
  readonly b: number;
  readonly c: number;
}

/** @param scale - what a unit of the board is in x and in y, as the model sees them */
export const scoreOf = (
  { parameters: [w0, w1, bias] }: Frame,
  [scaleX, scaleY]: readonly [number, number],
): Score => ({ a: w0 * scaleX, b: w1 * scaleY, c: bias });

/** Two points x0, y0, x1, y1 of the line where the score is `level`, beyond the board; none if it does not cross it. */
export function levelLine({ a, b, c }: Score, level: number): readonly number[] | undefined {
  const square = a * a + b * b;
  const near = (level - c) / square;
  const [x, y] = [near * a, near * b];
  const reach = 2 * edge;
  if (!(x * x + y * y < reach * reach)) return undefined;
  const far = (2 * reach) / Math.sqrt(square);
  return [x - far * b, y + far * a, x + far * b, y - far * a];
}

/** The last frame at or before an epoch; passes of some solvers are a little more than one read of the rows. */
export const frameAt = (frames: readonly Frame[], epoch: number): Frame | undefined =>
  frames.findLast((frame) => Math.floor(frame.epoch) <= epoch) ?? frames[0];
