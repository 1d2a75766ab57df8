/** Draws many points onto a canvas: by WebGL where there is one, else by the canvas itself. */
import { CanvasPainter } from "./canvas-painter.js";
import type { Painter } from "./painter-types.js";
import { WebglPainter } from "./webgl-painter.js";

/** @param onLost - called when the graphics memory is gone; make a new painter then */
export function createPainter(canvas: HTMLCanvasElement, onLost: () => void): Painter {
  return WebglPainter.create(canvas, onLost) ?? new CanvasPainter(canvas);
}
