/**
 * The memory of the WebAssembly module: a stack, from which each call takes what it needs for as long as it lasts.
 * Nothing stays there between calls, so that no array of a caller's can be detached under his hands.
 *
 * Memory never grows (`memory.ts`): where the outermost call needs more than there is, it has a new instance. Views that
 * are made within a scope are good until it ends. A large instance is given up after the call that needed it.
 */
import { type Exports, instantiated } from "./instance.js";
import { START } from "./memory.js";

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
   * Takes `bytes` of the stack until `leave`. Scopes may be nested.
   *
   * @returns undefined where that much is not to be had, within another scope also where a new instance would be needed
   */
  enter(bytes: number): Scope | undefined {
    const size = aligned(bytes);
    const exports = this.depth === 0 ? this.withRoom(size) : this.exports;
    const start = this.top;
    if (exports === undefined || !(start + size <= this.end)) return undefined;
    this.depth++;
    this.top += size;
    return new Scope(exports, start);
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

/** A part of the stack, given out from its start on. */
export class Scope {
  private next: number;

  constructor(
    readonly exports: Exports,
    readonly start: number,
  ) {
    this.next = start;
  }

  /** The address of the next `bytes`. */
  take(bytes: number): number {
    const address = this.next;
    this.next += aligned(bytes);
    return address;
  }

  float64(address: number, length: number): Float64Array {
    return new Float64Array(this.exports.memory.buffer, address, length);
  }
}

/** Cache lines: what `take` rounds each of its sizes up to. */
export const aligned = (bytes: number): number => Math.ceil(bytes / 64) * 64;
