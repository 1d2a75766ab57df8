/** Where the points of a plane may be: an ellipse around each. */
import { degreesOf } from "./arctangent.js";
import type { Regions } from "./map.js";
import { short } from "./svg.js";

/** So many times as wide as the map, an ellipse looks like any wider one. */
const widest = 1e6;

/** The same picture in numbers that have room for sums and squares. */
export function inBounds(
  plane: Float64Array,
  regions: Regions,
): { readonly plane: Float64Array; readonly regions: Regions } {
  const half = rangesOf(plane).map(({ low, high }) => high / 2 - low / 2);
  const most = 2 * widest * Math.max(...half) || Number.MAX_VALUE;
  const axisOf = (value: number, k: number): number => (k % 4 < 2 && value > most ? most : value);
  const isDrawn = (k: number): boolean =>
    Number.isFinite(regions.ellipses[k - (k % 4)]) && Number.isFinite(regions.ellipses[k - (k % 4) + 1]);
  const ellipses = regions.ellipses.map((value, k) => (isDrawn(k) ? axisOf(value, k) : value));
  const isLarge = (values: Float64Array): boolean => values.some((value) => Math.abs(value) > 1e150);
  if (!isLarge(plane) && !isLarge(ellipses)) return { plane, regions: { ...regions, ellipses } };
  return {
    plane: plane.map((value) => value * 1e-160),
    regions: { ...regions, ellipses: ellipses.map((value, k) => (k % 4 < 2 ? value * 1e-160 : value)) },
  };
}

function rangesOf(plane: Float64Array): { readonly low: number; readonly high: number }[] {
  return [0, 1].map((axis) => {
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let k = axis; k < plane.length; k += 2)
      [low, high] = [Math.min(low, plane[k]), Math.max(high, plane[k])];
    return { low, high };
  });
}

/** Of each row the four ends of the axes in the plane, N × 8; all in the middle where there is no ellipse. */
export function endsOf(plane: Float64Array, { ellipses }: Regions): Float64Array {
  const ends = new Float64Array(4 * plane.length);
  for (let n = 0; n < plane.length / 2; n++) {
    const [major, minor, dx, dy] = ellipses.subarray(4 * n, 4 * n + 4);
    const isDrawn = Number.isFinite(major) && Number.isFinite(minor);
    const [a, b] = isDrawn ? [major, minor] : [0, 0];
    const [x, y] = [plane[2 * n], plane[2 * n + 1]];
    ends.set([x + a * dx, y + a * dy, x - a * dx, y - a * dy], 8 * n);
    ends.set([x - b * dy, y + b * dx, x + b * dy, y - b * dx], 8 * n + 4);
  }
  return ends;
}

/**
 * What a picture of the ellipses holds: the left, top, right and bottom of each, N × 4 as x and y in turn. What reaches beyond the
 * points by more than their own spread is cut there: a wide region is no reason for a tiny map.
 */
export function extentOf(
  plane: Float64Array,
  { ellipses }: Regions,
): { readonly corners: Float64Array; readonly cut: number } {
  const range = rangesOf(plane);
  // Points in one place have no spread to compare with.
  const spread = Math.max(...range.map(({ low, high }) => high - low)) || Number.POSITIVE_INFINITY;
  const corners = new Float64Array(2 * plane.length);
  let cut = 0;
  for (let n = 0; n < plane.length / 2; n++) {
    const [major, minor, dx, dy] = ellipses.subarray(4 * n, 4 * n + 4);
    const isDrawn = Number.isFinite(major) && Number.isFinite(minor);
    let isCut = false;
    for (const axis of [0, 1]) {
      const { low, high } = range[axis];
      const [along, across] = axis === 0 ? [dx, dy] : [dy, dx];
      const half = isDrawn ? lengthOf(major * along, minor * across) : 0;
      const place = plane[2 * n + axis];
      const [from, to] = [Math.max(place - half, low - spread), Math.min(place + half, high + spread)];
      isCut ||= from > place - half || to < place + half;
      corners[4 * n + axis] = from;
      corners[4 * n + 2 + axis] = to;
    }
    cut += Number(isCut);
  }
  return { corners, cut };
}

/** @param pixels - the ends in the picture, N × 8 @param colorOf - of a row */
export function regionMarks(
  pixels: Float64Array,
  { isMeaningless }: Regions,
  colorOf: (row: number) => string,
): string {
  const marks: string[] = [];
  for (let n = 0; n < pixels.length / 8; n++) {
    const [ax, ay, bx, by, cx, cy, dx, dy] = pixels.subarray(8 * n, 8 * n + 8);
    const [rx, ry] = [lengthOf(ax - bx, ay - by) / 2, lengthOf(cx - dx, cy - dy) / 2];
    if (!(rx > 0)) continue;
    const [x, y] = [short((ax + bx) / 2), short((ay + by) / 2)];
    const turn = short(degreesOf(ax - bx, ay - by));
    const look = isMeaningless
      ? `fill="none" stroke="#9aa1ab" stroke-dasharray="4 4"`
      : `fill="${colorOf(n)}" fill-opacity="0.07" stroke="${colorOf(n)}" stroke-opacity="0.55"`;
    marks.push(
      `<ellipse cx="${x}" cy="${y}" rx="${short(rx)}" ry="${short(ry)}" transform="rotate(${turn} ${x} ${y})" ${look}/>`,
    );
  }
  return marks.join("\n");
}

/** √(x² + y²) without overflow. */
function lengthOf(x: number, y: number): number {
  const larger = Math.max(Math.abs(x), Math.abs(y));
  return larger > 0 ? larger * Math.sqrt((x / larger) ** 2 + (y / larger) ** 2) : 0;
}
