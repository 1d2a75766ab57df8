/**
 * Losses of a network's outputs u against the targets of a minibatch, summed over rows:
 *
 * | loss                    | per row                               | ∂/∂u    | curvature          |
 * |-------------------------|---------------------------------------|---------|--------------------|
 * | squared error           | Σ (u − t)²                            | 2(u − t) | 2 I               |
 * | softmax cross-entropy   | log Σ e^u − u_label                   | p − e   | diag(p) − p pᵀ     |
 * | sigmoid cross-entropy   | Σ log(1 + e^u) − t u                  | s(u) − t | diag(s(u) s(−u))  |
 *
 * The cross-entropies take scores, before softmax or sigmoid; the second is −Σ t log s(u) + (1 − t) log(1 − s(u)).
 */
import type { DenseMatrix } from "@curvature/linalg";
import { sigmoid, softplus } from "../ordinal/softplus.js";
import { softmaxCurvature, softmaxLoss } from "../sums/softmax-loss.js";

export interface OutputLoss {
  /** The loss of all rows of minibatch `index`; `slopes`, where given, gets scale · ∂/∂u. */
  add(index: number, rows: number, u: Float64Array, scale: number, slopes: Float64Array | undefined): number;
  /** t ← scale · curvature · t */
  curve(index: number, rows: number, u: Float64Array, scale: number, tangent: Float64Array): void;
}

export class SquaredError implements OutputLoss {
  constructor(private readonly targets: readonly DenseMatrix[]) {}

  add(
    index: number,
    _rows: number,
    u: Float64Array,
    scale: number,
    slopes: Float64Array | undefined,
  ): number {
    const t = this.targets[index].data;
    let sum = 0;
    for (let e = 0; e < t.length; e++) {
      const off = u[e] - t[e];
      sum += off * off;
      if (slopes !== undefined) slopes[e] = 2 * scale * off;
    }
    return sum;
  }

  curve(index: number, _rows: number, _u: Float64Array, scale: number, tangent: Float64Array): void {
    const { length } = this.targets[index].data;
    for (let e = 0; e < length; e++) tangent[e] *= 2 * scale;
  }
}

export class SigmoidCrossEntropy implements OutputLoss {
  constructor(private readonly targets: readonly DenseMatrix[]) {}

  add(
    index: number,
    _rows: number,
    u: Float64Array,
    scale: number,
    slopes: Float64Array | undefined,
  ): number {
    const t = this.targets[index].data;
    let sum = 0;
    for (let e = 0; e < t.length; e++) {
      sum += softplus(u[e]) - t[e] * u[e];
      if (slopes !== undefined) slopes[e] = scale * (sigmoid(u[e]) - t[e]);
    }
    return sum;
  }

  curve(index: number, _rows: number, u: Float64Array, scale: number, tangent: Float64Array): void {
    const { length } = this.targets[index].data;
    for (let e = 0; e < length; e++) tangent[e] *= scale * sigmoid(u[e]) * sigmoid(-u[e]);
  }
}

export class SoftmaxCrossEntropy implements OutputLoss {
  constructor(
    private readonly labels: readonly Int32Array[],
    private readonly classes: number,
  ) {}

  add(index: number, rows: number, u: Float64Array, scale: number, slopes: Float64Array | undefined): number {
    const { classes: K } = this;
    const labels = this.labels[index];
    let sum = 0;
    for (let n = 0; n < rows; n++) sum += softmaxLoss(u, n * K, K, labels[n], scale, slopes);
    return sum;
  }

  curve(_index: number, rows: number, u: Float64Array, scale: number, tangent: Float64Array): void {
    const { classes: K } = this;
    for (let n = 0; n < rows; n++) softmaxCurvature(u, n * K, K, scale, tangent);
  }
}
