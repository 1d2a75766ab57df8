/** A thread's side of principal components. */
import { GramWork, storedRows } from "../dense/gram-work.js";
import type { GramTask } from "../dense/principal-threads.js";
import { enableSimd } from "../simd/index.js";
import { SharedUnits } from "./units.js";
import type { ThreadKernels } from "./worker-pool.js";

export interface PrincipalTask {
  readonly task: GramTask;
  readonly units: Int32Array;
  /** Number of the first unit of those that are under way. */
  readonly first: Int32Array;
}

export function servePrincipal({ task, units, first, kernels }: PrincipalTask & ThreadKernels): void {
  enableSimd({ module: kernels });
  const work = new GramWork(task, storedRows(task.A, task.columns));
  new SharedUnits(units).serve((unit) => work.do(unit - first[0]));
}
