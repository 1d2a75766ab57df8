/** The running best of the feasible points, factored; dense only for who asks. */
import type { Point, SnapshotReader, SnapshotValue } from "@curvature/optim-core";
import { type FactoredPoint, factoredDense, readPoint, savedPoint } from "../../bounds/factored-point.js";

export class BestPoint {
  point: FactoredPoint;
  value: number;
  private dense: Float64Array | undefined;

  constructor(point: FactoredPoint, value: number) {
    this.point = point;
    this.value = value;
  }

  /** Takes a feasible point, which nobody changes afterwards, if its value is larger. */
  offer(point: FactoredPoint, value: number): void {
    if (!(value > this.value)) return;
    this.point = point;
    this.value = value;
    this.dense = undefined;
  }

  /** Q by rows, or the factor alone. */
  asPoint(whole: boolean): Point {
    const { value } = this;
    const x = whole ? () => this.whole() : () => this.point.factor.data;
    return {
      get x() {
        return x();
      },
      value,
    };
  }

  private whole(): Float64Array {
    if (this.dense === undefined) {
      this.dense = factoredDense(this.point).data;
      for (let k = 0; k < this.dense.length; k++) this.dense[k] = Math.max(0, this.dense[k]);
    }
    return this.dense;
  }

  save(): { readonly [key: string]: SnapshotValue } {
    const { point, value } = this;
    return { columns: point.factor.columns, ...savedPoint(point), value };
  }

  /** Reads all fields, and gives back what takes them. @throws CurvatureError ERR_SNAPSHOT */
  read(state: SnapshotReader, n: number): () => void {
    const point = readPoint(state, n, state.integer("columns"));
    const value = state.number("value");
    return () => {
      this.point = point;
      this.value = value;
      this.dense = undefined;
    };
  }
}
