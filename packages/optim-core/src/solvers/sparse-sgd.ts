import type { SumOfFunctions } from "../problem.js";
import type { Iteration, Solver } from "../solver.js";
import { type SgdDetails, type SgdOptions, SgdState } from "./sgd-state.js";

/** Evaluations in a step, at least. */
const BLOCK = 8192;

/** A sum whose terms can say which few coordinates they touch. */
export type SparseSum = SumOfFunctions & Required<Pick<SumOfFunctions, "evaluateSparse">>;

/**
 * SGD on terms with sparse gradients, at the cost of the coordinates that they touch. A step is a block of some
 * thousand terms, and ends with the pass at the latest.
 */
export class SparseSgd extends SgdState implements Solver<SgdDetails> {
  private readonly sum: SparseSum;
  private readonly block: number;
  private readonly before: Float64Array;
  private readonly coordinates: Int32Array;
  private readonly entries: Float64Array;
  /** The batch's gradient, the coordinates where it is not 0, and marks of them. */
  private readonly gradient: Float64Array;
  private readonly touched: Int32Array;
  private readonly mark: Uint8Array;

  /**
   * @param x - the first point; copied
   * @throws CurvatureError ERR_OPTION, ERR_ARGUMENT, ERR_SHAPE, ERR_NON_FINITE
   */
  constructor(sum: SparseSum, x: Float64Array, options?: SgdOptions) {
    super("SparseSgd", sum, x, options);
    const { dimension } = sum;
    this.sum = sum;
    this.block = Math.max(BLOCK, dimension >> 3); // a step pays for the whole of x
    this.before = new Float64Array(dimension);
    this.coordinates = new Int32Array(dimension);
    this.entries = new Float64Array(dimension);
    this.gradient = new Float64Array(dimension);
    this.touched = new Int32Array(dimension);
    this.mark = new Uint8Array(dimension);
  }

  step(): Iteration<SgdDetails> {
    if (this.outcome !== undefined) return this.iteration();
    const { x, before, random } = this;
    const words = random.save();
    before.set(x);
    let terms = 0;
    try {
      terms = this.descend();
    } catch (error) {
      x.set(before);
      random.restore(words);
      this.size = 0;
      this.gradient.fill(0);
      this.mark.fill(0);
      throw error;
    }
    if (x.every(Number.isFinite)) this.count(terms);
    else {
      x.set(before);
      this.diverge();
    }
    return this.iteration();
  }

  /** A block of batches; returns the number of their terms. */
  private descend(): number {
    const { N, batch, evaluations, block, stepLength } = this;
    const most = Math.min(block, N - (evaluations % N));
    let terms = 0;
    while (terms < most) {
      this.drawBatch(terms);
      if (batch.length === 1) this.descendOne(batch[0], stepLength);
      else this.descendBatch(stepLength);
      terms += this.size;
    }
    return terms;
  }

  private descendOne(index: number, step: number): void {
    const { sum, x, coordinates, entries } = this;
    const count = sum.evaluateSparse(index, x, coordinates, entries).touched;
    for (let k = 0; k < count; k++) x[coordinates[k]] -= step * entries[k];
  }

  private descendBatch(step: number): void {
    const { sum, x, batch, size, coordinates, entries, gradient, touched, mark } = this;
    let length = 0;
    for (let q = 0; q < size; q++) {
      const count = sum.evaluateSparse(batch[q], x, coordinates, entries).touched;
      for (let k = 0; k < count; k++) {
        const i = coordinates[k];
        gradient[i] += entries[k];
        if (mark[i] === 1) continue;
        mark[i] = 1;
        touched[length++] = i;
      }
    }
    for (let k = 0; k < length; k++) {
      const i = touched[k];
      x[i] -= step * gradient[i];
      gradient[i] = 0;
      mark[i] = 0;
    }
  }
}
