/**
 * What part of the plane a plot shows: the point at its middle, and how many pixels a unit takes. y goes up.
 */
export interface Camera {
  readonly x: number;
  readonly y: number;
  /** CSS pixels per unit, above 0. */
  readonly scale: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Bounds {
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
  readonly top: number;
}

/** Of points x0, y0, x1, y1, …; points that are not finite do not count. Undefined if none is. */
export function boundsOf(positions: ArrayLike<number>): Bounds | undefined {
  let [left, right] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let [bottom, top] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let k = 0; k + 1 < positions.length; k += 2) {
    const x = positions[k];
    const y = positions[k + 1];
    if (!Number.isFinite(x) || !Number.isFinite(y)) continue;
    if (x < left) left = x;
    if (x > right) right = x;
    if (y < bottom) bottom = y;
    if (y > top) top = y;
  }
  return left <= right ? { left, right, bottom, top } : undefined;
}

/** Pixels of a point's radius: as large as leaves room between so many. */
export const pointRadius = (count: number, { width, height }: Size): number =>
  Math.min(4, Math.max(1.2, Math.sqrt((0.02 * width * height) / (count + 1))));

const margin = 14;

/** What a picture shows at the least: beside larger coordinates, their rounding would be seen. */
const leastExtent = (low: number, high: number): number =>
  Math.max(high - low, 2 ** -40 * Math.max(Math.abs(low), Math.abs(high)), 1e-30);

/** The camera that shows all within the bounds. */
export function fitted({ left, right, bottom, top }: Bounds, { width, height }: Size): Camera {
  const wide = Math.max(width - 2 * margin, 1) / leastExtent(left, right);
  const high = Math.max(height - 2 * margin, 1) / leastExtent(bottom, top);
  const scale = Math.min(wide, high);
  return { x: (left + right) / 2, y: (bottom + top) / 2, scale: Number.isFinite(scale) ? scale : 1 };
}

export function toScreen(
  camera: Camera,
  { width, height }: Size,
  x: number,
  y: number,
): readonly [number, number] {
  return [width / 2 + (x - camera.x) * camera.scale, height / 2 - (y - camera.y) * camera.scale];
}

export function toPlane(
  camera: Camera,
  { width, height }: Size,
  px: number,
  py: number,
): readonly [number, number] {
  return [camera.x + (px - width / 2) / camera.scale, camera.y - (py - height / 2) / camera.scale];
}

export function panned(camera: Camera, dx: number, dy: number): Camera {
  return { ...camera, x: camera.x - dx / camera.scale, y: camera.y + dy / camera.scale };
}

/** Zooms by a factor; what lies under the pixel (px, py) stays there. */
export function zoomed(camera: Camera, size: Size, factor: number, px: number, py: number): Camera {
  const scale = Math.min(1e30, Math.max(1e-30, camera.scale * factor));
  const [x, y] = toPlane(camera, size, px, py);
  const after = toPlane({ ...camera, scale }, size, px, py);
  return { x: camera.x + x - after[0], y: camera.y + y - after[1], scale };
}
