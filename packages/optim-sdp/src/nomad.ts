/**
 * The façade: points in, clusters and disentangled manifolds out, with a certificate. What it does is loaded when it is called.
 */
import type { MatrixLike } from "@curvature/linalg";
import { type FacadeSteps, facade } from "@curvature/optim-core";
import { type NomadDetails, type NomadOptions, nomadSettings } from "./nomad-options.js";
import type { NomadResult } from "./nomad-result.js";

/**
 * Clusters points, or disentangles the manifolds that they lie on, by the nonnegative semidefinite programme NOMAD, and says how far
 * the answer is from the best possible one.
 *
 *   maximise Tr(D Q)  s.t.  Q = Qᵀ, Q 1 = 1, Tr Q = K, Q ⪰ 0, Q ≥ 0
 *
 * Interrupted at any time it returns the best feasible Q with its gap. The event loop gets its turn between the phases, and
 * within the optimisation every `yieldEvery` milliseconds. `nomad.iterate` gives it iteration by iteration.
 *
 * With points and one layer of a whole K the labels have a certificate of their own beside that of Q: `cost`, `costLower` and
 * `costGap`; `clusterPoints` ends by it.
 *
 * The first argument is n × d points, one per row; or with `input` an n × n Gram matrix or distances.
 *
 * @throws CurvatureError (the promise rejects) ERR_OPTION; ERR_SHAPE, ERR_NON_FINITE or ERR_ARGUMENT for the data, ERR_MEMORY
 *   with how much is needed, ERR_CHECKPOINT or ERR_SNAPSHOT for `resume`; the signal's reason if it is aborted before the run
 */
export const nomad = facade(async function* (
  data: MatrixLike,
  options?: NomadOptions,
): FacadeSteps<NomadDetails, NomadResult> {
  const settings = nomadSettings(options);
  const { solved } = await import("./nomad-run.js");
  return yield* solved(data, settings, "matrix", { isGiven: true });
});
