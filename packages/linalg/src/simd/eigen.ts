/** The two kernels of dense eigendecompositions, in WebAssembly: matrices are copied there and back. */
import { type RotateRows, rotateRowsInTypeScript } from "../kernels/rotations.js";
import { PANEL, type Tridiagonalize, tridiagonalizeInTypeScript } from "../kernels/tridiagonalize.js";
import type { Arena } from "./arena.js";

/** Rows from which on a reduction, and rotated entries from which on rotations, are worth the copies. */
const MIN_ROWS = 32;
const MIN_ENTRIES = 20_000;

export const tridiagonalizeOf =
  (arena: Arena): Tridiagonalize =>
  (A, n, remaining, panels, d, e, h) => {
    const padded = n * ((remaining + 3) & ~3); // tiles may reach beyond the last row
    const panel = 2 * PANEL * n;
    const packed = 2 * PANEL * ((remaining + 7) & ~7);
    const lengths = [padded, panel, panel, packed, packed, n, n, n];
    const scope = remaining < MIN_ROWS ? undefined : arena.enter(lengths);
    if (scope === undefined) return tridiagonalizeInTypeScript(A, n, remaining, panels, d, e, h);
    const [matrix, , , , , ...copies] = scope.arrays;
    const outputs = [d, e, h];
    for (let k = 0; k < 3; k++) copies[k].set(outputs[k]);
    const copy = matrix.subarray(0, remaining * n);
    copy.set(A.subarray(0, remaining * n));
    const [, V, W, left, right, atD, atE, atH] = scope.arrays.map(({ byteOffset }) => byteOffset);
    for (let m = remaining, k = 0; k < panels && m > 0; k++, m -= PANEL) {
      const rows = Math.min(PANEL, m);
      scope.exports.reduce(copy.byteOffset, n, m, rows, V, W, left, right, atD, atE, atH);
    }
    A.set(copy);
    for (let k = 0; k < 3; k++) outputs[k].set(copies[k]);
    arena.leave(scope);
  };

export const rotateRowsOf =
  (arena: Arena): RotateRows =>
  (Z, n, width, sweeps, count, c, s) => {
    let rotations = 0;
    for (let sweep = 0; sweep < count; sweep++) rotations += sweeps[2 * sweep + 1] - sweeps[2 * sweep];
    const lengths = [n * width, 8 * n, count, rotations, rotations];
    const scope = rotations * width < MIN_ENTRIES ? undefined : arena.enter(lengths);
    if (scope === undefined) return rotateRowsInTypeScript(Z, n, width, sweeps, count, c, s);
    const { exports, arrays } = scope;
    const [copy, , , cosines, sines] = arrays;
    const [atZ, strip, atSweeps, atC, atS] = arrays.map(({ byteOffset }) => byteOffset);
    copy.set(Z);
    new Int32Array(exports.memory.buffer, atSweeps, 2 * count).set(sweeps.subarray(0, 2 * count));
    cosines.set(c.subarray(0, rotations));
    sines.set(s.subarray(0, rotations));
    exports.rotate(atZ, n, width, strip, atSweeps, count, atC, atS);
    Z.set(copy);
    arena.leave(scope);
  };
