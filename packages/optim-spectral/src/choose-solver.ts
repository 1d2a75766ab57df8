/** The solver that the options name. Each is loaded when it is asked for: nobody loads the code of all of them for a map. */
import type { DenseMatrix } from "@curvature/linalg";
import type { EmbeddingObjective } from "@curvature/objectives/embedding";
import type { EmbedSettings } from "./embed-settings.js";
import type { ChosenSolver } from "./named-solver.js";

/** @throws CurvatureError (the promise rejects) ERR_NOT_POSITIVE_DEFINITE if the spectral direction's matrix cannot be factored */
export async function chooseSolver(
  objective: EmbeddingObjective,
  start: DenseMatrix,
  settings: EmbedSettings,
): Promise<ChosenSolver> {
  const { solver, method, maxEvaluations, initialization } = settings;
  if (solver === "auto") {
    const { HomotopyLbfgs } = await import("./homotopy-lbfgs.js");
    const shortening = initialization === "random" && method === "tsne" ? "rows" : "step";
    const auto = new HomotopyLbfgs(objective, start, { maxEvaluations, shortening });
    return { solver: auto, warnings: auto.warnings };
  }
  const { namedSolver } = await import("./named-solver.js");
  return namedSolver(solver, objective, start, settings);
}
