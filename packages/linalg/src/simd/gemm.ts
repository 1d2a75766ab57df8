/**
 * Products with their innermost loops in WebAssembly. Factors are packed straight into its memory, and blocks of C are
 * copied there and back. Blocks of m and n are other ones than those of the TypeScript form, which the result does not
 * show: each entry takes the same products in the same order, `DEPTH` at a time.
 */
import { type Block, DEPTH, type Gemm, gemmInTypeScript, pack } from "../kernels/gemm.js";
import { type GeneratedProduct, generatedInTypeScript } from "../kernels/generated.js";
import { type TimesVector, timesVectorInTypeScript } from "../kernels/times-vector.js";
import type { Arena } from "./arena.js";

/** Rows of A that are packed together, a quarter of a megabyte of the second cache, for few ways through B. */
const HEIGHT = 128;
/** Columns of B, and terms of the sums, that are packed together, for few packings of A and few copies of C. */
const WIDTH = 1024;
const LONG = 8 * DEPTH;
/** Multiplications from which on a product is quicker here than in TypeScript. */
const MIN_SIZE = 5_000;
/** No tile lies as far right. */
const NO_SHIFT = 2 ** 30;
/** Columns of a generated factor at a time. */
const STRIP = 32;
/** Numbers from which on a row is copied quicker by `set` than one by one. */
const LONG_ROW = 48;

/** Numbers between rows of C beyond its own: off the powers of two, at which rows would share a set of the cache. */
const SPACE = 8;

/** Panels of A have four rows: a step of 32 bytes. */
const STEP = 32;

const roundedUp = (n: number): number => (n + 7) & ~7;

export const gemmOf =
  (arena: Arena): Gemm =>
  (sign, m, n, k, A, B, C, lower, workspace, isZero) => {
    const most = roundedUp(Math.min(WIDTH, n));
    const rows = roundedUp(Math.min(HEIGHT, m));
    const lengths = [Math.min(DEPTH, k) * rows, Math.min(LONG, k) * most, rows * (most + SPACE)];
    const scope = m * n * k < MIN_SIZE ? undefined : arena.enter(lengths);
    if (scope === undefined) return gemmInTypeScript(sign, m, n, k, A, B, C, lower, workspace, isZero);
    try {
      const { exports, arrays } = scope;
      const [packedA, packedB, block] = arrays;
      const [a, b, c] = arrays.map(({ byteOffset }) => byteOffset);
      for (let j0 = 0; j0 < n; j0 += WIDTH) {
        const width = Math.min(WIDTH, n - j0);
        const room = roundedUp(width);
        const stride = room + SPACE;
        const own = { data: block, offset: 0, rowStride: stride, columnStride: 1 };
        for (let q0 = 0; q0 < k; q0 += LONG) {
          const end = Math.min(k, q0 + LONG);
          for (let p0 = q0; p0 < end; p0 += DEPTH) {
            const deep = Math.min(DEPTH, end - p0);
            const panels = packedB.subarray((p0 - q0) * room);
            const start = B.offset + p0 * B.rowStride + j0 * B.columnStride;
            pack(panels, B.data, start, width, deep, B.columnStride, B.rowStride, 8);
          }
          for (let i0 = lower ? j0 : 0; i0 < m; i0 += HEIGHT) {
            const height = Math.min(HEIGHT, m - i0);
            const columns = lower ? Math.min(width, roundedUp(height) + i0 - j0) : width;
            const part = { ...C, offset: C.offset + i0 * C.rowStride + j0 * C.columnStride };
            if (isZero && q0 === 0) block.fill(0, 0, height * stride);
            else copy(part, own, height, columns);
            for (let p0 = q0; p0 < end; p0 += DEPTH) {
              const deep = Math.min(DEPTH, end - p0);
              const start = A.offset + i0 * A.rowStride + p0 * A.columnStride;
              pack(packedA, A.data, start, height, deep, A.rowStride, A.columnStride);
              const panels = b + 8 * (p0 - q0) * room;
              const shift = lower ? i0 - j0 : NO_SHIFT;
              exports.multiplyPanels(a, STEP, panels, c, 8 * stride, height, columns, deep, shift, sign);
            }
            copy(own, part, height, columns);
          }
        }
      }
    } finally {
      arena.leave(scope); // arrays that are too small make `set` throw
    }
  };

/** The leading m × n entries of one block to another. */
function copy(from: Block, to: Block, m: number, n: number): void {
  const isWhole = from.columnStride === 1 && to.columnStride === 1 && n >= LONG_ROW;
  for (let i = 0; i < m; i++) {
    const start = from.offset + i * from.rowStride;
    const at = to.offset + i * to.rowStride;
    if (isWhole) to.data.set(from.data.subarray(start, start + n), at);
    else
      for (let j = 0; j < n; j++)
        to.data[at + j * to.columnStride] = from.data[start + j * from.columnStride];
  }
}

export const generatedOf =
  (arena: Arena): GeneratedProduct =>
  (m, n, k, A, source, C) => {
    const depth = Math.min(DEPTH, k);
    const rows = roundedUp(m);
    const stride = roundedUp(n);
    const lengths = [depth * rows, depth * STRIP, rows * stride];
    const scope = m * n * k < MIN_SIZE ? undefined : arena.enter(lengths);
    if (scope === undefined) return generatedInTypeScript(m, n, k, A, source, C);
    try {
      const { exports, arrays } = scope;
      const [packedA, packedB, sums] = arrays;
      const [a, b, c] = arrays.map(({ byteOffset }) => byteOffset);
      const whole = { data: C, offset: 0, rowStride: n, columnStride: 1 };
      const own = { data: sums, offset: 0, rowStride: stride, columnStride: 1 };
      copy(whole, own, m, n);
      for (let p0 = 0; p0 < k; p0 += DEPTH) {
        const deep = Math.min(DEPTH, k - p0);
        pack(packedA, A, p0, m, deep, k, 1);
        for (let j0 = 0; j0 < n; j0 += STRIP) {
          const width = Math.min(STRIP, n - j0);
          if (width % 8 !== 0) packedB.fill(0, (width & ~7) * deep, roundedUp(width) * deep);
          for (let j = 0; j < width; j += 4) {
            const start = (j & ~7) * deep + (j & 4);
            source({ data: packedB, start, step: 8 }, p0, deep, j0 + j);
          }
          exports.multiplyPanels(a, STEP, b, c + 8 * j0, 8 * stride, m, width, deep, NO_SHIFT, 1);
        }
      }
      copy(own, whole, m, n);
    } finally {
      arena.leave(scope); // the source is a caller's function, and may throw
    }
  };

/** Numbers of A that are copied at a time. */
const BLOCK = 8192;
/** Numbers of A from which on it pays. */
const MIN_NUMBERS = 1000;

/**
 * A v in WebAssembly: so many rows at a time as stay near are copied there, which takes less time than TypeScript takes to
 * multiply them.
 */
export const timesVectorOf =
  (arena: Arena): TimesVector =>
  (A, rows, columns, v, out) => {
    const most = Math.max(2, Math.floor(BLOCK / columns) & ~1); // rows, by twos
    const scope = rows * columns < MIN_NUMBERS ? undefined : arena.enter([columns, columns * most, most]);
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
