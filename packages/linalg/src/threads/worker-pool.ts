/**
 * Threads for work of any kind: how many there are to be, and whether there are any to be had here. What they do is a
 * program, given as text, and its data, in memory that they share with the caller.
 */
import { badOption } from "../index.js";
import { compiled } from "../simd/instance.js";
import { type Host, type ThreadProgram, threadHost } from "./host.js";

/** Above it, threads get too few of the 32 blocks that a sum is cut into. */
const MAX_THREADS = 32;
const MAX_BY_ITSELF = 8;

/** What every program is given beside its task: its own text has none of the WebAssembly. */
export interface ThreadKernels {
  /** Undefined where the engine compiles none. */
  readonly kernels: WebAssembly.Module | undefined;
}

export class WorkerPool {
  private reason: string | undefined;
  /** How many threads run each of the programs, the caller's apart. */
  private readonly teams: number[] = [];

  private constructor(
    /** How many threads work, the caller's included. */
    readonly count: number,
    /** Undefined where the caller's thread is the only one. */
    readonly host: Host | undefined,
    /** Why there are fewer than were asked for. */
    private readonly refusal?: string,
  ) {}

  /**
   * @param threads - 1 to 32, the caller's included, or "auto": as many as there are cores, 8 at most (one, without a word,
   *   where a page is not cross-origin isolated)
   * @throws CurvatureError ERR_OPTION for other numbers
   */
  static of(threads: number | "auto", where: string): WorkerPool {
    const isCount = Number.isInteger(threads) && Number(threads) >= 1 && Number(threads) <= MAX_THREADS;
    if (threads !== "auto" && !isCount)
      throw badOption(where, "threads", `"auto" or a whole number from 1 to ${MAX_THREADS}`, threads);
    if (threads === 1) return WorkerPool.alone();
    const host = threadHost();
    if (typeof host === "string") return WorkerPool.alone(threads === "auto" ? undefined : host);
    const count = threads === "auto" ? Math.min(MAX_BY_ITSELF, host.cores()) : threads;
    return count === 1 ? WorkerPool.alone() : new WorkerPool(count, host);
  }

  /** The caller's thread, and why it has to do it all. */
  static alone(refusal?: string): WorkerPool {
    return new WorkerPool(1, undefined, refusal);
  }

  /**
   * Starts threads that run a program, in which `data` is what is given here, and the kernels; they begin one after the other. Where one
   * cannot be had, those before it do the work.
   *
   * @param most - so many beside the caller's, or as many as there are
   * @returns whether there are any
   */
  start(most: number, program: ThreadProgram, task: object): boolean {
    const { host, count } = this;
    if (host === undefined) return false;
    const team = this.teams.push(0) - 1;
    this.attempt(() => {
      const data = { ...task, kernels: compiled() } satisfies ThreadKernels;
      for (let w = 0; w < Math.min(most, count - 1); w++) {
        host.start(program, data, this.whenEnded(team));
        this.teams[team] += 1;
      }
    });
    return this.teams[team] > 0;
  }

  /** Is called when a thread ends; it must not hold what the thread was given, which an engine keeps as long as this. */
  private whenEnded(team: number): (reason: string) => void {
    let ended = 0; // an engine may report it twice
    return (reason) => {
      if (ended++ === 0) this.teams[team] -= 1;
      this.failed(`a thread ended: ${reason}`);
    };
  }

  /** How many threads have run a program at a time, the caller's included; none that could not start, or that failed. */
  get started(): number {
    return 1 + Math.max(0, ...this.teams);
  }

  /** What is made for the threads; undefined where it throws, since there is no memory for it, for instance. */
  attempt<T>(make: () => T): T | undefined {
    try {
      return make();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.failed(`there is no memory for it, or no thread: ${reason}`);
      return undefined;
    }
  }

  /** Says why threads are of less use than they could be; the first reason counts. */
  failed(reason: string): void {
    this.reason ??= reason;
  }

  /** Sentences: results are the same, and take longer. */
  get warnings(): readonly string[] {
    if (this.refusal !== undefined) return [`The work is done by one thread, since ${this.refusal}.`];
    return this.reason === undefined
      ? []
      : [`Threads have been of less use than they could: ${this.reason}.`];
  }
}
