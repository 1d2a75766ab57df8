/**
 * Where everything of a plot stands: map coordinates to pixels with one scale for both axes, sizes by the number of
 * points, the names of the classes in the midst of their points where there is room.
 */
import { type DenseMatrix, log } from "@curvature/linalg";
import { type Coloring, coloringOf } from "./coloring.js";
import type { MapPicture } from "./map.js";

/** What the points are coloured by. */
export function pictureColoring({ map, labels, color, background }: MapPicture): Coloring {
  return color === undefined
    ? coloringOf(map.rows, labels, { background })
    : coloringOf(map.rows, color.values, { background, isScale: true, unlabelled: "no value" });
}

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The plane in which the points are drawn, N × 2: the first two axes; a single axis with the points spread over a band. */
export function planeOf(map: DenseMatrix, coloring: Coloring): Float64Array {
  const { rows, columns, data } = map;
  const plane = new Float64Array(2 * rows);
  for (let n = 0; n < rows; n++) {
    plane[2 * n] = data[n * columns];
    if (columns > 1) plane[2 * n + 1] = data[n * columns + 1];
  }
  if (columns === 1) spreadOverBands(plane, coloring);
  return plane;
}

/** One dimension says nothing about height: every class gets a band, in which the points lie scattered. */
function spreadOverBands(plane: Float64Array, { classOf, classes, scale }: Coloring): void {
  const bands = scale === undefined ? classes.length : 1;
  const { low, high } = rangeOf(plane, 0);
  const height = (high - low || 1) * 0.6;
  for (let n = 0; n < classOf.length; n++) {
    const band = bands === 1 ? 0 : classOf[n];
    plane[2 * n + 1] = (-height * (band + 0.15 + 0.7 * scattered(n))) / bands;
  }
}

/**
 * The rows in an order that mixes them, so that no class lies on top because the file is sorted by class.
 *
 * @param background - so many of the first rows come before the others
 */
export function drawingOrder(rows: number, background = 0): Int32Array {
  const keys = Float64Array.from({ length: rows }, (_, n) => scattered(n) + Number(n >= background));
  return Int32Array.from(keys.keys()).sort((a, b) => keys[a] - keys[b]);
}

/** Evenly spread numbers in [0, 1): multiples of the golden ratio, as Knuth's multiplicative hash has them. */
export function scattered(n: number): number {
  return (Math.imul(n, 0x9e3779b1) >>> 0) / 2 ** 32;
}

interface Range {
  readonly low: number;
  readonly high: number;
}

function rangeOf(plane: Float64Array, axis: 0 | 1): Range {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let k = axis; k < plane.length; k += 2) {
    low = Math.min(low, plane[k]);
    high = Math.max(high, plane[k]);
  }
  return { low, high };
}

/**
 * A drawing area of about the same size whatever the shape of the map, and the pixels of the points in it.
 *
 * @param around - what the area holds, where that is more than the points
 */
export function fitPoints(
  plane: Float64Array,
  corner: { left: number; top: number },
  around = plane,
): { box: Box; pixels: Float64Array; toPixels: (plane: Float64Array) => Float64Array } {
  const x = rangeOf(around, 0);
  const y = rangeOf(around, 1);
  // Halves throughout: a whole span may overflow.
  const halfX = x.high / 2 - x.low / 2;
  const halfY = y.high / 2 - y.low / 2;
  const aspect = halfX > 0 && halfY > 0 ? Math.min(1.6, Math.max(0.7, halfX / halfY)) : 1;
  const width = Math.round(720 * Math.sqrt(aspect));
  const height = Math.round(720 / Math.sqrt(aspect));
  const scales = [halfX > 0 ? width / 2 / halfX : Infinity, halfY > 0 ? height / 2 / halfY : Infinity];
  const scale = Math.min(...scales);
  const unit = Number.isFinite(scale) ? scale : 0;
  const centerX = corner.left + width / 2;
  const centerY = corner.top + height / 2;
  const place = (value: number, { low, high }: Range): number => unit * (value - (low / 2 + high / 2));
  const toPixels = (places: Float64Array): Float64Array =>
    places.map((value, k) => (k % 2 === 0 ? centerX + place(value, x) : centerY - place(value, y)));
  return { box: { ...corner, width, height }, pixels: toPixels(plane), toPixels };
}

/** Radius of a point in pixels: it shrinks as they crowd, and stays visible. */
export function pointRadius(rows: number): number {
  return Math.min(5, Math.max(1.1, 125 / Math.sqrt(rows)));
}

/** Side of a picture that stands for a point, in pixels. */
export const imageSide = (rows: number): number =>
  Math.round(Math.min(64, Math.max(16, 400 / Math.sqrt(rows))));

export function pointOpacity(rows: number): number {
  return Math.min(0.9, Math.max(0.5, 1.1 - 0.11 * (log(Math.max(rows, 1)) / Math.LN10)));
}

export interface ClassName {
  readonly index: number;
  readonly x: number;
  readonly y: number;
}

/**
 * So many points are drawn as large as points are: each of them is to be seen. More of them are a crowd of small ones, where a name
 * in its midst covers what there is enough of.
 */
const mostSingle = 625;

/**
 * A name for each named class: of few points close to the middle of the class, on no point and no other name; of a crowd at that
 * point which is nearest to the median of the class, or beside it where the name would leave `area`. Larger classes first; a name
 * without a place is left out, the legend has it.
 *
 * @param widthOf - of a name, in pixels
 */
export function placeClassNames(
  pixels: Float64Array,
  { classes, classOf }: Coloring,
  { fontSize, area, widthOf }: { fontSize: number; area: Box; widthOf: (name: string) => number },
): ClassName[] {
  const placed: ClassName[] = [];
  const radius = pointRadius(classOf.length);
  const up = 0.55 * fontSize + 2;
  const half = (index: number): number => widthOf(classes[index].name) / 2;
  const isCrowd = classOf.length > mostSingle;
  const order = classes.map((_, k) => k).sort((a, b) => classes[b].count - classes[a].count);
  for (const index of order) {
    const { name, named, count } = classes[index];
    if (!named || count < 3 || name.length > 24) continue;
    const across = half(index);
    const isFree = ({ x, y }: Spot): boolean =>
      placed.every(
        (other) => Math.abs(other.y - y) >= 2 * up || Math.abs(other.x - x) >= across + half(other.index),
      );
    const row = midRow(pixels, classOf, index);
    const room = Math.max(0, area.width / 2 - across); // on both sides of the middle
    const middle = area.left + area.width / 2;
    const inside = ({ x, y }: Spot): Spot => ({
      x: Math.min(middle + room, Math.max(middle - room, x)),
      y,
    });
    const spots = isCrowd
      ? [inside({ x: pixels[2 * row], y: pixels[2 * row + 1] })]
      : spotsBeside(pixels, classOf, row, { across: across + radius + 5, up: up + radius + 3 }).map(inside);
    const isSeen = (spot: Spot): boolean =>
      isCrowd || (isWithin(spot, up, area) && hidesNothing(spot, pixels, across + radius, up + radius));
    const spot = spots.find((each) => isFree(each) && isSeen(each));
    if (spot !== undefined) placed.push({ index, ...spot });
  }
  return placed;
}

interface Spot {
  readonly x: number;
  readonly y: number;
}

/** Above, below, left and right of each point of the row's class, those closest to the row's point first. */
function spotsBeside(
  pixels: Float64Array,
  classOf: Int32Array,
  row: number,
  { across, up }: { readonly across: number; readonly up: number },
): Spot[] {
  const spots: Spot[] = [];
  for (let n = 0; n < classOf.length; n++) {
    if (classOf[n] !== classOf[row]) continue;
    const [x, y] = [pixels[2 * n], pixels[2 * n + 1]];
    for (const shift of [0, -0.5, 0.5, -1, 1])
      spots.push({ x: x + shift * across, y: y - up }, { x: x + shift * across, y: y + up });
    spots.push({ x: x - across, y }, { x: x + across, y });
  }
  const [middleX, middleY] = [pixels[2 * row], pixels[2 * row + 1]];
  const distances = new Map(spots.map((spot) => [spot, (spot.x - middleX) ** 2 + (spot.y - middleY) ** 2]));
  return spots.sort((a, b) => (distances.get(a) ?? 0) - (distances.get(b) ?? 0));
}

const isWithin = ({ y }: Spot, up: number, { top, height }: Box): boolean =>
  y - up >= top && y + up <= top + height;

function hidesNothing({ x, y }: Spot, pixels: Float64Array, across: number, up: number): boolean {
  for (let k = 0; k < pixels.length; k += 2)
    if (Math.abs(pixels[k] - x) < across && Math.abs(pixels[k + 1] - y) < up) return false;
  return true;
}

/** Of each named class that a name would say more of than a point, the row nearest to its middle. */
export function placeClassMiddles(pixels: Float64Array, { classes, classOf }: Coloring): Map<number, number> {
  const middles = new Map<number, number>();
  for (const [index, { name, named, count }] of classes.entries())
    if (named && count >= 2 && name.length <= 24) middles.set(midRow(pixels, classOf, index), index);
  return middles;
}

function midRow(pixels: Float64Array, classOf: Int32Array, index: number): number {
  const members: number[] = [];
  for (let n = 0; n < classOf.length; n++) if (classOf[n] === index) members.push(n);
  const median = (axis: 0 | 1): number =>
    Float64Array.from(members, (n) => pixels[2 * n + axis]).sort()[members.length >> 1];
  const x = median(0);
  const y = median(1);
  const distance = (n: number): number => (pixels[2 * n] - x) ** 2 + (pixels[2 * n + 1] - y) ** 2;
  return members.reduce((best, n) => (distance(n) < distance(best) ? n : best));
}
