/**
 * Factors whose panels lie in the memory of an instance of their own, which goes with them: they are made in TypeScript, and
 * systems with two right-hand sides are solved in WebAssembly.
 */
import type { TakeSupernodeMemory } from "../kernels/supernode-memory.js";
import { instantiated } from "./instance.js";
import { Addresses } from "./memory.js";

/** Entries of the panels from which on an instance is worth it. */
const MIN_SIZE = 4096;
/** Integers that describe a supernode to `assembly/supernodes.ts`. */
const FIELDS = 5;

export const supernodesOf =
  (module: WebAssembly.Module): TakeSupernodeMemory =>
  (layout) => {
    const { count, first, height, rows, rowStart, panelStart, panelsLength } = layout;
    const n = first[count];
    const addresses = new Addresses();
    const fieldsAt = addresses.take(4 * FIELDS * count);
    const rowsAt = addresses.take(4 * rows.length);
    const workAt = addresses.take(16 * n);
    const panelsAt = addresses.take(8 * panelsLength);
    const exports = panelsLength < MIN_SIZE ? undefined : instantiated(module, addresses.size);
    if (exports === undefined) return undefined;
    const { memory } = exports;
    const fields = new Uint32Array(memory.buffer, fieldsAt, FIELDS * count);
    for (let s = 0; s < count; s++)
      fields.set([first[s], first[s + 1] - first[s], height[s], rowStart[s], panelStart[s]], FIELDS * s);
    new Int32Array(memory.buffer, rowsAt, rows.length).set(rows);
    return {
      panels: new Float64Array(memory.buffer, panelsAt, panelsLength),
      work: new Float64Array(memory.buffer, workAt, 2 * n),
      solvePair: () => exports.solvePair(count, fieldsAt, rowsAt, panelsAt, workAt),
    };
  };
