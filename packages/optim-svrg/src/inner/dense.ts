import type { RandomGenerator } from "@curvature/linalg";
import type { SumOfFunctions } from "@curvature/optim-core";
import { draw } from "../draw.js";
import { numberFrom } from "../number-from.js";
import type { InnerLoop, Snapshotted } from "./inner-loop.js";

/** The inner loop as it is written, for terms with dense gradients: every iteration changes every coordinate. */
export class DenseInnerLoop implements InnerLoop {
  private readonly indices: Int32Array;
  private readonly correction: Float64Array;
  private readonly term: Float64Array;

  constructor(
    private readonly sum: SumOfFunctions,
    batchSize: number,
  ) {
    this.indices = new Int32Array(batchSize);
    this.correction = new Float64Array(sum.dimension);
    this.term = new Float64Array(sum.dimension);
  }

  run(batches: number, X: Float64Array, at: Snapshotted, h: number, random: RandomGenerator): void {
    const { sum, indices, correction } = this;
    const { gradient: g } = at;
    const factor = sum.count / indices.length;
    for (let t = 0; t < batches; t++) {
      for (let k = 0; k < indices.length; k++) indices[k] = draw(random, sum.count);
      correction.fill(0);
      this.add(1, X);
      this.add(-1, at.x);
      for (let i = 0; i < X.length; i++) X[i] -= h * (g[i] + factor * correction[i]);
    }
  }

  /** Adds `sign` times the gradients of the batch at x to the correction. */
  private add(sign: number, x: Float64Array): void {
    const { sum, indices, correction, term } = this;
    if (sum.evaluateBatch !== undefined) {
      numberFrom("Svrg", sum.evaluateBatch(indices, x, term));
      for (let i = 0; i < term.length; i++) correction[i] += sign * term[i];
      return;
    }
    for (let k = 0; k < indices.length; k++) {
      numberFrom("Svrg", sum.evaluate(indices[k], x, term));
      for (let i = 0; i < term.length; i++) correction[i] += sign * term[i];
    }
  }
}
