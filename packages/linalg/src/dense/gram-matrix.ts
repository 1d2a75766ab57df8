/**
 * C = AᵀA, formed or as products with A, and coordinates A Uᵀ, by one thread or several: `gram-work.ts` has the units. Where
 * others fail this thread goes on alone, with arrays of its own that no late one can write to.
 */
import { allocated } from "../memory.js";
import {
  blockCount,
  FORM,
  type GramArrays,
  GramWork,
  type Job,
  MULTIPLY,
  type RowSource,
  SCORE,
  WIDTH,
} from "./gram-work.js";
import type { DenseMatrix } from "./matrix.js";
import type { Companions } from "./principal-threads.js";

/** Milliseconds without a unit done after which a thread is taken for dead, and those that a multiplication of a unit adds. */
const PATIENCE = 10_000;
const PATIENCE_PER_PRODUCT = 4e-6;

type MakeBuffer = (bytes: number) => ArrayBufferLike;

const ownBuffer: MakeBuffer = (bytes) => allocated(Math.ceil(bytes / 8), "principalComponents").buffer;

/** Of A, L × n, whether C is to be formed, and how many rows U has at the most. */
export interface GramShape extends Pick<GramArrays, "rows" | "columns"> {
  readonly isFormed: boolean;
  readonly count: number;
}

/** All zero. */
export function gramArrays(
  shape: GramShape & Pick<GramArrays, "strip">,
  buffer: MakeBuffer = ownBuffer,
): GramArrays {
  const { rows, columns: n, strip, isFormed, count } = shape;
  const numbers = (length: number): Float64Array => new Float64Array(buffer(8 * length));
  const vectors = isFormed ? 0 : WIDTH * n;
  return {
    ...{ rows, columns: n, strip },
    C: numbers(isFormed ? n * n : 0),
    V: numbers(vectors),
    sums: numbers(vectors * blockCount(rows)),
    U: numbers(count * n),
    Z: numbers(rows * count),
    job: new Int32Array(buffer(8)),
  };
}

const unshared = (array: Float64Array): Float64Array =>
  array.buffer instanceof ArrayBuffer ? array : array.slice();

export class GramMatrix {
  private work: GramWork;

  constructor(
    arrays: GramArrays,
    private readonly source: RowSource,
    private others?: Companions,
  ) {
    this.work = new GramWork(arrays, source);
  }

  /** C, n × n, in memory of this thread. */
  formed(): Float64Array {
    this.perform(FORM);
    const { C, columns: n } = this.work.arrays;
    const own = unshared(C);
    for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) own[j * n + i] = own[i * n + j];
    return own;
  }

  /** W ← V C for rows of length n, `WIDTH` of them at the most. */
  multiply(V: Float64Array, W: Float64Array): void {
    const { columns: n, rows } = this.work.arrays;
    this.work.arrays.V.set(V);
    this.perform(MULTIPLY, V.length / n);
    const { sums } = this.work.arrays;
    W.set(sums.subarray(0, W.length));
    for (let b = 1; b < blockCount(rows); b++)
      for (let k = 0, at = WIDTH * n * b; k < W.length; k++, at++) W[k] += sums[at];
  }

  /** A Uᵀ, L × k, for U of k rows, in memory of this thread; it may be the same with the next call. */
  scores(U: DenseMatrix): DenseMatrix {
    const { rows, U: given } = this.work.arrays;
    given.set(U.data.subarray(0, U.rows * U.columns));
    this.perform(SCORE, U.rows);
    return { rows, columns: U.rows, data: unshared(this.work.arrays.Z.subarray(0, rows * U.rows)) };
  }

  private perform(job: Job, width?: number): void {
    const { others } = this;
    if (others !== undefined) {
      const count = this.work.begin(job, width);
      if (others.perform(count, (unit) => this.work.do(unit), this.patienceFor(job))) return;
      this.goOnAlone();
    }
    const count = this.work.begin(job, width);
    for (let unit = 0; unit < count; unit++) this.work.do(unit);
  }

  private patienceFor(job: Job): number {
    const { rows, columns: n, strip, U } = this.work.arrays;
    const inBlock = Math.max(2 * WIDTH * n, U.length) * (rows / blockCount(rows));
    const products = job === FORM ? rows * n * strip : inBlock;
    return PATIENCE + PATIENCE_PER_PRODUCT * products;
  }

  private goOnAlone(): void {
    const { arrays } = this.work;
    const [isFormed, count] = [arrays.C.length > 0, arrays.U.length / arrays.columns];
    const own = gramArrays({ ...arrays, isFormed, count });
    own.V.set(arrays.V);
    own.U.set(arrays.U);
    this.others = undefined;
    this.work = new GramWork(own, this.source);
  }
}
