/** λ as the user asked for it. */
import { type LinearProblem, rowAccess } from "@curvature/objectives/linear";
import type { Task } from "./task.js";

export interface ChosenLambda {
  readonly lambda: number;
  readonly warnings: readonly string[];
}

/** @param problems - by λ the models' problems, on the scaled rows */
export function chooseLambda(
  problems: (lambda: number) => readonly LinearProblem[],
  { settings }: Task,
): ChosenLambda | Promise<ChosenLambda> {
  const { lambda } = settings;
  if (typeof lambda === "number") return { lambda, warnings: [] };
  return { lambda: defaultLambda(problems(1)[0]), warnings: [] };
}

/** R²/n, R² the mean of ‖x‖²; 1/n where all rows are 0. */
function defaultLambda({ rows }: LinearProblem): number {
  const access = rowAccess(rows);
  let mean = 0;
  for (let i = 0; i < rows.rows; i++) mean += access.squaredNorm(i) / rows.rows;
  return mean > 0 ? mean / rows.rows : 1 / rows.rows;
}
