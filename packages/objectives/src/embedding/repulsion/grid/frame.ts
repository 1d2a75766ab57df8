/**
 * Where the grid lies: its spacing, its nodes, and which points are too far out for it.
 *
 * Nodes stand at whole multiples of the spacing, whatever the map's extent, so that the interpolated sum is one smooth
 * function of the map, and moving the map by a multiple of the spacing changes nothing. Along each axis the box spans the
 * points, but stray ones do not stretch it: where it would be long, it goes from the first to the last percentile and half
 * as far again on both sides, if no more than `OUTSIDE` points lie beyond, which are then summed pair by pair. There is no
 * grid of more than `LARGEST` nodes along an axis, nor of more than `LONG`² and `PER_POINT` for each point: a map that needs
 * one is summed in another way, by which few points far apart take a thousandth of the time. Sizes come from a coarse ladder
 * of powers of 2 times 1, 1.25 and 1.5, so that a growing map seldom needs a new kernel.
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
/** Nodes of an axis: from LONG on, stray points are looked for; more than LARGEST are never taken (1,536² in all). */
const LONG = 256;
const LARGEST = 1536;
/** Nodes per point, of a grid that is large. */
const PER_POINT = 100;
/** Share of the points, on each side, beyond which a box may end early; and how many of them at most. */
const PERCENTILE = 0.01;
const OUTSIDE = 100;

/**
 * @param x, y - the points' coordinates, finite
 * @param usual - the spacing of maps that are not small
 * @param scratch - overwritten, as long as x
 * @returns undefined for a map that is too wide
 */
export function frameOf(
  x: Float64Array,
  y: Float64Array,
  usual: number,
  scratch: Float64Array,
): Frame | undefined {
  const first = rangeOf(x, usual, scratch);
  const second = rangeOf(y, usual, scratch);
  const mostInAll = Math.max(LONG * LONG, PER_POINT * x.length);
  for (let spacing = usual * FINEST; spacing <= usual; spacing *= 2) {
    const rows = axisOf(first, spacing);
    const columns = axisOf(second, spacing);
    const most = spacing < usual ? SMALL : LARGEST;
    if (rows.nodes <= most && columns.nodes <= most && rows.nodes * columns.nodes <= mostInAll)
      return {
        spacing,
        firstRow: rows.first,
        rows: rows.nodes,
        firstColumn: columns.first,
        columns: columns.nodes,
      };
  }
  return undefined;
}

interface Range {
  readonly low: number;
  readonly high: number;
}

/** What the box has to span along one axis. */
function rangeOf(x: Float64Array, usual: number, scratch: Float64Array): Range {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let n = 0; n < x.length; n++) {
    if (x[n] < low) low = x[n];
    if (x[n] > high) high = x[n];
  }
  const whole = { low, high };
  if (axisOf(whole, usual).nodes <= LONG) return whole;
  scratch.set(x);
  const sorted = scratch.sort();
  const share = Math.floor(PERCENTILE * x.length);
  const margin = 0.5 * (sorted[x.length - 1 - share] - sorted[share]);
  const trimmed = {
    low: Math.max(low, sorted[share] - margin),
    high: Math.min(high, sorted[x.length - 1 - share] + margin),
  };
  let outside = 0;
  while (outside <= OUTSIDE && sorted[outside] < trimmed.low) outside++;
  for (let n = x.length - 1; outside <= OUTSIDE && sorted[n] > trimmed.high; n--) outside++;
  return outside <= OUTSIDE ? trimmed : whole;
}

interface Axis {
  readonly first: number;
  readonly nodes: number;
}

function axisOf({ low, high }: Range, spacing: number): Axis {
  const first = Math.floor(low / spacing) - 1;
  return { first, nodes: ladder(Math.floor(high / spacing) - 1 - first + SUPPORT) };
}

/** The least 2^k, 1.25 · 2^k or 1.5 · 2^k that is at least as large, from 16 on; Infinity beyond the largest. */
function ladder(nodes: number): number {
  if (!(nodes <= LARGEST)) return Number.POSITIVE_INFINITY;
  let size = 16;
  while (2 * size < nodes) size *= 2;
  for (const factor of [1, 1.25, 1.5]) if (factor * size >= nodes) return factor * size;
  return 2 * size;
}
