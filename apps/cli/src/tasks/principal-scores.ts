/** Data by their principal components. */
import { type DenseMatrix, lostComponents, principalComponents, type SparseMatrix } from "@curvature/linalg";

export interface PrincipalScores {
  readonly scores: DenseMatrix;
  /** Sentences. */
  readonly warnings: readonly string[];
}

/**
 * The scores of so many components, with a warning where rounding has left nothing of some.
 *
 * @param remedy - against columns of different sizes
 */
export function principalScores(
  points: DenseMatrix | SparseMatrix,
  count: number,
  remedy: string,
): PrincipalScores {
  const { scores, variances } = principalComponents(points, { count });
  return { scores, warnings: lostComponents(variances, remedy) };
}
