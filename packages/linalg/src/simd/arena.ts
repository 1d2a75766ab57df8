/**
 * The memory of the WebAssembly module: a stack, from which each call takes what it needs for as long as it lasts.
 * Nothing stays there between calls, so that no array of a caller's can be detached under his hands.
 *
 * Memory grows where the outermost call begins and never while one is under way: views that are made within a scope
 * are good until it ends. WebAssembly's memory cannot shrink; after a call that made it large the instance is given up
 * as a whole, and the next call has a new one.
 */
import { type Exports, instantiated } from "./instance.js";
import { hasRoom } from "./memory.js";

/** Bytes that are kept from one call to the next. */
const KEPT = 2 ** 26;
/** Room beyond that of the outermost call, for calls within it. */
const SPARE = 2 ** 22;

export class Arena {
  private exports: Exports | undefined;
  private base = 0;
  private top = 0;
  private depth = 0;

  constructor(private readonly module: WebAssembly.Module) {}

  /**
   * Takes `bytes` of the stack until `leave`. Scopes may be nested.
   *
   * @returns undefined where that much is not to be had, within another scope also where memory would have to grow
   */
  enter(bytes: number): Scope | undefined {
    const exports = this.exports ?? this.begin();
    if (exports === undefined) return undefined;
    const { memory } = exports;
    const start = this.depth === 0 ? this.base : this.top;
    const end = start + aligned(bytes);
    if (this.depth === 0 ? !hasRoom(memory, end + SPARE) : end > memory.buffer.byteLength) return undefined;
    this.depth++;
    this.top = end;
    return new Scope(exports, start);
  }

  leave({ start }: Scope): void {
    this.depth--;
    this.top = start;
    if (this.depth === 0 && this.exports !== undefined && this.exports.memory.buffer.byteLength > KEPT)
      this.exports = undefined;
  }

  private begin(): Exports | undefined {
    this.exports = instantiated(this.module);
    if (this.exports !== undefined) this.base = aligned(this.exports.heapBase());
    return this.exports;
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
