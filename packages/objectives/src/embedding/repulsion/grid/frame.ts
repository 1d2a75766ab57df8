/**
 * Where the grid lies: its spacing, its nodes, and which points are too far out for it.
 *
 * Nodes stand at whole multiples of the spacing, whatever the map's extent, so that the interpolated sum is one smooth
 * function of the map, and moving the map by a multiple of the spacing changes nothing. Along each axis the box spans the
 * points, but stray ones do not stretch it: where it would be long, it goes from the first to the last percentile and half
 * as far again on both sides, and what is outside is summed pair by pair. Where more than a fiftieth of the points would
 * be outside, or the box has more than `LARGEST` nodes, the spacing doubles. Sizes come from a coarse ladder of powers of
 * 2 times 1, 1.25 and 1.5, so that a growing map seldom needs a new kernel.
 *
 * A small map, all of whose pairs are near, has a finer spacing: as fine as `SMALL` nodes along each axis allow.
 */
import { SUPPORT } from "./cubic-spline.js";

export interface Frame {
  /** Distance of two nodes. */
  readonly spacing: number;
  /** Number of the first node along each axis: node k stands at k · spacing. */
  readonly firstRow: number;
  readonly firstColumn: number;
  /** Nodes along each axis. */
  readonly rows: number;
  readonly columns: number;
}

/** Nodes along each axis of a small map, and the finest of its spacings as a share of the usual one. */
const SMALL = 64;
const FINEST = 1 / 32;
/** Nodes of an axis: from LONG on, stray points are looked for; more than LARGEST are never taken. */
const LONG = 256;
const LARGEST = 1536;
/** Shares of the points, on each side: those beyond which the box ends early, and those that may lie outside in all. */
const PERCENTILE = 0.01;
const OUTSIDE = 0.02;

/**
 * @param x, y - the points' coordinates, finite
 * @param usual - the spacing of maps that are neither small nor too wide
 */
export function frameOf(x: Float64Array, y: Float64Array, usual: number): Frame {
  for (let spacing = usual * FINEST; ; spacing *= 2) {
    const first = axisOf(x, spacing);
    const second = axisOf(y, spacing);
    if (first === undefined || second === undefined) continue;
    if (spacing >= usual || Math.max(first.nodes, second.nodes) <= SMALL)
      return {
        spacing,
        firstRow: first.first,
        rows: first.nodes,
        firstColumn: second.first,
        columns: second.nodes,
      };
  }
}

interface Axis {
  readonly first: number;
  readonly nodes: number;
}

/** The nodes along one axis; undefined where there are too many, or too many points would lie outside. */
function axisOf(x: Float64Array, spacing: number): Axis | undefined {
  let least = Number.POSITIVE_INFINITY;
  let greatest = Number.NEGATIVE_INFINITY;
  for (let n = 0; n < x.length; n++) {
    if (x[n] < least) least = x[n];
    if (x[n] > greatest) greatest = x[n];
  }
  const whole = nodesBetween(least, greatest, spacing);
  if (whole.nodes <= LONG) return fitted(whole);
  const sorted = x.slice().sort();
  const low = sorted[Math.floor(PERCENTILE * x.length)];
  const high = sorted[x.length - 1 - Math.floor(PERCENTILE * x.length)];
  const margin = 0.5 * (high - low);
  const trimmed = nodesBetween(Math.max(least, low - margin), Math.min(greatest, high + margin), spacing);
  if (!(trimmed.nodes <= LARGEST)) return undefined;
  let outside = 0;
  while (outside < x.length && sorted[outside] < low - margin) outside++;
  for (let n = x.length - 1; n >= 0 && sorted[n] > high + margin; n--) outside++;
  return outside <= OUTSIDE * x.length ? fitted(trimmed) : undefined;
}

function nodesBetween(low: number, high: number, spacing: number): Axis {
  const first = Math.floor(low / spacing) - 1;
  return { first, nodes: Math.floor(high / spacing) - 1 - first + SUPPORT };
}

function fitted({ first, nodes }: Axis): Axis {
  return { first, nodes: ladder(nodes) };
}

/** The least 2^k, 1.25 · 2^k or 1.5 · 2^k that is at least as large, from 16 on. */
function ladder(nodes: number): number {
  let size = 16;
  while (2 * size < nodes) size *= 2;
  for (const factor of [1, 1.25, 1.5]) if (factor * size >= nodes) return factor * size;
  return 2 * size;
}
