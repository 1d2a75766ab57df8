/**
 * The façade: points in, clusters and disentangled manifolds out, with a certificate. Gram operator → layers → run → geometry.
 */
import type { MatrixLike } from "@curvature/linalg";
import { FacadeRun, type FacadeSteps, facade, maxIterations, reopened } from "@curvature/optim-core";
import { type NomadDetails, type NomadOptions, type NomadSettings, nomadSettings } from "./nomad-options.js";
import type { NomadResult, NomadUsedOptions, UsedOption } from "./nomad-result.js";

/**
 * Clusters points, or disentangles the manifolds that they lie on, by the nonnegative semidefinite programme NOMAD, and says how far
 * the answer is from the best possible one.
 *
 *   maximise Tr(D Q)  s.t.  Q = Qᵀ, Q 1 = 1, Tr Q = K, Q ⪰ 0, Q ≥ 0
 *
 * Interrupted at any time it returns the best feasible Q with its gap. The event loop gets its turn between the phases, and
 * within the optimisation every `yieldEvery` milliseconds. `nomad.iterate` gives it iteration by iteration.
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
  const { checkedData, layersOf, resultsOf, warn } = await import("./nomad-run.js");
  const matrix = checkedData(data, settings);
  const run = new FacadeRun<NomadDetails, "gram" | "geometry">(settings);
  const layers = await run.phase("gram", () => layersOf(matrix, settings));
  const result = yield* run.optimize(layers, [maxIterations(settings.maxIterations)], {
    resume: settings.resume && reopened(settings.resume),
  });
  const { layer, ...found } = await run.phase("geometry", () => resultsOf(layers, settings));
  warn(run, result, layers, layer, settings);
  return {
    ...result,
    ...found,
    value: found.lower,
    options: { ...result.options, ...used(settings) },
    phases: run.phases("gram", "optimization", "geometry"),
    warnings: run.warnings,
  };
});

/** The settings as plain data. */
function used(settings: NomadSettings): Pick<NomadUsedOptions, UsedOption | "layers"> {
  const { input, scale, solver, tolerance, certify, seed, maxIterations, memoryLimit } = settings;
  const { clusters, layers, maxSeconds } = settings;
  return {
    ...{ input, scale, solver, tolerance, certify, seed, maxIterations, memoryLimit },
    clusters,
    layers: typeof layers === "string" ? layers : layers.join(","),
    maxSeconds,
  };
}
