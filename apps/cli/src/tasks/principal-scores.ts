/** Data by their principal components. */
import {
  type DenseMatrix,
  lostComponents,
  type PrincipalComponents,
  type PrincipalThreads,
  principalComponents,
  type SparseMatrix,
} from "@curvature/linalg";

export interface PrincipalScores {
  readonly scores: DenseMatrix;
  /** What takes other rows to scores. */
  readonly components: Pick<PrincipalComponents, "components" | "means">;
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
  threads?: PrincipalThreads,
): PrincipalScores {
  const { scores, variances, components, means } = principalComponents(points, { count, threads });
  return { scores, components: { components, means }, warnings: lostComponents(variances, remedy) };
}

/** Threads for them; their code is loaded only if any are asked for. */
export async function principalThreadsFor(
  threads: number | "auto" | undefined,
): Promise<PrincipalThreads | undefined> {
  if (threads === undefined || threads === 1) return undefined;
  const { principalThreads } = await import("@curvature/linalg/threads");
  return principalThreads(threads);
}
