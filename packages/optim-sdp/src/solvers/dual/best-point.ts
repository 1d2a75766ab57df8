/** The running best of the feasible points, factored; dense only for who asks. */
import type { Point, SnapshotReader, SnapshotValue } from "@curvature/optim-core";
import { type FactoredPoint, factoredDense } from "../../bounds/repair.js";

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
    const { factor, diagonal, constant, sweeps } = this.point;
    return {
      columns: factor.columns,
      factor: factor.data.slice(),
      diagonal: diagonal.slice(),
      ...{ constant, sweeps },
      value: this.value,
    };
  }

  /** Reads all fields, and gives back what takes them. @throws CurvatureError ERR_SNAPSHOT */
  read(state: SnapshotReader, n: number): () => void {
    const columns = state.integer("columns");
    const data = state.float64("factor", n * columns);
    const diagonal = state.float64("diagonal", n);
    const constant = state.number("constant");
    const sweeps = state.integer("sweeps");
    const value = state.number("value");
    return () => {
      const factor = { rows: n, columns, data: data.slice() };
      this.point = { factor, diagonal: diagonal.slice(), constant, sweeps };
      this.value = value;
      this.dense = undefined;
    };
  }
}
