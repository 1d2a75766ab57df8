/**
 * Work that threads have in common, cut into units. Units are opened in turn, each is claimed by one thread, and whoever has
 * opened them may wait until all are done. What is written before a unit is opened is there for whoever claims it, and what
 * is written before it is finished for whoever has waited for it.
 */

import { badOption } from "../index.js";
import { checkSharedIntegers } from "./shared-integers.js";

/** Places in the array of integers. */
const OPEN = 0;
const NEXT = 1;
const DONE = 2;
/** On whose change idle threads wait: with units opened, and with the end. */
const CALL = 3;
const STOPPED = 4;
const READY = 5;
const COUNT = 6;

/** That an entry of an Int32Array counts. */
const MOST = 2 ** 31 - 1;

/** Milliseconds without a unit done after which a thread is taken for dead. */
const PATIENCE = 10_000;

export class SharedUnits {
  /**
   * @param integers - those of the units of another thread; by default new ones
   * @throws CurvatureError ERR_ARGUMENT
   */
  constructor(readonly integers: Int32Array = new Int32Array(new SharedArrayBuffer(4 * COUNT))) {
    checkSharedIntegers(integers, COUNT, "SharedUnits");
  }

  /** Hands out so many more units, and calls idle threads to them. @throws CurvatureError ERR_OPTION */
  open(count: number): void {
    const most = MOST - Atomics.load(this.integers, OPEN);
    if (!Number.isInteger(count) || count < 0 || count > most)
      throw badOption("SharedUnits", "count", `a whole number from 0 to ${most}`, count);
    Atomics.add(this.integers, OPEN, count);
    this.call();
  }

  /** The number of a unit, counted from 0 since the beginning, or −1 where none is open. */
  claim(): number {
    const { integers } = this;
    for (;;) {
      const unit = Atomics.load(integers, NEXT);
      if (this.isStopped || unit >= Atomics.load(integers, OPEN)) return -1;
      if (Atomics.compareExchange(integers, NEXT, unit, unit + 1) === unit) return unit;
    }
  }

  /** Says that a unit that was claimed is done. */
  finish(): void {
    Atomics.add(this.integers, DONE, 1);
    Atomics.notify(this.integers, DONE);
  }

  /**
   * Waits for the units of others; none is left to claim.
   *
   * @param patience - milliseconds within which some unit will be done
   * @returns false where they were stopped, or a thread has come to a standstill
   */
  areDone(patience: number = PATIENCE): boolean {
    const { integers } = this;
    for (;;) {
      const done = Atomics.load(integers, DONE);
      if (this.isStopped) return false;
      if (done === Atomics.load(integers, OPEN)) return true;
      if (Atomics.wait(integers, DONE, done, patience) === "timed-out") return false;
    }
  }

  /** No unit is handed out any more, and nobody waits. */
  stop(): void {
    Atomics.store(this.integers, STOPPED, 1);
    this.call();
    Atomics.notify(this.integers, DONE);
  }

  get isStopped(): boolean {
    return Atomics.load(this.integers, STOPPED) !== 0;
  }

  /** Threads that have begun to serve. */
  get ready(): number {
    return Atomics.load(this.integers, READY);
  }

  /** A thread's life: units, until they are stopped. What `work` throws stops them for all. */
  serve(work: (unit: number) => void): void {
    const { integers } = this;
    Atomics.add(integers, READY, 1);
    try {
      while (!this.isStopped) {
        const call = Atomics.load(integers, CALL);
        const unit = this.claim();
        if (unit < 0) {
          if (!this.isStopped) Atomics.wait(integers, CALL, call);
          continue;
        }
        work(unit);
        this.finish();
      }
    } catch (error) {
      this.stop();
      throw error;
    }
  }

  private call(): void {
    Atomics.add(this.integers, CALL, 1);
    Atomics.notify(this.integers, CALL);
  }
}
