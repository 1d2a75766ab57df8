/** Relaxed steps in WebAssembly: rows of either matrix are copied there, those of W back. */
import { type RelaxPairs, relaxPairsInTypeScript } from "../kernels/relaxed-pairs.js";
import type { Arena } from "./arena.js";

export const relaxPairsOf =
  (arena: Arena): RelaxPairs =>
  (W, n, first, end, X, e, r, sums) => {
    const scope = arena.enter([n, n, 10]);
    if (scope === undefined) return relaxPairsInTypeScript(W, n, first, end, X, e, r, sums);
    const [room, x, lanes] = scope.arrays;
    const w = new Float32Array(room.buffer, room.byteOffset, n);
    lanes.set(sums);
    for (let i = first; i < end; i++) {
      const count = i & ~1;
      const at = (i - first) * n;
      w.set(W.subarray(i * n, i * n + count));
      x.set(X.subarray(at, at + count));
      scope.exports.relax(w.byteOffset, x.byteOffset, count, e, r, lanes.byteOffset);
      W.set(w.subarray(0, count), i * n);
    }
    sums.set(lanes);
    arena.leave(scope);
  };
