/** What draws many points onto a canvas. */
import type { Camera, Size } from "./camera.js";
import type { Looks } from "./coloring.js";

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
