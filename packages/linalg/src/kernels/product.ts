/** The matrix product on blocks, in the form that is in use. */
import { type Block, gemmInTypeScript, ProductWorkspace } from "./gemm.js";
import { installed } from "./table.js";

/**
 * C ← C + sign · A B. The sizes fit the arrays; nothing is checked.
 *
 * @param lower - whether to leave entries of C right of its diagonal alone (up to the granularity of four rows
 *   and eight columns, which may compute some of them); for symmetric results
 * @param workspace - for those who multiply often; without it the panels are allocated for this product
 * @param isZero - whether C is known to be new, all of it +0, and need not be read
 */
export function gemm(
  sign: 1 | -1,
  m: number,
  n: number,
  k: number,
  A: Block,
  B: Block,
  C: Block,
  lower = false,
  workspace: ProductWorkspace = new ProductWorkspace(),
  isZero = false,
): void {
  (installed.gemm ?? gemmInTypeScript)(sign, m, n, k, A, B, C, lower, workspace, isZero);
}
