/**
 * The façade: points in, clusters and disentangled manifolds out, with a certificate. Gram operator → layers → run → geometry.
 */
import type { MatrixLike } from "@curvature/linalg";
import {
  anyOf,
  maxIterations,
  type RunOptions,
  reopened,
  run,
  type StoppingRule,
  timed,
  timeLimit,
} from "@curvature/optim-core";
import { type NomadDetails, type NomadOptions, type NomadSettings, nomadSettings } from "./nomad-options.js";
import type { NomadResult } from "./nomad-result.js";
import { nomadWarnings } from "./nomad-warnings.js";

/**
 * Clusters points, or disentangles the manifolds that they lie on, by the nonnegative semidefinite programme NOMAD, and says how far
 * the answer is from the best possible one.
 *
 *   maximise Tr(D Q)  s.t.  Q = Qᵀ, Q 1 = 1, Tr Q = K, Q ⪰ 0, Q ≥ 0
 *
 * Interrupted at any time it returns the best feasible Q with its gap. The event loop gets its turn between the phases, and
 * within the optimisation every `yieldEvery` milliseconds.
 *
 * @param data - n × d points, one per row; or with `input` an n × n Gram matrix or distances
 * @throws CurvatureError (the promise rejects) ERR_SHAPE, ERR_NON_FINITE or ERR_ARGUMENT for the data, ERR_OPTION, ERR_MEMORY
 *   with how much is needed, ERR_CHECKPOINT or ERR_SNAPSHOT for `resume`; the signal's reason if it is aborted before the run
 */
export async function nomad(data: MatrixLike, options?: NomadOptions): Promise<NomadResult> {
  const settings = nomadSettings(options);
  const signal = options?.signal;
  const [{ layersOf }, { readings }] = await Promise.all([
    import("./prepare-layers.js"),
    import("./readings.js"),
  ]);
  const prepared = await timed(() => layersOf(data, settings), signal);
  const layers = prepared.value;
  const result = await run(layers, { ...runOptions(options), stop: stoppingRule(settings) });
  const read = await timed(() => readings(layers, settings), undefined);
  const { layer, ...found } = read.value;
  return {
    ...result,
    ...found,
    value: found.lower,
    options: { ...result.options, ...reported(settings) },
    phases: {
      gram: prepared.seconds,
      optimization: result.elapsedSeconds,
      geometry: read.seconds,
    },
    warnings: nomadWarnings(result, layers, layer, settings),
  };
}

/** What goes to `run` as it is. */
function runOptions(options: NomadOptions | undefined): RunOptions<NomadDetails> {
  const { signal, onIteration, yieldEvery, checkpoint, resume, history } = options ?? {};
  return {
    ...(signal === undefined ? {} : { signal }),
    ...(onIteration === undefined ? {} : { onIteration }),
    ...(yieldEvery === undefined ? {} : { yieldEvery }),
    ...(checkpoint === undefined ? {} : { checkpoint }),
    ...(resume === undefined ? {} : { resume: reopened(resume) }),
    ...(history === undefined ? {} : { history }),
  };
}

function stoppingRule({ maxIterations: most, maxSeconds }: NomadSettings): StoppingRule {
  return anyOf(
    maxIterations(most),
    ...(maxSeconds === Number.POSITIVE_INFINITY ? [] : [timeLimit(maxSeconds)]),
  );
}

/** The settings as plain data. */
function reported(settings: NomadSettings): Readonly<Record<string, unknown>> {
  const { layers } = settings;
  return { ...settings, layers: typeof layers === "string" ? layers : layers.join(",") };
}
