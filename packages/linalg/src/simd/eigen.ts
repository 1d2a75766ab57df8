/** The two kernels of dense eigendecompositions, in WebAssembly: matrices are copied there and back. */
import { type RotateRows, rotateRowsInTypeScript } from "../kernels/rotations.js";
import { PANEL, type Tridiagonalize, tridiagonalizeInTypeScript } from "../kernels/tridiagonalize.js";
import { type Arena, aligned } from "./arena.js";

/** Rows from which on a reduction, and rotated entries from which on rotations, are worth the copies. */
const LEAST_ROWS = 32;
const LEAST_ENTRIES = 20_000;

export const tridiagonalizeOf =
  (arena: Arena): Tridiagonalize =>
  (A, n, remaining, panels, d, e, h) => {
    const matrixSize = 8 * n * ((remaining + 3) & ~3); // tiles may reach beyond the last row
    const panelSize = 8 * 2 * PANEL * n;
    const packedSize = 8 * 2 * PANEL * ((remaining + 3) & ~3);
    const bytes = aligned(matrixSize) + 2 * aligned(panelSize) + 2 * aligned(packedSize) + 3 * aligned(8 * n);
    const scope = remaining < LEAST_ROWS ? undefined : arena.enter(bytes);
    if (scope === undefined) return tridiagonalizeInTypeScript(A, n, remaining, panels, d, e, h);
    const [matrix, V, W, left, right] = [matrixSize, panelSize, panelSize, packedSize, packedSize].map(
      (size) => scope.take(size),
    );
    const outputs = [d, e, h].map((array) => ({ array, at: scope.take(8 * n) }));
    for (const { array, at } of outputs) scope.float64(at, n).set(array);
    const copy = scope.float64(matrix, remaining * n);
    copy.set(A.subarray(0, remaining * n));
    const [atD, atE, atH] = outputs.map(({ at }) => at);
    for (let m = remaining, panel = 0; panel < panels && m > 0; panel++, m -= PANEL) {
      const rows = Math.min(PANEL, m);
      scope.exports.reducePanel(matrix, n, m, rows, V, W, left, right, atD, atE, atH);
    }
    A.set(copy);
    for (const { array, at } of outputs) array.set(scope.float64(at, n));
    arena.leave(scope);
  };

export const rotateRowsOf =
  (arena: Arena): RotateRows =>
  (Z, n, width, sweeps, count, c, s) => {
    let rotations = 0;
    for (let sweep = 0; sweep < count; sweep++) rotations += sweeps[2 * sweep + 1] - sweeps[2 * sweep];
    const bytes = aligned(8 * n * width) + aligned(64 * n) + aligned(8 * count) + 2 * aligned(8 * rotations);
    const scope = rotations * width < LEAST_ENTRIES ? undefined : arena.enter(bytes);
    if (scope === undefined) return rotateRowsInTypeScript(Z, n, width, sweeps, count, c, s);
    const { exports } = scope;
    const atZ = scope.take(8 * n * width);
    const strip = scope.take(64 * n);
    const atSweeps = scope.take(8 * count);
    const cosines = scope.take(8 * rotations);
    const sines = scope.take(8 * rotations);
    const copy = scope.float64(atZ, n * width);
    copy.set(Z);
    new Int32Array(exports.memory.buffer, atSweeps, 2 * count).set(sweeps.subarray(0, 2 * count));
    scope.float64(cosines, rotations).set(c.subarray(0, rotations));
    scope.float64(sines, rotations).set(s.subarray(0, rotations));
    exports.rotateRows(atZ, n, width, strip, atSweeps, count, cosines, sines);
    Z.set(copy);
    arena.leave(scope);
  };
