/** Which points are meant: the one under the pointer, those within a lasso. */
import { type Camera, type Size, toPlane } from "./camera.js";

/** The index of the nearest point within `reach` pixels of (px, py), or −1. */
export function pointAt(
  positions: ArrayLike<number>,
  camera: Camera,
  size: Size,
  [px, py]: readonly [number, number],
  reach: number,
): number {
  const [x, y] = toPlane(camera, size, px, py);
  let least = (reach / camera.scale) ** 2;
  let nearest = -1;
  for (let k = 0; k + 1 < positions.length; k += 2) {
    const distance2 = (positions[k] - x) ** 2 + (positions[k + 1] - y) ** 2;
    if (distance2 <= least) {
      least = distance2;
      nearest = k / 2;
    }
  }
  return nearest;
}

/** The points within a closed line x0, y0, x1, y1, … of the plane (even-odd rule). */
export function pointsWithin(positions: ArrayLike<number>, line: readonly number[]): Int32Array {
  const inside: number[] = [];
  for (let k = 0; k + 1 < positions.length; k += 2) {
    if (isWithin(positions[k], positions[k + 1], line)) inside.push(k / 2);
  }
  return Int32Array.from(inside);
}

function isWithin(x: number, y: number, line: readonly number[]): boolean {
  let isInside = false;
  let [ax, ay] = [line[line.length - 2], line[line.length - 1]];
  for (let k = 0; k < line.length; k += 2) {
    const [bx, by] = [line[k], line[k + 1]];
    if (by > y !== ay > y && x < ((ax - bx) * (y - by)) / (ay - by) + bx) isInside = !isInside;
    [ax, ay] = [bx, by];
  }
  return isInside;
}
