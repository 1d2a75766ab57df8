/**
 * Fourier transforms whose arrays lie in the memory of an instance of their own: passes of radix 4, most of the work, are
 * done in WebAssembly, the others in TypeScript on the same arrays. The memory never grows, so that views stay good.
 */
import type { TakeFourierMemory } from "../kernels/fourier-passes.js";
import { aligned } from "./arena.js";
import { instantiated } from "./instance.js";
import { hasRoom } from "./memory.js";

/** Numbers in an array from which on an instance is worth it. */
const LEAST = 1024;

export const fourierOf =
  (module: WebAssembly.Module): TakeFourierMemory =>
  (size, stages) => {
    const isServed =
      size >= LEAST && stages.every(({ s }) => s % 2 === 0) && stages.some(({ radix }) => radix === 4);
    const exports = isServed ? instantiated(module) : undefined;
    if (exports === undefined) return undefined;
    const { memory } = exports;
    const sizes = [size, size, size, size, ...stages.map(({ twiddles }) => twiddles.length)];
    let next = aligned(exports.heapBase());
    const addresses = sizes.map((length) => {
      const address = next;
      next += aligned(8 * length);
      return address;
    });
    if (!hasRoom(memory, next)) return undefined;
    const arrays = sizes.map((length, k) => new Float64Array(memory.buffer, addresses[k], length));
    return {
      arrays,
      stages: stages.map((stage, k) => {
        arrays[4 + k].set(stage.twiddles);
        return { ...stage, twiddles: arrays[4 + k] };
      }),
      radix4: (m, s, twiddles, xr, xi, yr, yi) =>
        exports.radix4(m, s, twiddles.byteOffset, xr.byteOffset, xi.byteOffset, yr.byteOffset, yi.byteOffset),
    };
  };
