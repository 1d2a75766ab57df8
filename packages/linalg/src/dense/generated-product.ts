/**
 * A B with a B that is never stored: its entries are made where the product needs them, four columns and some hundred
 * rows at a time, from whatever they are a function of (other matrices, in other number types).
 *
 * Each panel of B is made once, used against all rows of A, and overwritten by the next: making an entry costs little
 * beside the A.rows multiplications with it. Same order of summation as `multiply`. See `kernels/generated.ts`.
 */
import { CurvatureError } from "../errors.js";
import { generatedInTypeScript, type PanelSource } from "../kernels/generated.js";
import { installed } from "../kernels/table.js";
import { badArgument } from "../options.js";
import { checkDenseForm, checkOperand, type DenseMatrix } from "./matrix.js";

/**
 * C ← A B, B of A.columns × C.columns.
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
