/** Draws many points onto a canvas: by WebGL where there is one, else by the canvas itself. */
import type { Camera, Size } from "./camera.js";
import { CanvasPainter } from "./canvas-painter.js";
import type { Looks } from "./coloring.js";
import { WebglPainter } from "./webgl-painter.js";

export interface Frame {
  readonly camera: Camera;
  /** In CSS pixels. */
  readonly size: Size;
  /** Device pixels per CSS pixel. */
  readonly density: number;
  /** Of a point, in CSS pixels. */
  readonly radius: number;
}

export interface Painter {
  /** x0, y0, x1, y1, … in the plane. */
  setPositions(positions: ArrayLike<number>): void;
  setLooks(looks: Looks): void;
  paint(frame: Frame): void;
  dispose(): void;
}

/** @param onLost - called when the graphics memory is gone; make a new painter then */
export function createPainter(canvas: HTMLCanvasElement, onLost: () => void): Painter {
  return WebglPainter.create(canvas, onLost) ?? new CanvasPainter(canvas);
}
