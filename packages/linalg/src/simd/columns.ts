/**
 * Tall columns in the memory of an instance of their own, which goes with them. What is multiplied with them is copied
 * there, one vector beside many columns. Where memory cannot grow any more, they go over to TypeScript.
 */
import type { Column, Precision, TakeColumns, TallColumns } from "../kernels/columns.js";
import { aligned } from "./arena.js";
import { type Exports, instantiated } from "./instance.js";
import { hasRoom } from "./memory.js";

/** Rows from which on an instance is worth it. */
const LEAST = 512;
/** Rows that `transform` takes at a time, to a multiple of which columns are padded with zeros. */
const ROWS = 16;
/** Columns that `project` takes at a time. */
const LANES = 8;

export const columnsOf =
  (module: WebAssembly.Module): TakeColumns =>
  (length, most, precision, inTypeScript) => {
    const exports = length < LEAST ? undefined : instantiated(module);
    return exports && new ColumnsInMemory(exports, length, most, precision, inTypeScript);
  };

class ColumnsInMemory implements TallColumns {
  count = 0;
  /** What took over when memory ended. */
  private instead: TallColumns | undefined;
  private readonly isDouble: boolean;
  /** Bytes from one column to the next. */
  private readonly stride: number;
  /** Addresses of a vector of P's length, of one of a number for each column, of Q, of a block of rows, and of P. */
  private readonly vector: number;
  private readonly numbers: number;
  private readonly Q: number;
  private readonly block: number;
  private readonly P: number;

  constructor(
    private readonly exports: Exports,
    private readonly length: number,
    most: number,
    precision: Precision,
    private readonly inTypeScript: () => TallColumns,
  ) {
    this.isDouble = precision === "float64";
    const padded = Math.ceil(length / ROWS) * ROWS + 8; // off the powers of two, at which columns would share a set of the cache
    this.stride = (this.isDouble ? 8 : 4) * padded;
    this.vector = aligned(exports.heapBase());
    this.numbers = this.vector + aligned(8 * padded);
    this.Q = this.numbers + aligned(8 * (most + LANES));
    this.block = this.Q + aligned(8 * most * most);
    this.P = this.block + aligned(8 * ROWS * most);
  }

  get bytes(): number {
    return this.instead?.bytes ?? this.count * this.length * (this.isDouble ? 8 : 4);
  }

  column(k: number): Column {
    if (this.instead !== undefined) return this.instead.column(k);
    const { buffer } = this.exports.memory;
    const at = this.P + k * this.stride;
    return this.isDouble
      ? new Float64Array(buffer, at, this.length)
      : new Float32Array(buffer, at, this.length);
  }

  widen(count: number): void {
    if (count <= this.count) return;
    const end = this.P + (Math.ceil(count / LANES) * LANES + 1) * this.stride;
    if (this.instead === undefined && !hasRoom(this.exports.memory, end)) this.leave();
    this.instead?.widen(count);
    this.count = count;
  }

  private leave(): void {
    const instead = this.inTypeScript();
    instead.widen(this.count);
    for (let k = 0; k < this.count; k++) instead.column(k).set(this.column(k));
    this.instead = instead;
  }

  project(K: number, v: Float64Array, out: Float64Array): void {
    if (this.instead !== undefined) {
      this.instead.project(K, v, out);
      return;
    }
    if (K === 0) return;
    const { exports, isDouble, P, stride, vector, numbers, length } = this;
    this.view(vector, length).set(v);
    const project = isDouble ? exports.dotColumns64 : exports.dotColumns32;
    project(P, stride, K, vector, length, numbers);
    out.set(this.view(numbers, K));
  }

  combine(K: number, c: Float64Array, sign: 1 | -1, x: Float64Array): void {
    if (this.instead !== undefined) {
      this.instead.combine(K, c, sign, x);
      return;
    }
    if (K === 0) return;
    const { exports, isDouble, P, stride, vector, numbers, length } = this;
    const factors = this.view(numbers, K);
    for (let k = 0; k < K; k++) factors[k] = sign * c[k];
    const sum = this.view(vector, length);
    sum.set(x);
    const combine = isDouble ? exports.addColumns64 : exports.addColumns32;
    combine(P, stride, K, numbers, vector, length);
    x.set(sum);
  }

  transform(K: number, Q: Float64Array, k: number): void {
    if (this.instead !== undefined) {
      this.instead.transform(K, Q, k);
      return;
    }
    const { exports, isDouble, P, stride, length, block } = this;
    const turned = this.view(this.Q, K * k);
    for (let l = 0; l < K; l++) for (let j = 0; j < k; j++) turned[j * K + l] = Q[l * k + j];
    const transform = isDouble ? exports.multiplyColumns64 : exports.multiplyColumns32;
    transform(P, stride, K, this.Q, k, length, block);
  }

  private view(address: number, length: number): Float64Array {
    return new Float64Array(this.exports.memory.buffer, address, length);
  }
}
