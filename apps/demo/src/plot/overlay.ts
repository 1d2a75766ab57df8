/** What is drawn above the points of a scatterplot: the lasso, and a ring around the point under the pointer. */
import { type Camera, type Size, toScreen } from "./camera.js";

type Place = readonly [number, number];

export interface Overlay {
  readonly size: Size;
  readonly color: string;
  /** Its corners, in CSS pixels. */
  readonly lasso: readonly Place[] | undefined;
  readonly ring: { readonly centre: Place; readonly radius: number } | undefined;
}

/** @param density - of the display, in pixels per CSS pixel */
export function drawOverlay(
  canvas: HTMLCanvasElement,
  density: number,
  { size, color, lasso, ring }: Overlay,
): void {
  canvas.width = Math.round(size.width * density);
  canvas.height = Math.round(size.height * density);
  const context = canvas.getContext("2d");
  if (context === null) return;
  context.scale(density, density);
  context.strokeStyle = color;
  if (lasso !== undefined && lasso.length >= 2) {
    context.beginPath();
    for (const [x, y] of lasso) context.lineTo(x, y);
    context.closePath();
    context.setLineDash([5, 4]);
    context.lineWidth = 1.5;
    context.stroke();
    context.setLineDash([]);
  }
  if (ring !== undefined) {
    context.beginPath();
    context.arc(...ring.centre, ring.radius, 0, 2 * Math.PI);
    context.lineWidth = 2;
    context.stroke();
  }
}

/** Points of the plane, as x and y in turns, on the screen. */
export function onScreen(plane: readonly number[], camera: Camera, size: Size): Place[] {
  const places: Place[] = [];
  for (let k = 0; k < plane.length; k += 2) places.push(toScreen(camera, size, plane[k], plane[k + 1]));
  return places;
}
