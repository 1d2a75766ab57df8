/**
 * Tall columns in the memory of an instance of their own, which goes with them. What is multiplied with them is copied
 * there: one vector before the columns, and Q behind them for as long as it is needed. Columns that were never in use take
 * no room.
 */
import type { Column, ColumnsForm, Precision, TakeColumns } from "../kernels/columns.js";
import { Addresses, aligned, type Exports, instantiated, MAX_BYTES, START } from "./instance.js";

/** Rows from which on an instance is worth it. */
const MIN_SIZE = 512;
/** Rows that `transform` takes at a time, to a multiple of which columns are padded with zeros. */
const ROWS = 16;
/** Columns that `project` takes at a time. */
const LANES = 2;

export const columnsOf =
  (module: WebAssembly.Module): TakeColumns =>
  (length, most, precision) => {
    if (length < MIN_SIZE) return undefined;
    const layout = layoutFor(length, most, precision);
    const exports = instantiated(module, Math.min(MAX_BYTES, layout.end(most) + 8 * most * most - START));
    return exports && new ColumnsInMemory(exports, layout);
  };

/** Addresses of a vector of P's length, of one of a number for each column, of a block of rows, and of P. */
function layoutFor(length: number, most: number, precision: Precision) {
  const isDouble = precision === "float64";
  const padded = Math.ceil(length / ROWS) * ROWS + 8; // off the powers of two, at which columns would share a set of the cache
  /** Bytes from one column to the next. */
  const stride = (isDouble ? 8 : 4) * padded;
  const addresses = new Addresses();
  const vector = addresses.take(8 * padded);
  const numbers = addresses.take(8 * (most + LANES));
  const block = addresses.take(8 * ROWS * most);
  const P = addresses.take(0);
  return {
    ...{ length, isDouble, stride, vector, numbers, block, P },
    /** Where so many columns end: whole groups are read, and a vector beyond the last one. */
    end: (count: number): number => aligned(P + (Math.ceil(count / LANES) * LANES + 1) * stride),
  };
}

type Layout = Readonly<ReturnType<typeof layoutFor>>;

class ColumnsInMemory implements ColumnsForm {
  count = 0;

  constructor(
    private readonly exports: Exports,
    private readonly layout: Layout,
  ) {}

  get bytes(): number {
    const { length, isDouble } = this.layout;
    return this.count * length * (isDouble ? 8 : 4);
  }

  column(k: number): Column {
    const { buffer } = this.exports.memory;
    const { length, isDouble, P, stride } = this.layout;
    const at = P + k * stride;
    return isDouble ? new Float64Array(buffer, at, length) : new Float32Array(buffer, at, length);
  }

  widen(count: number): boolean {
    const { buffer } = this.exports.memory;
    const { P, stride } = this.layout;
    if (this.layout.end(count) > buffer.byteLength) return false;
    new Uint8Array(buffer, P + this.count * stride, (count - this.count) * stride).fill(0); // Q may have been there
    this.count = count;
    return true;
  }

  project(K: number, v: Float64Array, out: Float64Array): void {
    const { exports } = this;
    const { isDouble, P, stride, vector, numbers, length } = this.layout;
    this.view(vector, length).set(v);
    const project = isDouble ? exports.dotColumns64 : exports.dotColumns32;
    project(P, stride, K, vector, length, numbers);
    out.set(this.view(numbers, K));
  }

  combine(K: number, c: Float64Array, sign: 1 | -1, x: Float64Array): void {
    const { exports } = this;
    const { isDouble, P, stride, vector, numbers, length } = this.layout;
    const factors = this.view(numbers, K);
    for (let k = 0; k < K; k++) factors[k] = sign * c[k];
    const sum = this.view(vector, length);
    sum.set(x);
    const combine = isDouble ? exports.addColumns64 : exports.addColumns32;
    combine(P, stride, K, numbers, vector, length);
    x.set(sum);
  }

  transform(K: number, Q: Float64Array, k: number): boolean {
    const { exports } = this;
    const { isDouble, P, stride, length, block } = this.layout;
    const at = this.layout.end(this.count);
    if (at + 8 * K * k > exports.memory.buffer.byteLength) return false;
    const turned = this.view(at, K * k);
    for (let l = 0; l < K; l++) for (let j = 0; j < k; j++) turned[j * K + l] = Q[l * k + j];
    const transform = isDouble ? exports.multiplyColumns64 : exports.multiplyColumns32;
    transform(P, stride, K, at, k, length, block);
    return true;
  }

  private view(address: number, length: number): Float64Array {
    return new Float64Array(this.exports.memory.buffer, address, length);
  }
}
