/**
 * Names beside points, for maps of few: each name takes the place among sixteen around its point where it covers the
 * least of other names, of points, and of the edge; in turns, until none moves. A name that would still lie on another, or on
 * a class's name, is left out (its point shows it when pointed at).
 */
import type { Box } from "./layout.js";

/** From so many points on, names would cover the map. */
export const maxNamedPoints = 100;

export interface PointName {
  /** The row of its point. */
  readonly index: number;
  /** The left end of the name's base line. */
  readonly x: number;
  readonly y: number;
}

/** The place of a name: its left, top, right and bottom. */
export type Frame = readonly [left: number, top: number, right: number, bottom: number];

/** Directions in the order in which readers like them: right, left, above, below, then slantwise. */
const directions = [
  [1, 0],
  [-1, 0],
  [0, -1],
  [0, 1],
  [1, -1],
  [1, 1],
  [-1, -1],
  [-1, 1],
] as const;

const maxTurns = 8;
/** Square pixels that a covered point counts for, and that a less liked place does. */
const pointCost = 60;
const placeCost = 1.5;
const edgeCost = 20;
/** Beside names of points, which may still move. */
const takenCost = 10;

/**
 * @param widths - of each name in pixels; 0 for a point without a name
 * @param radius - of the points
 * @param bounds - where names may stand
 * @param taken - where other words stand
 */
export function placePointNames(
  pixels: Float64Array,
  widths: readonly number[],
  {
    fontSize,
    radius,
    bounds,
    taken,
  }: { fontSize: number; radius: number; bounds: Box; taken: readonly Frame[] },
): PointName[] {
  const frames = widths.map((width, n) => places(pixels[2 * n], pixels[2 * n + 1], width, fontSize, radius));
  const chosen = widths.map(() => 0);
  const cost = (n: number, place: number): number => {
    const frame = frames[n][place];
    let sum = place * placeCost + edgeCost * outside(frame, bounds);
    for (const other of taken) sum += takenCost * overlap(frame, other);
    for (let m = 0; m < widths.length; m++) {
      if (m !== n && widths[m] > 0) sum += overlap(frame, frames[m][chosen[m]]);
      if (m !== n && covers(frame, pixels[2 * m], pixels[2 * m + 1], radius)) sum += pointCost;
    }
    return sum;
  };
  for (let turn = 0, moved = true; moved && turn < maxTurns; turn++) {
    moved = false;
    for (let n = 0; n < widths.length; n++) {
      if (widths[n] === 0) continue;
      const costs = frames[n].map((_, place) => cost(n, place));
      const best = costs.indexOf(Math.min(...costs));
      moved ||= best !== chosen[n];
      chosen[n] = best;
    }
  }
  return readable(
    widths,
    frames.map((candidates, n) => candidates[chosen[n]]),
    taken,
  );
}

/** Those that lie neither on what is taken nor on one that is kept. */
function readable(widths: readonly number[], frames: readonly Frame[], taken: readonly Frame[]): PointName[] {
  const kept: number[] = [];
  for (let n = 0; n < frames.length; n++) {
    const area = (frame: Frame): number => (frame[2] - frame[0]) * (frame[3] - frame[1]);
    const hidden =
      kept.some((m) => overlap(frames[n], frames[m]) > 0.05 * area(frames[n])) ||
      taken.some((frame) => overlap(frames[n], frame) > 0);
    if (widths[n] > 0 && !hidden) kept.push(n);
  }
  return kept.map((index) => {
    const [left, top, , bottom] = frames[index];
    return { index, x: left, y: top + 0.78 * (bottom - top) };
  });
}

function places(x: number, y: number, width: number, fontSize: number, radius: number): Frame[] {
  const height = 1.15 * fontSize;
  const near = radius + 3;
  return [near, near + 0.9 * fontSize].flatMap((gap) =>
    directions.map(([right, down]): Frame => {
      // Slantwise the corner, not the side, points to the point.
      const reach = right !== 0 && down !== 0 ? 0.7 * gap : gap;
      const left = x + (right === 0 ? -width / 2 : right > 0 ? reach : -reach - width);
      const top = y + (down === 0 ? -height / 2 : down > 0 ? reach : -reach - height);
      return [left, top, left + width, top + height];
    }),
  );
}

function overlap(a: Frame, b: Frame): number {
  const width = Math.min(a[2], b[2]) - Math.max(a[0], b[0]);
  const height = Math.min(a[3], b[3]) - Math.max(a[1], b[1]);
  return width > 0 && height > 0 ? width * height : 0;
}

function covers([left, top, right, bottom]: Frame, x: number, y: number, radius: number): boolean {
  return x > left - radius && x < right + radius && y > top - radius && y < bottom + radius;
}

/** Pixels beyond the bounds, on all sides together. */
function outside([left, top, right, bottom]: Frame, box: Box): number {
  return (
    Math.max(0, box.left - left) +
    Math.max(0, box.top - top) +
    Math.max(0, right - box.left - box.width) +
    Math.max(0, bottom - box.top - box.height)
  );
}
