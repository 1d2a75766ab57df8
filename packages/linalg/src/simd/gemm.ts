/**
 * Products with their innermost loops in WebAssembly. Factors are packed straight into its memory; the sums of a block
 * of tiles come back from there, and are added to C here. Blocks of m and n are other ones than those of the TypeScript
 * form, which the result does not show.
 */
import { type Block, DEPTH, type Gemm, gemmInTypeScript, pack } from "../kernels/gemm.js";
import { type GeneratedProduct, generatedInTypeScript } from "../kernels/generated.js";
import { type Arena, aligned } from "./arena.js";

const HEIGHT = 128;
const WIDTH = 256;
/** Multiplications from which on a product is quicker here than in TypeScript. */
const LEAST = 8_000;
/** No tile lies as far right. */
const NO_SHIFT = 2 ** 30;
/** Columns of a generated factor at a time. */
const STRIP = 32;

const roundedUp = (n: number): number => (n + 3) & ~3;

export const gemmOf =
  (arena: Arena): Gemm =>
  (sign, m, n, k, A, B, C, lower, workspace) => {
    const depth = Math.min(DEPTH, k);
    const sizeA = 8 * depth * roundedUp(Math.min(HEIGHT, m));
    const sizeB = 8 * depth * roundedUp(Math.min(WIDTH, n));
    const sizeC = 8 * roundedUp(Math.min(HEIGHT, m)) * roundedUp(Math.min(WIDTH, n));
    const isSmall = m * n * k < LEAST;
    const scope = isSmall ? undefined : arena.enter(aligned(sizeA) + aligned(sizeB) + aligned(sizeC));
    if (scope === undefined) {
      gemmInTypeScript(sign, m, n, k, A, B, C, lower, workspace);
      return;
    }
    const { exports } = scope;
    const a = scope.take(sizeA);
    const b = scope.take(sizeB);
    const c = scope.take(sizeC);
    const packedA = scope.float64(a, sizeA / 8);
    const packedB = scope.float64(b, sizeB / 8);
    const sums = scope.float64(c, sizeC / 8);
    for (let j0 = 0; j0 < n; j0 += WIDTH) {
      const width = Math.min(WIDTH, n - j0);
      for (let p0 = 0; p0 < k; p0 += DEPTH) {
        const deep = Math.min(DEPTH, k - p0);
        const startB = B.offset + p0 * B.rowStride + j0 * B.columnStride;
        pack(packedB, B.data, startB, width, deep, B.columnStride, B.rowStride);
        for (let i0 = lower ? j0 : 0; i0 < m; i0 += HEIGHT) {
          const height = Math.min(HEIGHT, m - i0);
          const startA = A.offset + i0 * A.rowStride + p0 * A.columnStride;
          pack(packedA, A.data, startA, height, deep, A.rowStride, A.columnStride);
          const shift = lower ? i0 - j0 : NO_SHIFT;
          exports.multiplyPanels(a, b, c, height, width, deep, shift);
          addBlock(sign, sums, height, width, shift, C, C.offset + i0 * C.rowStride + j0 * C.columnStride);
        }
      }
    }
    arena.leave(scope);
  };

/** C ← C + sign · sums, as far as there are tiles. */
function addBlock(
  sign: number,
  sums: Float64Array,
  height: number,
  width: number,
  shift: number,
  { data, rowStride, columnStride }: Block,
  start: number,
): void {
  const stride = roundedUp(width);
  for (let i = 0; i < height; i++) {
    const end = i * stride + Math.min(width, (i & ~3) + 4 + shift);
    let at = start + i * rowStride;
    if (columnStride === 1) for (let s = i * stride; s < end; s++, at++) data[at] += sign * sums[s];
    else for (let s = i * stride; s < end; s++, at += columnStride) data[at] += sign * sums[s];
  }
}

export const generatedOf =
  (arena: Arena): GeneratedProduct =>
  (m, n, k, A, source, C) => {
    const depth = Math.min(DEPTH, k);
    const sizeA = 8 * depth * roundedUp(m);
    const sizeB = 8 * depth * STRIP;
    const sizeC = 8 * roundedUp(m) * STRIP;
    const isSmall = m * n * k < LEAST;
    const scope = isSmall ? undefined : arena.enter(aligned(sizeA) + aligned(sizeB) + aligned(sizeC));
    if (scope === undefined) {
      generatedInTypeScript(m, n, k, A, source, C);
      return;
    }
    try {
      const a = scope.take(sizeA);
      const b = scope.take(sizeB);
      const c = scope.take(sizeC);
      const packedA = scope.float64(a, sizeA / 8);
      const packedB = scope.float64(b, sizeB / 8);
      const sums = scope.float64(c, sizeC / 8);
      const panel = new Float64Array(4 * depth);
      const into = { data: C, offset: 0, rowStride: n, columnStride: 1 };
      for (let p0 = 0; p0 < k; p0 += DEPTH) {
        const deep = Math.min(DEPTH, k - p0);
        pack(packedA, A, p0, m, deep, k, 1);
        for (let j0 = 0; j0 < n; j0 += STRIP) {
          const width = Math.min(STRIP, n - j0);
          for (let j = 0; j < width; j += 4) {
            source(panel, p0, deep, j0 + j);
            packedB.set(deep === depth ? panel : panel.subarray(0, 4 * deep), j * deep);
          }
          scope.exports.multiplyPanels(a, b, c, m, width, deep, NO_SHIFT);
          addBlock(1, sums, m, width, NO_SHIFT, into, j0);
        }
      }
    } finally {
      arena.leave(scope); // the source is a caller's function, and may throw
    }
  };
