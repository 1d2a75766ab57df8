/** The order in which a heat map shows the points. */

import type { Still } from "./task.js";
import type { NomadRun } from "./use-run.js";

/** That of the solution, once there is one; before it by component, and within one as the points are given. */
export function orderOf({ answer }: NomadRun, still: Still): Int32Array {
  if (answer !== undefined) return answer.order;
  return byComponent(still.componentOf);
}

function byComponent(componentOf: Int32Array): Int32Array {
  const order = Int32Array.from(componentOf, (_, i) => i);
  return order.sort((i, j) => componentOf[i] - componentOf[j] || i - j);
}
