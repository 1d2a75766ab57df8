/**
 * A v in WebAssembly: so many rows at a time as stay near are copied there, which takes less time than TypeScript takes to
 * multiply them.
 */
import { type TimesVector, timesVectorInTypeScript } from "../kernels/times-vector.js";
import type { Arena } from "./arena.js";

/** Numbers of A that are copied at a time. */
const BLOCK = 8192;
/** Numbers of A from which on it pays. */
const MIN_SIZE = 1000;

export const timesVectorOf =
  (arena: Arena): TimesVector =>
  (A, rows, columns, v, out) => {
    const most = Math.max(2, Math.floor(BLOCK / columns) & ~1); // rows, by twos
    const scope = rows * columns < MIN_SIZE ? undefined : arena.enter([columns, columns * most, most]);
    if (scope === undefined) return timesVectorInTypeScript(A, rows, columns, v, out);
    const [vector, block, sums] = scope.arrays;
    vector.set(v.subarray(0, columns));
    for (let i = 0; i < rows; i += most) {
      const count = Math.min(most, rows - i);
      block.set(A.subarray(i * columns, (i + count) * columns));
      scope.exports.dotColumns64(
        block.byteOffset,
        8 * columns,
        count,
        vector.byteOffset,
        columns,
        sums.byteOffset,
      );
      for (let k = 0; k < count; k++) out[i + k] = sums[k];
    }
    arena.leave(scope);
  };
