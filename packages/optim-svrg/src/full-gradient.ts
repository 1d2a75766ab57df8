/**
 * F and ∇F of a sum, a block of terms at a time, so that no step lasts long and the sum can be spread over many.
 */
import type { SumOfFunctions } from "@curvature/optim-core";
import { isSparse } from "./inner/sparse.js";
import { numberFrom } from "./number-from.js";

export class FullGradient {
  private readonly part: Float64Array;
  private readonly term: Float64Array;
  private readonly coordinates: Int32Array;
  private indices = new Int32Array(0);

  constructor(private readonly sum: SumOfFunctions) {
    const { dimension } = sum;
    const hasBatch = sum.evaluateBatch !== undefined;
    this.part = new Float64Array(dimension).fill(Number.NaN); // an entry that is not written shows
    this.term = new Float64Array(hasBatch ? 0 : dimension).fill(Number.NaN);
    this.coordinates = new Int32Array(hasBatch || !isSparse(sum) ? 0 : dimension);
  }

  /** Adds the gradients of the terms from `start` to `end` − 1 to `gradient`; returns the sum of their values. */
  add(start: number, end: number, x: Float64Array, gradient: Float64Array): number {
    const { part } = this;
    const value = this.evaluate(start, end, x); // may throw, and nothing has been added yet
    for (let i = 0; i < part.length; i++) gradient[i] += part[i];
    return value;
  }

  private evaluate(start: number, end: number, x: Float64Array): number {
    const { sum, part, term, coordinates } = this;
    if (sum.evaluateBatch !== undefined) {
      if (this.indices.length !== end - start) this.indices = new Int32Array(end - start);
      const { indices } = this;
      for (let k = 0; k < indices.length; k++) indices[k] = start + k;
      return numberFrom("Svrg", sum.evaluateBatch(indices, x, part));
    }
    part.fill(0);
    let value = 0;
    for (let index = start; index < end; index++) {
      if (isSparse(sum)) {
        const evaluation = sum.evaluateSparse(index, x, coordinates, term);
        value += evaluation.value;
        for (let k = 0; k < evaluation.touched; k++) part[coordinates[k]] += term[k];
      } else {
        value += numberFrom("Svrg", sum.evaluate(index, x, term));
        for (let i = 0; i < part.length; i++) part[i] += term[i];
      }
    }
    return value;
  }
}
