/** Data by their principal components. */
import { type DenseMatrix, principalComponents, type SparseMatrix } from "@curvature/linalg";

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
  const lost = variances.filter((variance) => variance === 0).length;
  if (lost === 0 || lost === variances.length) return { scores, warnings: [] };
  return {
    scores,
    warnings: [
      `${lost} of the ${variances.length} principal components vary not at all, or by less than a millionth of the first, and are lost to rounding. If a column or a few points are far larger than the others, ${remedy}, or leave these points out.`,
    ],
  };
}
