/** From data and settings to the layers that `run` drives: Gram operator → plan → method of each layer. */
import { badOption, type MatrixLike } from "@curvature/linalg";
import { fingerprintOf } from "@curvature/optim-core";
import type { Gram } from "./gram/gram.js";
import { gramOfDistances, gramOfMatrix } from "./gram/gram-of-matrix.js";
import { gramOfPoints } from "./gram/gram-of-points.js";
import type { LayerPlan } from "./layer-plan.js";
import { Layers } from "./layers.js";
import type { NomadSettings } from "./nomad-options.js";
import { checkClusters } from "./problem.js";
import { methodNamed } from "./solvers/method.js";

/** @throws CurvatureError ERR_SHAPE, ERR_NON_FINITE or ERR_ARGUMENT for the data, ERR_OPTION, ERR_MEMORY */
export function layersOf(data: MatrixLike, settings: NomadSettings): Layers {
  const gram = gramOf(data, settings);
  const plan = checkedPlan(gram.n, settings);
  const { solver, tolerance, seed } = settings;
  const origin = fingerprintOf(solver, seed, JSON.stringify(plan), String(settings.certify));
  return new Layers(gram, { name: solver, tolerance, plan, make: methodNamed(settings), origin });
}

/** @throws CurvatureError ERR_OPTION for a K of more than n or less than 1 */
function checkedPlan(n: number, { layers, clusters }: NomadSettings): LayerPlan {
  if (clusters !== undefined) checkClusters("nomad", clusters, n);
  if (layers === "auto") return { kind: "automatic", final: clusters };
  const wrong = layers.find((K) => !(K >= 1 && K <= n));
  if (wrong !== undefined)
    throw badOption("nomad", "layers", `numbers from 1 to ${n}, the number of points`, wrong);
  return { kind: "given", clusters: layers };
}

function gramOf(data: MatrixLike, { input, scale, memoryLimit }: NomadSettings): Gram {
  switch (input) {
    case "points":
      return gramOfPoints(data, { scale, memoryLimit });
    case "gram":
      return gramOfMatrix(data, { memoryLimit });
    case "distances":
      return gramOfDistances(data, { memoryLimit });
  }
}
