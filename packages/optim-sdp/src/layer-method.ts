/**
 * What solves a layer: the blocks of the components that the layer before came to, where they are within the tolerance
 * (see `solvers/closed.ts`), and the solver that was asked for where not. The layer before is the Gram matrix of this one.
 */
import type { Components } from "@curvature/linalg";
import { denseOf, type Solution } from "./geometry/solution.js";
import type { Gram } from "./gram/gram.js";
import { gramOfMatrix } from "./gram/gram-of-matrix.js";
import type { Stage } from "./layer-plan.js";
import { checkMemory, denseBytes } from "./memory.js";
import { blocksOf } from "./solvers/closed.js";
import { closedMethod, type MakeMethod, type Method } from "./solvers/method.js";

/** The gap at which layers before the last one end, unless less is asked of the last one. */
const ROUGH = 1e-2;

/** Whether there is room for the Gram matrix of a layer after the first one, n × n. @throws CurvatureError ERR_MEMORY */
export function checkNextLayer({ n, memoryLimit }: Gram): void {
  checkMemory("nomad", `a second layer of ${n} points`, denseBytes(n, 1), memoryLimit);
}

/**
 * @param gram - of the points
 * @param before - the layer before, of which this one's Gram matrix is made; undefined for the first one
 */
export function methodOf(
  { clusters, isLast }: Stage,
  gram: Gram,
  before: { readonly solution: Solution; readonly components: Components | undefined } | undefined,
  settings: { readonly tolerance: number; readonly make: MakeMethod },
): Method {
  const tolerance = isLast ? settings.tolerance : Math.max(settings.tolerance, ROUGH);
  if (before === undefined) return settings.make({ gram, clusters }, tolerance);
  const { memoryLimit } = gram;
  const { solution, components } = before;
  checkNextLayer(gram);
  const problem = { gram: gramOfMatrix(denseOf(solution), { memoryLimit }), clusters };
  const blocks = components?.count === clusters ? blocksOf(problem, components, tolerance) : undefined;
  return blocks === undefined ? settings.make(problem, tolerance) : closedMethod(blocks);
}
