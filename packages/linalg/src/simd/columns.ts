/**
 * Tall columns in the memory of an instance of their own, which goes with them. What is multiplied with them is copied
 * there, one vector beside many columns. There is room for all of them from the beginning; columns that were never in use
 * take none.
 */
import type { Column, Precision, TakeColumns, TallColumns } from "../kernels/columns.js";
import { aligned } from "./arena.js";
import { type Exports, instantiated } from "./instance.js";
import { START } from "./memory.js";

/** Rows from which on an instance is worth it. */
const LEAST = 512;
/** Rows that `transform` takes at a time, to a multiple of which columns are padded with zeros. */
const ROWS = 16;
/** Columns that `project` takes at a time. */
const LANES = 8;

export const columnsOf =
  (module: WebAssembly.Module): TakeColumns =>
  (length, most, precision) => {
    if (length < LEAST) return undefined;
    const places = new Places(length, most, precision);
    const exports = instantiated(module, places.bytes);
    return exports && new ColumnsInMemory(exports, places);
  };

/** Addresses of a vector of P's length, of one of a number for each column, of Q, of a block of rows, and of P. */
class Places {
  readonly isDouble: boolean;
  /** Bytes from one column to the next. */
  readonly stride: number;
  readonly vector = START;
  readonly numbers: number;
  readonly Q: number;
  readonly block: number;
  readonly P: number;
  readonly bytes: number;

  constructor(
    readonly length: number,
    most: number,
    precision: Precision,
  ) {
    this.isDouble = precision === "float64";
    const padded = Math.ceil(length / ROWS) * ROWS + 8; // off the powers of two, at which columns would share a set of the cache
    this.stride = (this.isDouble ? 8 : 4) * padded;
    this.numbers = this.vector + aligned(8 * padded);
    this.Q = this.numbers + aligned(8 * (most + LANES));
    this.block = this.Q + aligned(8 * most * most);
    this.P = this.block + aligned(8 * ROWS * most);
    this.bytes = this.P + (Math.ceil(most / LANES) * LANES + 1) * this.stride - START;
  }
}

class ColumnsInMemory implements TallColumns {
  count = 0;

  constructor(
    private readonly exports: Exports,
    private readonly places: Places,
  ) {}

  get bytes(): number {
    const { length, isDouble } = this.places;
    return this.count * length * (isDouble ? 8 : 4);
  }

  column(k: number): Column {
    const { buffer } = this.exports.memory;
    const { length, isDouble, P, stride } = this.places;
    const at = P + k * stride;
    return isDouble ? new Float64Array(buffer, at, length) : new Float32Array(buffer, at, length);
  }

  widen(count: number): void {
    this.count = Math.max(this.count, count);
  }

  project(K: number, v: Float64Array, out: Float64Array): void {
    if (K === 0) return;
    const { exports } = this;
    const { isDouble, P, stride, vector, numbers, length } = this.places;
    this.view(vector, length).set(v);
    const project = isDouble ? exports.dotColumns64 : exports.dotColumns32;
    project(P, stride, K, vector, length, numbers);
    out.set(this.view(numbers, K));
  }

  combine(K: number, c: Float64Array, sign: 1 | -1, x: Float64Array): void {
    if (K === 0) return;
    const { exports } = this;
    const { isDouble, P, stride, vector, numbers, length } = this.places;
    const factors = this.view(numbers, K);
    for (let k = 0; k < K; k++) factors[k] = sign * c[k];
    const sum = this.view(vector, length);
    sum.set(x);
    const combine = isDouble ? exports.addColumns64 : exports.addColumns32;
    combine(P, stride, K, numbers, vector, length);
    x.set(sum);
  }

  transform(K: number, Q: Float64Array, k: number): void {
    const { exports } = this;
    const { isDouble, P, stride, length, block, Q: place } = this.places;
    const turned = this.view(place, K * k);
    for (let l = 0; l < K; l++) for (let j = 0; j < k; j++) turned[j * K + l] = Q[l * k + j];
    const transform = isDouble ? exports.multiplyColumns64 : exports.multiplyColumns32;
    transform(P, stride, K, place, k, length, block);
  }

  private view(address: number, length: number): Float64Array {
    return new Float64Array(this.exports.memory.buffer, address, length);
  }
}
