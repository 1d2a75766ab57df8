/**
 * Worker threads that share the blocks of an all-pairs sum with the thread that asks for it. That one works along, and
 * waits for the others' last blocks; results are added up in the order of blocks, so that their bits do not depend on the
 * number of threads.
 */
import { blockCount, blockStart, type Coordinates, type PairKernel } from "../kernels/pairs.js";
import type { PairThreads } from "../kernels/pairs-threads.js";
import { powersOfTwo128 } from "../portable/exp.js";
import { compiled, type Exports, instantiated, pagesFor, refusal, START } from "../simd/instance.js";
import type { Host } from "./host.js";
import { bytesFor, type Shared, serve, worker } from "./work.js";

/** Integers of the shared buffer, see `work.ts`. */
const TURN = 0;
const LEFT = 1;
const DONE = 2;
const POINTS = 3;
const KERNEL = 4;
const FORCES = 5;
const READY = 6;
const STARTS = 7;

/** Points from which on threads are of use: beneath, waking them takes longer than they save. */
export const MIN_POINTS = 800;
/** Looks at the others' progress before the thread goes to sleep for it; some 20 µs. */
const LOOKS = 2_000;
/** Milliseconds without a block done after which a thread is taken for dead, and those that each pair of a block adds. */
const PATIENCE = 10_000;
const PATIENCE_PER_PAIR = 1e-4;

/** What a worker runs; made here, so that no bundler has to know of another file. */
const text = `
const memory = new WebAssembly.Memory({ initial: data.pages });
const { exports } = new WebAssembly.Instance(data.module, { env: { memory } });
(${serve.toString()})((${worker.toString()})(exports, data.shared), data.shared);
`;
const program = { script: "linalg", name: "pairs", text } as const;

export interface PairsTask {
  readonly module: WebAssembly.Module;
  readonly pages: number | undefined;
  readonly shared: Shared;
}

export class Pool implements PairThreads {
  private readonly control: Int32Array;
  private readonly sums: Float64Array;
  private readonly work: (turn: number) => void;
  private turn = 0;
  private reason: string | undefined;
  private running = 0;

  private constructor(
    private readonly shared: Shared,
    exports: Exports,
  ) {
    this.control = new Int32Array(shared.buffer, 0, 64);
    this.sums = new Float64Array(shared.buffer, 256, 32);
    this.work = worker(exports, shared);
  }

  /**
   * The workers begin one after the other; the pool can be used at once.
   *
   * @param workers - beside the caller's thread
   * @param capacity - most points of a sum
   * @returns the pool, or why there is none
   */
  static start(host: Host, workers: number, capacity: number): Pool | string {
    const module = compiled();
    if (module === undefined) return refusal() ?? "this engine has no WebAssembly with SIMD";
    const exports = instantiated(module, bytesFor(capacity));
    if (exports === undefined) return "there is no memory for it";
    let pool: Pool | undefined;
    try {
      const buffer = new SharedArrayBuffer(512 + 8 * capacity * (2 + 2 * 32));
      pool = new Pool({ buffer, address: START, capacity, table: powersOfTwo128 }, exports);
      for (let w = 0; w < workers; w++) pool.add(host, module);
      return pool;
    } catch (error) {
      pool?.close();
      return `there is no memory for it, or no thread: ${error instanceof Error ? error.message : String(error)}`;
    }
  }

  private add(host: Host, module: WebAssembly.Module): void {
    let ended = 0; // an engine may report it twice
    const { shared } = this;
    const task: PairsTask = { module, pages: pagesFor(bytesFor(shared.capacity)), shared };
    host.start(program, task, (reason) => {
      if (ended++ === 0) this.running -= 1;
      this.reason ??= `a thread ended: ${reason}`;
    });
    this.running += 1;
  }

  /** Threads, the caller's included; none that failed. */
  get started(): number {
    return 1 + this.running;
  }

  /** Why it does not work, or not as it should; undefined as long as all is well. */
  get failure(): string | undefined {
    return this.reason;
  }

  /** Workers that have begun. */
  get ready(): number {
    return Atomics.load(this.control, READY);
  }

  /** Whether sums over so many points are to be had here. */
  serves(points: number): boolean {
    return points >= MIN_POINTS && points <= this.shared.capacity && this.turn >= 0;
  }

  /** S, and with fx and fy the forces; undefined where a thread is dead, after which the pool serves nothing more. */
  compute(
    kernel: PairKernel,
    x: Coordinates,
    y: Coordinates,
    fx?: Float64Array,
    fy?: Float64Array,
  ): number | undefined {
    const blocks = blockCount(x.length);
    this.begin(kernel, x, y, fx !== undefined);
    this.work(this.turn);
    if (!this.isDone(blocks, x.length)) {
      this.reason = "a thread has come to a standstill";
      this.close();
      return undefined;
    }
    let S = 0;
    for (let b = 0; b < blocks; b++) S += this.sums[b];
    if (fx !== undefined) this.addForces(0, blocks, fx);
    if (fy !== undefined) this.addForces(1, blocks, fy);
    return S;
  }

  private begin(kernel: PairKernel, x: Coordinates, y: Coordinates, withForces: boolean): void {
    const { control } = this;
    const blocks = blockCount(x.length);
    this.numbers(0, x.length).set(x);
    this.numbers(1, x.length).set(y);
    control[POINTS] = x.length;
    control[KERNEL] = (kernel === "student" ? 0 : 1) + (x instanceof Float32Array ? 2 : 0);
    control[FORCES] = withForces ? 1 : 0;
    for (let b = 0; b <= blocks; b++) control[STARTS + b] = blockStart(x.length, b);
    this.turn += 1;
    Atomics.store(control, DONE, 0);
    Atomics.store(control, LEFT, ((this.turn & 0xffffff) << 6) + blocks);
    Atomics.store(control, TURN, this.turn);
    Atomics.notify(control, TURN);
  }

  /** Waits for the blocks of others. */
  private isDone(blocks: number, points: number): boolean {
    const { control } = this;
    const patience = PATIENCE + (PATIENCE_PER_PAIR * points * points) / (2 * blocks);
    for (let look = 0; look < LOOKS; look++) if (Atomics.load(control, DONE) === blocks) return true;
    for (;;) {
      const done = Atomics.load(control, DONE);
      if (done === blocks) return true;
      if (Atomics.wait(control, DONE, done, patience) === "timed-out") return false;
    }
  }

  private addForces(plane: 0 | 1, blocks: number, f: Float64Array): void {
    f.fill(0);
    for (let b = 0; b < blocks; b++) {
      const p = this.numbers(2 + 2 * b + plane, this.control[STARTS + 1 + b]);
      for (let m = 0; m < p.length; m++) f[m] += p[m];
    }
  }

  /** Place by place of the buffer, each of `capacity` numbers. */
  private numbers(place: number, length: number): Float64Array {
    const { buffer, capacity } = this.shared;
    return new Float64Array(buffer, 512 + 8 * capacity * place, length);
  }

  /** The workers end as soon as they have done what they are at. */
  close(): void {
    this.turn = -1;
    Atomics.store(this.control, TURN, -1);
    Atomics.notify(this.control, TURN);
  }
}
