import { CurvatureError } from "../errors.js";
import { checkDenseForm, type DenseMatrix } from "./matrix.js";

/** Its form alone: what the numbers are is not looked at. @throws CurvatureError ERR_SHAPE */
export function checkSquareForm(A: DenseMatrix, where: string): void {
  checkDenseForm(A, `${where}: A`);
  const { rows, columns } = A;
  if (rows === columns) return;
  throw new CurvatureError("ERR_SHAPE", `A must be square; received ${rows} x ${columns}.`, {
    where,
    path: "A",
    expected: "a square matrix",
    received: `${rows} x ${columns}`,
  });
}
