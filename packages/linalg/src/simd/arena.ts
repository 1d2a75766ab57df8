/**
 * The memory of the WebAssembly module: a stack, from which each call takes what it needs for as long as it lasts.
 * Nothing stays there between calls, so that no array of a caller's can be detached under his hands.
 *
 * Memory never grows (`instance.ts`): where the outermost call needs more than there is, it has a new instance. Views that
 * are made within a scope are good until it ends. A large instance is given up after the call that needed it.
 */
import { aligned, type Exports, instantiated, START } from "./instance.js";

/** Bytes of the instance that is kept from one call to the next; those that no call touches take no room. */
const KEPT = 2 ** 26;
/** Room beyond that of the outermost call, for calls within it. */
const SPARE = 2 ** 22;

export class Arena {
  private exports: Exports | undefined;
  private top = START;
  private end = START;
  private depth = 0;

  constructor(private readonly module: WebAssembly.Module) {}

  /**
   * Takes arrays of so many doubles off the stack until `leave`. Scopes may be nested.
   *
   * @returns undefined where that much is not to be had, within another scope also where a new instance would be needed
   */
  enter(lengths: readonly number[]): Scope | undefined {
    const size = lengths.reduce((sum, length) => sum + aligned(8 * length), 0);
    const exports = this.depth === 0 ? this.withRoom(size) : this.exports;
    const start = this.top;
    if (exports === undefined || !(start + size <= this.end)) return undefined;
    let at = start;
    const arrays = lengths.map((length) => {
      const array = new Float64Array(exports.memory.buffer, at, length);
      at += aligned(8 * length);
      return array;
    });
    this.depth++;
    this.top = at;
    return { exports, arrays, start };
  }

  leave({ start }: Scope): void {
    this.depth--;
    this.top = start;
    if (this.depth === 0 && this.end - START > KEPT) this.exports = undefined;
  }

  private withRoom(size: number): Exports | undefined {
    if (this.exports !== undefined && START + size + SPARE <= this.end) return this.exports;
    const room = Math.max(KEPT, size + SPARE);
    const exports = instantiated(this.module, room);
    if (exports === undefined) return undefined;
    this.end = START + room;
    this.exports = exports;
    return exports;
  }
}

/** A part of the stack. Its arrays hold what the calls before have left. */
export interface Scope {
  readonly exports: Exports;
  readonly arrays: readonly Float64Array[];
  readonly start: number;
}
