/**
 * What a thread does, caller and workers alike: it claims blocks of rows until none is left, and computes them.
 *
 * All that threads share lies in one buffer:
 *
 * | integers | of the job                                                                           |
 * |----------|--------------------------------------------------------------------------------------|
 * | 0        | turn: number of the job, on whose change workers wait; negative when there is no more |
 * | 1        | left: 64 · (turn modulo 2^24) + the blocks that nobody has, which are the first ones     |
 * | 2        | done: blocks whose results stand in the buffer                                         |
 * | 3        | N                                                                                      |
 * | 4        | kernel: 0 Student's, 1 Gaussian; 2 more in single precision                            |
 * | 5        | 1 where forces are wanted                                                              |
 * | 6        | workers that have begun to work                                                        |
 * | 7 …      | first row of each block, and N                                                         |
 *
 * | numbers (after 64 integers)     |                             |
 * |---------------------------------|-----------------------------|
 * | 32                              | S of each block             |
 * | capacity, twice                 | x, y                        |
 * | 32 times twice the capacity     | px, py of each block        |
 *
 * A job is written while none is under way, and `left` last but one, `turn` last. The last block of those left is claimed
 * by exchanging `left` for one less, which fails for a thread that is late for its job. Whether there is one is told by
 * `left` alone: what is written of the next job meanwhile is not looked at before a block is claimed.
 *
 * The two functions are sent to the workers as text: they use nothing but what they are given.
 */
import type { Exports } from "../simd/instance.js";

export interface Shared {
  readonly buffer: SharedArrayBuffer;
  /** Where a thread's points and forces lie in its module's memory. */
  readonly address: number;
  /** Most points of a job. */
  readonly capacity: number;
  /** `powersOfTwo128` */
  readonly table: Float64Array;
}

/** Bytes that a thread takes from its address on. */
export const bytesFor = (capacity: number): number => 2048 + 32 * (capacity + 4);

/** Does its share of the job `turn`: blocks, until all are taken. Points and forces go through the module's memory. */
export function worker(
  exports: Exports,
  { buffer, address, capacity, table }: Shared,
): (turn: number) => void {
  const control = new Int32Array(buffer, 0, 64);
  const sums = new Float64Array(buffer, 256, 32);
  const own = (offset: number, length: number): Float64Array | Float32Array =>
    new (control[4] > 1 ? Float32Array : Float64Array)(exports.memory.buffer, address + offset, length);
  const common = (place: number, length: number): Float64Array =>
    new Float64Array(buffer, 512 + 8 * capacity * place, length);
  new Float64Array(exports.memory.buffer, address, 256).set(table);
  const room = 8 * (capacity + 4);
  const x = 2048;
  const y = x + room;
  const px = y + room;
  const py = px + room;

  const claimed = (turn: number): number => {
    for (;;) {
      const left = Atomics.load(control, 1);
      const block = (left & 63) - 1;
      if (left >>> 6 !== (turn & 0xffffff) || block < 0) return -1;
      if (Atomics.compareExchange(control, 1, left, left - 1) === left) return block;
    }
  };

  const compute = (block: number): void => {
    const from = control[7 + block];
    const to = control[8 + block];
    const a = address;
    const isGaussian = (control[4] & 1) === 1;
    if (control[4] < 2 && control[5] === 0) {
      sums[block] = exports.pairSum64(isGaussian, a + x, a + y, from, to, a);
      return;
    }
    own(px, to).fill(0);
    own(py, to).fill(0);
    const forces = control[4] < 2 ? exports.pairForces64 : exports.pairForces32;
    sums[block] = forces(isGaussian, a + x, a + y, from, to, a, a + px, a + py);
    if (control[5] === 0) return;
    common(2 + 2 * block, to).set(own(px, to));
    common(3 + 2 * block, to).set(own(py, to));
  };

  return (turn) => {
    let block = claimed(turn);
    if (block < 0) return;
    // the job cannot change any more before this block is done
    // behind the last point are zeros for lanes of single precision that have none
    own(x, control[3] + 3)
      .fill(0)
      .set(common(0, control[3]));
    own(y, control[3] + 3)
      .fill(0)
      .set(common(1, control[3]));
    for (; block >= 0; block = claimed(turn)) {
      compute(block);
      Atomics.add(control, 2, 1);
      Atomics.notify(control, 2);
    }
  };
}

/** A worker's life. */
export function serve(work: (turn: number) => void, { buffer }: Shared): void {
  const control = new Int32Array(buffer, 0, 64);
  let turn = 0;
  Atomics.add(control, 6, 1);
  for (;;) {
    Atomics.wait(control, 0, turn);
    turn = Atomics.load(control, 0);
    if (turn < 0) return;
    work(turn);
  }
}
