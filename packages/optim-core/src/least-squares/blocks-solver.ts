/** The solver of sums of residual blocks: what it does is loaded when it is called and its arguments are in order. */
import { checkArgument, flag, integerFrom, type OptionsOf, optionTable } from "@curvature/linalg";
import { pointOf } from "../solvers/start.js";
import type { IncrementalGaussNewton } from "./incremental-gauss-newton.js";
import { type ResidualBlocks, residualBlocks } from "./residual-blocks.js";

export const incrementalGaussNewtonOptions = optionTable({
  /** Seed of the order of the blocks. */
  seed: integerFrom(0).default(0),
  /** Blocks under way at once, where they are promises. */
  concurrency: integerFrom(1).default(1),
  /** Whether it goes on from a snapshot; then the form of the Jacobian is looked at once more. */
  isResumed: flag.default(false),
});
export type IncrementalGaussNewtonOptions = OptionsOf<typeof incrementalGaussNewtonOptions>;

/**
 * The solver of a sum of blocks, once their residuals at the start are there; these are its first pass.
 *
 * @param start - n numbers
 * @throws CurvatureError (the promise rejects) ERR_OPTION; ERR_ARGUMENT, ERR_SHAPE or ERR_NON_FINITE for the blocks, the start, and
 *   the residuals there; whatever these throw
 * @example
 * const blocks = { dimension: 1, count: 4, blockResiduals: (i, [x]) => [x * x - i] };
 * const solver = await incrementalGaussNewton(blocks, [1]);
 * const { x } = await run(solver, { stop: maxPasses(100) }); // √1.5
 */
export async function incrementalGaussNewton(
  blocks: ResidualBlocks,
  start: ArrayLike<number>,
  options?: IncrementalGaussNewtonOptions,
): Promise<IncrementalGaussNewton> {
  const name = "incrementalGaussNewton";
  const { seed, concurrency, isResumed } = incrementalGaussNewtonOptions.resolve(name, options);
  checkArgument(name, "blocks", residualBlocks, blocks);
  const x = pointOf(name, start, blocks.dimension);
  const { incrementalFrom } = await import("./incremental-gauss-newton.js");
  return incrementalFrom(blocks, x, seed, concurrency, isResumed);
}
