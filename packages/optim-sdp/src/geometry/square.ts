import { CurvatureError, type DenseMatrix, type MatrixLike, toDense } from "@curvature/linalg";

/** Q at the door. @throws CurvatureError ERR_SHAPE unless it is square with at least one row, ERR_NON_FINITE */
export function squareMatrix(where: string, Q: MatrixLike): DenseMatrix {
  const matrix = toDense(Q, "Q");
  if (matrix.rows > 0 && matrix.rows === matrix.columns) return matrix;
  throw new CurvatureError(
    "ERR_SHAPE",
    `${where}: Q must be square, with at least one row; received ${matrix.rows} x ${matrix.columns}.`,
    { path: "Q", expected: "n x n", received: `${matrix.rows} x ${matrix.columns}` },
  );
}
