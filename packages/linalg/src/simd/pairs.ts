/**
 * Sums over all pairs with their innermost loops in WebAssembly. Points go into its memory and forces come back from
 * there, both small beside N² pairs.
 */
import type { Coordinates, PairRowsOf } from "../kernels/pairs.js";
import { powersOfTwo128 } from "../portable/exp.js";
import type { Arena } from "./arena.js";

/** Points from which on a sum is quicker here than in TypeScript. */
const MIN_SIZE = 32;
/** Numbers behind each array's last one: lanes of single precision read them, and write zeros there. */
const MARGIN = 3;

export const pairsOf =
  (arena: Arena): PairRowsOf =>
  (kernel, x, y, withForces) => {
    const N = x.length;
    const isSingle = x instanceof Float32Array;
    const isGaussian = kernel === "gaussian";
    const length = N + MARGIN;
    const scope =
      N < MIN_SIZE ? undefined : arena.enter([powersOfTwo128.length, length, length, length, length]);
    if (scope === undefined) return undefined;
    const { exports, arrays } = scope;
    arrays[0].set(powersOfTwo128);
    const [ownX, ownY, px, py] = arrays
      .slice(1)
      .map(
        (array): Coordinates =>
          (isSingle ? new Float32Array(array.buffer, array.byteOffset, length) : array).fill(0),
      );
    ownX.set(x);
    ownY.set(y);
    const [table, atX, atY, atPx, atPy] = arrays.map(({ byteOffset }) => byteOffset);
    const forces = isSingle ? exports.pairForces32 : exports.pairForces64;
    return {
      px,
      py,
      sum: (from, to) =>
        withForces || isSingle
          ? forces(isGaussian, atX, atY, from, to, table, atPx, atPy)
          : exports.pairSum64(isGaussian, atX, atY, from, to, table),
      close: () => arena.leave(scope),
    };
  };
