/** Where the points of a plane may be: an ellipse around each. */
import { short } from "./svg.js";

export interface Regions {
  /** Whether they mean anything: of a map that knows nothing they do not, and are drawn in grey. */
  readonly isMeaningless: boolean;
  /** Of each row half of the longer axis, half of the shorter one, and the direction of the longer; NaN: none. N × 4. */
  readonly ellipses: Float64Array;
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
  const range = [0, 1].map((axis) => {
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let k = axis; k < plane.length; k += 2)
      [low, high] = [Math.min(low, plane[k]), Math.max(high, plane[k])];
    return { low, high };
  });
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
      const half = isDrawn ? Math.hypot(major * along, minor * across) : 0;
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
    const [rx, ry] = [Math.hypot(ax - bx, ay - by) / 2, Math.hypot(cx - dx, cy - dy) / 2];
    if (!(rx > 0)) continue;
    const [x, y] = [short((ax + bx) / 2), short((ay + by) / 2)];
    const turn = short((Math.atan2(ay - by, ax - bx) * 180) / Math.PI);
    const look = isMeaningless
      ? `fill="none" stroke="#9aa1ab" stroke-dasharray="4 4"`
      : `fill="${colorOf(n)}" fill-opacity="0.07" stroke="${colorOf(n)}" stroke-opacity="0.55"`;
    marks.push(
      `<ellipse cx="${x}" cy="${y}" rx="${short(rx)}" ry="${short(ry)}" transform="rotate(${turn} ${x} ${y})" ${look}/>`,
    );
  }
  return marks.join("\n");
}
