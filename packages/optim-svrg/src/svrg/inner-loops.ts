/**
 * The inner loop of SVRG, in forms that compute the same: dense, and lazy for terms that touch few coordinates (a
 * third, for the rows of an embedding, is `comparison-loop.ts`).
 *
 *   I = b indices drawn evenly with replacement
 *   u = g + (N/b) Σ_{q in I} (∇f_q(X) − ∇f_q(X̃))          all at the same X
 *   X ← X − h u,   h = b η
 */
import { CurvatureError, type RandomGenerator } from "@curvature/linalg";
import type { SparseSum, SumOfFunctions } from "@curvature/optim-core";

export interface InnerLoop {
  /** Makes `batches` iterations. After an evaluation that threw, X and the generator may be anything. */
  run(batches: number, X: Float64Array, at: Snapshotted, h: number, random: RandomGenerator): void;
}

/** X̃ and g = ∇F(X̃). */
export interface Snapshotted {
  readonly x: Float64Array;
  readonly gradient: Float64Array;
}

/**
 * A whole number of 0 … count − 1 by one word of the generator and a product: several times quicker than an exactly
 * even draw, and uneven by at most count/2³² of each probability.
 */
export function draw(random: RandomGenerator, count: number): number {
  return Math.floor(random.next() * (count / 4294967296));
}

/** The value of an evaluation that must be there at once. @throws CurvatureError ERR_ARGUMENT for a promise */
export function numberFrom(value: number | Promise<number>): number {
  if (typeof value === "number") return value;
  Promise.resolve(value).then(undefined, () => undefined); // its rejection, if any, has no other listener
  throw new CurvatureError(
    "ERR_ARGUMENT",
    `an evaluation of the sum returned no number. Terms must be evaluated at once, not by promises.`,
    { where: "Svrg", path: "evaluate", expected: "a number", received: value },
  );
}

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
      numberFrom(sum.evaluateBatch(indices, x, term));
      for (let i = 0; i < term.length; i++) correction[i] += sign * term[i];
      return;
    }
    for (let k = 0; k < indices.length; k++) {
      numberFrom(sum.evaluate(indices[k], x, term));
      for (let i = 0; i < term.length; i++) correction[i] += sign * term[i];
    }
  }
}

export function isSparse(sum: SumOfFunctions): sum is SparseSum {
  return typeof sum.evaluateSparse === "function";
}

/**
 * The inner loop for terms that touch few coordinates, at the cost of those alone. The dense part of an iteration,
 * x ← x − h g, is owed to a coordinate until somebody reads it:
 *
 *   before coordinate i is used at iteration t:   xᵢ −= (t − paidᵢ) h gᵢ,   paidᵢ = t
 *   the corrections of the batch are added to the touched coordinates alone
 *   at the end all debts are paid
 *
 * A term must touch the same coordinates at every point (zeros may be among the entries): which coordinates it will
 * read is asked at the snapshot, before the iterate can be made ready for it.
 */
export class SparseInnerLoop implements InnerLoop {
  private readonly paid: Int32Array;
  private readonly indices: Int32Array;
  /** What one term writes. */
  private readonly coordinates: Int32Array;
  private readonly entries: Float64Array;
  /** Σ of the batch's corrections, and which coordinates have one. */
  private readonly correction: Float64Array;
  private readonly touched: Int32Array;
  private readonly mark: Uint8Array;

  constructor(
    private readonly sum: SparseSum,
    batchSize: number,
  ) {
    const { dimension } = sum;
    this.paid = new Int32Array(dimension);
    this.indices = new Int32Array(batchSize);
    this.coordinates = new Int32Array(dimension);
    this.entries = new Float64Array(dimension);
    this.correction = new Float64Array(dimension);
    this.touched = new Int32Array(dimension);
    this.mark = new Uint8Array(dimension);
  }

  run(batches: number, X: Float64Array, at: Snapshotted, h: number, random: RandomGenerator): void {
    const { sum, paid, indices, correction, touched, mark } = this;
    const { gradient: g } = at;
    const factor = (h * sum.count) / indices.length;
    paid.fill(0);
    correction.fill(0);
    mark.fill(0);
    for (let t = 0; t < batches; t++) {
      for (let k = 0; k < indices.length; k++) indices[k] = draw(random, sum.count);
      let size = 0;
      for (let k = 0; k < indices.length; k++) size = this.addAtSnapshot(indices[k], at.x, size);
      for (let k = 0; k < size; k++) {
        const i = touched[k];
        X[i] -= (t - paid[i]) * h * g[i];
        paid[i] = t;
      }
      for (let k = 0; k < indices.length; k++) this.addAtIterate(indices[k], X);
      for (let k = 0; k < size; k++) {
        const i = touched[k];
        X[i] -= factor * correction[i];
        correction[i] = 0;
        mark[i] = 0;
      }
    }
    for (let i = 0; i < X.length; i++) X[i] -= (batches - paid[i]) * h * g[i];
  }

  private addAtSnapshot(index: number, x: Float64Array, before: number): number {
    const { sum, coordinates, entries, correction, touched, mark } = this;
    const count = sum.evaluateSparse(index, x, coordinates, entries).touched;
    let size = before;
    for (let k = 0; k < count; k++) {
      const i = coordinates[k];
      correction[i] -= entries[k];
      if (mark[i] === 1) continue;
      mark[i] = 1;
      touched[size++] = i;
    }
    return size;
  }

  private addAtIterate(index: number, X: Float64Array): void {
    const { sum, coordinates, entries, correction, mark } = this;
    const count = sum.evaluateSparse(index, X, coordinates, entries).touched;
    for (let k = 0; k < count; k++) {
      const i = coordinates[k];
      if (mark[i] === 0) throw changedCoordinates(index, i);
      correction[i] += entries[k];
    }
  }
}

function changedCoordinates(index: number, coordinate: number): CurvatureError {
  return new CurvatureError(
    "ERR_ARGUMENT",
    `evaluateSparse of term ${index} touched coordinate ${coordinate} at one point and not at another. A term must name the same coordinates everywhere, with zeros where its gradient has them; or leave evaluateSparse out.`,
    { where: "Svrg", path: "evaluateSparse" },
  );
}
