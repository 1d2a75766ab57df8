/** Where each point of a map lies in a frame: the first of its 4 × 4 nodes and its offsets, or outside. */
import { SUPPORT } from "./cubic-spline.js";
import type { Frame } from "./frame.js";

export class Placement {
  /** Place of the first node in the field, by rows; −1 for a point outside. */
  readonly node: Int32Array;
  /** Offset from the second of the four nodes along each axis, in spacings, 0 ≤ t < 1. */
  readonly rowOffset: Float64Array;
  readonly columnOffset: Float64Array;
  /** The points outside, the first `outsideCount` entries. */
  readonly outside: Int32Array;
  outsideCount = 0;

  constructor(points: number) {
    this.node = new Int32Array(points);
    this.rowOffset = new Float64Array(points);
    this.columnOffset = new Float64Array(points);
    this.outside = new Int32Array(points);
  }

  /** Takes the points' coordinates, finite. */
  place(x: Float64Array, y: Float64Array, { spacing, firstRow, firstColumn, rows, columns }: Frame): void {
    this.outsideCount = 0;
    for (let n = 0; n < x.length; n++) {
      const row = x[n] / spacing;
      const column = y[n] / spacing;
      const i = Math.floor(row) - 1 - firstRow;
      const j = Math.floor(column) - 1 - firstColumn;
      if (i >= 0 && j >= 0 && i <= rows - SUPPORT && j <= columns - SUPPORT) {
        this.node[n] = i * columns + j;
        this.rowOffset[n] = row - Math.floor(row);
        this.columnOffset[n] = column - Math.floor(column);
      } else {
        this.node[n] = -1;
        this.outside[this.outsideCount++] = n;
      }
    }
  }
}
