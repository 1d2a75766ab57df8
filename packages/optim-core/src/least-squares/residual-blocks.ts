/** Residuals in blocks, r(x) = (r_0(x), …, r_{N−1}(x)): what `leastSquares` and `minimizeSum` accept beside whole residuals and sums. */
import { type MatrixLike, type Option, option, type SparseMatrixLike } from "@curvature/linalg";

/** F(x) = Σ ½‖r_i(x)‖², i = 0 … count − 1. */
export interface ResidualBlocks {
  /** n, how many parameters there are. */
  readonly dimension: number;
  /** N */
  readonly count: number;
  /** r_i(x), always as many numbers for the same i, or none; leaves x as it is. The array may be the same in each call. */
  blockResiduals(index: number, x: Float64Array): ArrayLike<number> | Promise<ArrayLike<number>>;
  /** J_i, the derivatives of r_i, with n columns. Left out: by differences. Where all are sparse, so is the whole. */
  readonly blockJacobian?:
    | ((
        index: number,
        x: Float64Array,
      ) => MatrixLike | SparseMatrixLike | Promise<MatrixLike | SparseMatrixLike>)
    | undefined;
  /** Names problem and data in checkpoints. */
  readonly fingerprint?: string | undefined;
}

export function isResidualBlocks(problem: unknown): problem is ResidualBlocks {
  if (typeof problem !== "object" || problem === null) return false;
  const of = (name: string): unknown => Reflect.get(problem, name);
  return (
    [of("dimension"), of("count")].every((size) => Number.isSafeInteger(size) && Number(size) >= 1) &&
    typeof of("blockResiduals") === "function" &&
    (of("blockJacobian") === undefined || typeof of("blockJacobian") === "function")
  );
}

export const residualBlocks: Option<ResidualBlocks> = option(
  "an object { dimension, count, blockResiduals, blockJacobian? }: two whole numbers of at least 1, and functions (index, x)",
  isResidualBlocks,
);
