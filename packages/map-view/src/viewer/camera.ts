/**
 * From map to screen: shift and zoom, and for three axes a turn before them, in perspective. Map coordinates are centred and the
 * largest extent is 1, so that zoom 1 fills the canvas.
 */
import { centred, firstView, projection } from "../perspective.js";
import type { Payload } from "./payload.js";

/** Where a camera stands. */
export interface View {
  readonly zoom: number;
  readonly shiftX: number;
  readonly shiftY: number;
  readonly yaw: number;
  readonly pitch: number;
}

export class Camera {
  /** Screen x, y of every row. */
  readonly screen: Float32Array;
  /** Distance of every row from the eye, beside that of the middle; all zero in the plane. */
  readonly depth: Float32Array;
  /** Of what is at every row, beside what is in the middle; 1 in the plane. */
  readonly size: Float32Array;
  /** Pixels on the screen that a unit of the map covers; of maps with two axes. */
  pixelsPerUnit = 1;
  private readonly mapUnit: number;
  private readonly room: number;
  private readonly firstZoom: number;
  private readonly points: Float64Array;
  private readonly axes: 2 | 3;
  private zoom = 1;
  private shiftX = 0;
  private shiftY = 0;
  yaw = 0;
  pitch = 0;
  private width = 1;
  private height = 1;
  private extentX = 1.2;
  private extentY = 1.2;

  constructor({ axes, points, images, regions }: Payload) {
    this.room = 24 + (images === undefined ? 0 : images.side / 2);
    this.firstZoom = regions === undefined ? 1 : 0.8; // they reach beyond the points
    const rows = points.length / axes;
    this.axes = axes;
    this.screen = new Float32Array(2 * rows);
    this.depth = new Float32Array(rows);
    this.size = new Float32Array(rows).fill(1);
    const inSpace = new Float64Array(3 * rows);
    for (let n = 0; n < rows; n++)
      for (let axis = 0; axis < axes; axis++) inSpace[3 * n + axis] = points[axes * n + axis];
    const { places, halves, unit } = centred(inSpace);
    this.points = places;
    this.mapUnit = unit;
    if (axes === 2) [this.extentX, this.extentY] = [2 * halves[0], 2 * halves[1]];
    this.reset();
  }

  reset(): void {
    this.zoom = this.firstZoom;
    this.shiftX = this.shiftY = 0;
    this.yaw = this.axes === 3 ? firstView.yaw : 0;
    this.pitch = this.axes === 3 ? firstView.pitch : 0;
  }

  get view(): View {
    const { zoom, shiftX, shiftY, yaw, pitch } = this;
    return { zoom, shiftX, shiftY, yaw, pitch };
  }

  look(view: View): void {
    Object.assign(this, view);
  }

  resize(width: number, height: number): void {
    this.width = width;
    this.height = height;
  }

  /** Keeps what is under (x, y) there. */
  zoomAt(factor: number, x: number, y: number): void {
    const zoom = Math.min(400, Math.max(0.2, this.zoom * factor));
    const change = zoom / this.zoom;
    this.shiftX = x - this.width / 2 - (x - this.width / 2 - this.shiftX) * change;
    this.shiftY = y - this.height / 2 - (y - this.height / 2 - this.shiftY) * change;
    this.zoom = zoom;
  }

  pan(dx: number, dy: number): void {
    this.shiftX += dx;
    this.shiftY += dy;
  }

  /** Brings a row to the middle. */
  centerOn(row: number): void {
    this.project();
    this.pan(this.width / 2 - this.screen[2 * row], this.height / 2 - this.screen[2 * row + 1]);
  }

  turn(dx: number, dy: number): void {
    this.yaw += dx * 0.01;
    this.pitch = Math.min(Math.PI / 2, Math.max(-Math.PI / 2, this.pitch + dy * 0.01));
  }

  /** Points grow with the square root of the zoom, so that a crowd comes apart. */
  get magnification(): number {
    return Math.min(4, Math.sqrt(this.zoom));
  }

  project(): void {
    const { points, screen, depth, size } = this;
    const { room } = this;
    const unit =
      this.zoom *
      Math.min((this.width - 2 * room) / (this.extentX || 1), (this.height - 2 * room) / (this.extentY || 1));
    this.pixelsPerUnit = unit * this.mapUnit;
    const centerX = this.width / 2 + this.shiftX;
    const centerY = this.height / 2 + this.shiftY;
    const seen = projection(this);
    for (let n = 0; n < depth.length; n++) {
      let [x, y] = [points[3 * n], points[3 * n + 1]];
      if (this.axes === 3) [x, y, depth[n], size[n]] = seen(x, y, points[3 * n + 2]);
      screen[2 * n] = centerX + unit * x;
      screen[2 * n + 1] = centerY - unit * y;
    }
  }
}
