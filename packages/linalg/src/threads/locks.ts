/** Things of which only one thread at a time may have one. */

import { badOption } from "../index.js";
import { checkSharedIntegers } from "./shared-integers.js";

/** Milliseconds after which whoever has it is taken for dead. */
const PATIENCE = 10_000;
const MOST = 2 ** 24;

export class SharedLocks {
  /**
   * @param words - 0 for each thing that nobody has, in shared memory
   * @throws CurvatureError ERR_ARGUMENT
   */
  constructor(readonly words: Int32Array) {
    checkSharedIntegers(words, 0, "SharedLocks");
  }

  /** Locks for so many things, numbered from 0, that nobody has. @throws CurvatureError ERR_OPTION */
  static for(things: number): SharedLocks {
    if (!(Number.isInteger(things) && things >= 0 && things <= MOST))
      throw badOption("SharedLocks.for", "things", `a whole number from 0 to ${MOST}`, things);
    return new SharedLocks(new Int32Array(new SharedArrayBuffer(4 * things)));
  }

  /** Waits for it; false where it is not to be had. Who takes several takes them in the order of their numbers. @throws CurvatureError ERR_OPTION */
  take(thing: number): boolean {
    const { words } = this;
    this.check(thing);
    while (Atomics.compareExchange(words, thing, 0, 1) !== 0)
      if (Atomics.wait(words, thing, 1, PATIENCE) === "timed-out") return false;
    return true;
  }

  /** Lets the next one have it. @throws CurvatureError ERR_OPTION */
  giveBack(thing: number): void {
    this.check(thing);
    Atomics.store(this.words, thing, 0);
    Atomics.notify(this.words, thing, 1);
  }

  private check(thing: number): void {
    const { length } = this.words;
    if (!(Number.isInteger(thing) && thing >= 0 && thing < length))
      throw badOption("SharedLocks", "thing", `a whole number from 0 to ${length - 1}`, thing);
  }
}
