/**
 * From map to screen: shift and zoom, and for three axes a turn before them. Map coordinates are centred and the
 * largest extent is 1, so that zoom 1 fills the canvas.
 */
import type { Payload } from "./payload.js";

export class Camera {
  /** Screen x, y of every row. */
  readonly screen: Float32Array;
  /** Nearness of every row to the eye; all zero in the plane. */
  readonly depth: Float32Array;
  private readonly points: Float64Array;
  private zoom = 1;
  private shiftX = 0;
  private shiftY = 0;
  private yaw = 0;
  private pitch = 0;
  private width = 1;
  private height = 1;
  private extentX = 1;
  private extentY = 1;

  constructor(private readonly payload: Payload) {
    const { axes, points } = payload;
    const rows = points.length / axes;
    this.screen = new Float32Array(2 * rows);
    this.depth = new Float32Array(rows);
    this.points = Float64Array.from(points);
    const spans: number[] = [];
    for (let axis = 0; axis < axes; axis++) {
      let low = Number.POSITIVE_INFINITY;
      let high = Number.NEGATIVE_INFINITY;
      for (let k = axis; k < points.length; k += axes) {
        low = Math.min(low, points[k]);
        high = Math.max(high, points[k]);
      }
      for (let k = axis; k < points.length; k += axes) this.points[k] -= (low + high) / 2;
      spans.push(high - low);
    }
    const largest = Math.max(...spans) || 1;
    for (let k = 0; k < this.points.length; k++) this.points[k] /= largest;
    if (axes === 2) {
      this.extentX = spans[0] / largest;
      this.extentY = spans[1] / largest;
    } else {
      this.extentX = this.extentY = 1.2;
      this.reset();
    }
  }

  reset(): void {
    this.zoom = 1;
    this.shiftX = this.shiftY = 0;
    this.yaw = this.payload.axes === 3 ? 0.6 : 0;
    this.pitch = this.payload.axes === 3 ? 0.35 : 0;
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

  turn(dx: number, dy: number): void {
    this.yaw += dx * 0.01;
    this.pitch = Math.min(Math.PI / 2, Math.max(-Math.PI / 2, this.pitch + dy * 0.01));
  }

  /** Points grow with the square root of the zoom, so that a crowd comes apart. */
  get magnification(): number {
    return Math.min(4, Math.sqrt(this.zoom));
  }

  project(): void {
    const { points, screen, depth, zoom } = this;
    const axes = this.payload.axes;
    const room = 24;
    const unit =
      zoom *
      Math.min((this.width - 2 * room) / (this.extentX || 1), (this.height - 2 * room) / (this.extentY || 1));
    const centerX = this.width / 2 + this.shiftX;
    const centerY = this.height / 2 + this.shiftY;
    const [cy, sy, cp, sp] = [
      Math.cos(this.yaw),
      Math.sin(this.yaw),
      Math.cos(this.pitch),
      Math.sin(this.pitch),
    ];
    for (let n = 0, k = 0; n < depth.length; n++, k += axes) {
      let x = points[k];
      let y = points[k + 1];
      if (axes === 3) {
        const turned = cy * points[k] + sy * points[k + 2];
        const away = cy * points[k + 2] - sy * points[k];
        x = turned;
        y = cp * points[k + 1] - sp * away;
        depth[n] = sp * points[k + 1] + cp * away;
      }
      screen[2 * n] = centerX + unit * x;
      screen[2 * n + 1] = centerY - unit * y;
    }
  }
}
