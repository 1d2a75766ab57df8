/**
 * Products of dense matrices. 2 m n k operations, some 5·10⁹ of them per second; symmetric results cost half. An operand may
 * be the beginning of longer data.
 */
import { CurvatureError } from "../errors.js";
import type { Block } from "../kernels/gemm.js";
import { generatedInTypeScript, type PanelSource } from "../kernels/generated.js";
import { gemm } from "../kernels/product.js";
import { timesSymmetric } from "../kernels/symmetric-product.js";
import { installed } from "../kernels/table.js";
import { timesVectorInTypeScript } from "../kernels/times-vector.js";
import { badArgument, unfit } from "../options.js";
import { checkDenseForm, checkOperand, type DenseMatrix, zeros } from "./matrix.js";

/** A B. @throws CurvatureError ERR_SHAPE */
export function multiply(A: DenseMatrix, B: DenseMatrix): DenseMatrix {
  checkForms("multiply", A, B);
  checkInner("A B", A, A.columns, B, B.rows);
  return product(A.rows, B.columns, A.columns, plain(A), plain(B));
}

/** Aᵀ B. @throws CurvatureError ERR_SHAPE */
export function transposeMultiply(A: DenseMatrix, B: DenseMatrix): DenseMatrix {
  checkForms("transposeMultiply", A, B);
  checkInner("Aᵀ B", A, A.rows, B, B.rows);
  return product(A.columns, B.columns, A.rows, turned(A), plain(B));
}

/** A Bᵀ. @throws CurvatureError ERR_SHAPE */
export function multiplyTranspose(A: DenseMatrix, B: DenseMatrix): DenseMatrix {
  checkForms("multiplyTranspose", A, B);
  checkInner("A Bᵀ", A, A.columns, B, B.columns);
  return product(A.rows, B.rows, A.columns, plain(A), turned(B));
}

/** Aᵀ A, exactly symmetric. @throws CurvatureError ERR_SHAPE */
export function gram(A: DenseMatrix): DenseMatrix {
  checkOperand(A, "gram: A");
  return symmetricProduct(A.columns, A.rows, turned(A), plain(A));
}

/** A Aᵀ, exactly symmetric. @throws CurvatureError ERR_SHAPE */
export function outerGram(A: DenseMatrix): DenseMatrix {
  checkOperand(A, "outerGram: A");
  return symmetricProduct(A.rows, A.columns, plain(A), turned(A));
}

/** Aᵀ. @throws CurvatureError ERR_SHAPE */
export function transpose(A: DenseMatrix): DenseMatrix {
  checkOperand(A, "transpose: A");
  const T = zeros(A.columns, A.rows);
  for (let i = 0; i < A.rows; i++)
    for (let j = 0; j < A.columns; j++) T.data[j * A.rows + i] = A.data[i * A.columns + j];
  return T;
}

/** A v into `out`. The arrays have the lengths of A's columns and rows; nothing is checked. */
export function matrixTimesVector(A: DenseMatrix, v: Float64Array, out: Float64Array): void {
  (installed.timesVector ?? timesVectorInTypeScript)(A.data, A.rows, A.columns, v, out);
}

/**
 * A v into `out`, of a symmetric A whose lower triangle alone is read: half the memory of `matrixTimesVector` goes by. The arrays
 * have the length of A's rows, or more; nothing is checked. For a matrix that is multiplied again and again, see
 * `symmetricEntries`.
 */
export function symmetricTimesVector(A: DenseMatrix, v: Float64Array, out: Float64Array): void {
  const { data, rows: n, columns } = A;
  const own = v.length === n ? v : v.subarray(0, n);
  if (columns === n && installed.symmetric?.multiply(data, n, own, out) === true) return;
  timesSymmetric(data, columns, own, out);
}

/** Aᵀ v into `out`. The arrays have the lengths of A's rows and columns; nothing is checked. */
export function transposeTimesVector(A: DenseMatrix, v: Float64Array, out: Float64Array): void {
  const { rows, columns, data } = A;
  out.fill(0, 0, columns);
  const whole = rows - (rows % 4);
  for (let i = 0; i < whole; i += 4) addFourRows(data, columns, i * columns, v, i, out); // the same sums, fewer stores
  for (let i = whole; i < rows; i++) {
    const vi = v[i];
    const row = i * columns;
    for (let j = 0; j < columns; j++) out[j] += vi * data[row + j];
  }
}

function addFourRows(
  data: Float64Array,
  columns: number,
  r0: number,
  v: Float64Array,
  i: number,
  out: Float64Array,
): void {
  const v0 = v[i];
  const v1 = v[i + 1];
  const v2 = v[i + 2];
  const v3 = v[i + 3];
  const r1 = r0 + columns;
  const r2 = r1 + columns;
  const r3 = r2 + columns;
  for (let j = 0; j < columns; j++)
    out[j] = out[j] + v0 * data[r0 + j] + v1 * data[r1 + j] + v2 * data[r2 + j] + v3 * data[r3 + j];
}

const plain = (A: DenseMatrix): Block => ({ data: A.data, offset: 0, rowStride: A.columns, columnStride: 1 });
const turned = (A: DenseMatrix): Block => ({
  data: A.data,
  offset: 0,
  rowStride: 1,
  columnStride: A.columns,
});

function product(m: number, n: number, k: number, A: Block, B: Block): DenseMatrix {
  const C = zeros(m, n);
  gemm(1, m, n, k, A, B, plain(C), false, undefined, true);
  return C;
}

function symmetricProduct(n: number, k: number, A: Block, B: Block): DenseMatrix {
  const C = zeros(n, n);
  gemm(1, n, n, k, A, B, plain(C), true, undefined, true);
  for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) C.data[j * n + i] = C.data[i * n + j];
  return C;
}

function checkForms(where: string, A: DenseMatrix, B: DenseMatrix): void {
  checkOperand(A, `${where}: A`);
  checkOperand(B, `${where}: B`);
}

function checkInner(what: string, A: DenseMatrix, a: number, B: DenseMatrix, b: number): void {
  if (a === b) return;
  throw new CurvatureError(
    "ERR_SHAPE",
    `${what}: the inner sizes differ: A is ${A.rows} x ${A.columns}, B is ${B.rows} x ${B.columns}.`,
    { path: "B", expected: `${a}`, received: b },
  );
}

/**
 * AᵀA some rows at a time, for matrices that are used up as they are made and need never be there as a whole: entries (i, j),
 * start ≤ i < end and j < end, into `out[(i − start) A.columns + j]`: its lower triangle, in
 * strips. What lies beyond in `out` is left as it is.
 *
 * @throws CurvatureError ERR_SHAPE
 */
export function gramRows(A: DenseMatrix, start: number, end: number, out: Float64Array): void {
  checkOperand(A, "gramRows: A");
  const n = A.columns;
  if (!(Number.isInteger(start) && Number.isInteger(end) && start >= 0 && start <= end && end <= n))
    throw unfit("ERR_SHAPE", "gramRows", "start and end", `whole numbers, 0 ≤ start ≤ end ≤ ${n}`, [
      start,
      end,
    ]);
  if (!(out instanceof Float64Array && out.length >= (end - start) * n))
    throw unfit(
      "ERR_SHAPE",
      "gramRows",
      "out",
      `a Float64Array of at least ${(end - start) * n} entries`,
      out,
    );
  for (let i = 0; i < end - start; i++) out.fill(0, i * n, i * n + end);
  const rows = { data: A.data, offset: start, rowStride: 1, columnStride: n };
  const columns = { data: A.data, offset: 0, rowStride: n, columnStride: 1 };
  const into = { data: out, offset: 0, rowStride: n, columnStride: 1 };
  gemm(1, end - start, end, A.rows, rows, columns, into);
}

/**
 * C ← A B, B of A.columns × C.columns, with a B that is never stored: its entries are made where the product needs them, four columns and some hundred
 * rows at a time, from whatever they are a function of (other matrices, in other number types).
 *
 * Each panel of B is made once, used against all rows of A, and overwritten by the next: making an entry costs little
 * beside the A.rows multiplications with it. Same order of summation as `multiply`. See `kernels/generated.ts`.
 *
 * @throws CurvatureError ERR_SHAPE, ERR_ARGUMENT
 */
export function multiplyGenerated(A: DenseMatrix, source: PanelSource, C: DenseMatrix): void {
  checkOperand(A, "multiplyGenerated: A");
  checkDenseForm(C, "multiplyGenerated: C");
  if (typeof source !== "function") throw badArgument("multiplyGenerated", "source", "a function", source);
  const { rows: m, columns: k } = A;
  const n = C.columns;
  if (C.rows !== m)
    throw new CurvatureError("ERR_SHAPE", `C must have ${m} rows; it has ${C.rows}.`, {
      where: "multiplyGenerated",
      path: "C",
      expected: `${m} x ${n}`,
      received: `${C.rows} x ${C.columns}`,
    });
  C.data.fill(0);
  (installed.generatedProduct ?? generatedInTypeScript)(m, n, k, A.data, source, C.data);
}
