/** Draws the points of the plane, those of a stroke that is not over yet, and the cursor of the keys. */
import { type Camera, fitted, type Size, toScreen } from "../../plot/camera.js";
import { paintPoints } from "../../plot/canvas-painter.js";
import type { Looks } from "../../plot/coloring.js";
import { strokeCross } from "../../plot/cursor.js";

export interface BoardPicture {
  readonly size: Size;
  readonly density: number;
  readonly camera: Camera;
  /** x0, y0, x1, y1, … */
  readonly places: ArrayLike<number>;
  readonly looks: Looks;
  /** Of points that are being drawn. */
  readonly stroke: readonly (readonly [number, number])[];
  readonly cursor: readonly [number, number] | undefined;
  /** The place of the point that stands out. */
  readonly chosen: readonly [number, number] | undefined;
  readonly ink: string;
}

const radius = 3.6;

/** Half the side of the square that shows all points: of a few sizes, so that it stays while one draws. */
export function edgeOf(places: ArrayLike<number>): number {
  let farthest = 0;
  for (let k = 0; k < places.length; k++) farthest = Math.max(farthest, Math.abs(places[k]));
  let edge = 1.25;
  while (edge < farthest) edge *= 1.5;
  return edge;
}

export const cameraOf = (edge: number, size: Size): Camera =>
  fitted({ left: -edge, right: edge, bottom: -edge, top: edge }, size);

export function paintBoard(context: CanvasRenderingContext2D, picture: BoardPicture): void {
  const { size, density, camera, places, looks, stroke, cursor, chosen, ink } = picture;
  context.setTransform(density, 0, 0, density, 0, 0);
  context.clearRect(0, 0, size.width, size.height);
  paintPoints(context, places, looks, { camera, size, density, radius });
  context.fillStyle = ink;
  context.strokeStyle = ink;
  context.lineWidth = 1.5;
  for (const [x, y] of stroke) circle(context, toScreen(camera, size, x, y), radius, "fill");
  if (chosen !== undefined) circle(context, toScreen(camera, size, ...chosen), 2 * radius, "stroke");
  if (cursor !== undefined) strokeCross(context, toScreen(camera, size, ...cursor), 10);
}

function circle(
  context: CanvasRenderingContext2D,
  [x, y]: readonly [number, number],
  r: number,
  how: "fill" | "stroke",
): void {
  context.beginPath();
  context.arc(x, y, r, 0, 2 * Math.PI);
  context[how]();
}
