/** A stream from its first batch to its last, driven by `run`. */
import { CurvatureError } from "@curvature/linalg";
import { fingerprintOf, run, throwIfAborted } from "@curvature/optim-core";
import type { Stream } from "../fit/data.js";
import type { LinearFitOptions, LinearFitResult } from "../fit/result.js";
import { runOptions, trimmed } from "../fit/run-options.js";
import type { Settings } from "../fit/task.js";
import { type BatchLearner, StreamSolver } from "./stream-solver.js";

/** What of the model the result tells. */
interface Summary {
  readonly lambda: number;
  readonly bias: string;
  readonly solver: string;
}

/**
 * @param summary - of the learner's model after the stream
 * @throws CurvatureError as `LinearClassifier.fitStream`; whatever the stream throws; the signal's reason if it is aborted
 *   before the first batch
 */
export async function fitStream<Batch>(
  source: Stream<Batch>,
  learner: BatchLearner<Batch>,
  settings: Settings,
  options: LinearFitOptions,
  summary: () => Summary | undefined,
): Promise<LinearFitResult> {
  if (options.sampleWeights !== undefined)
    throw new CurvatureError(
      "ERR_OPTION",
      "fitStream: the weights of rows come with their batches ({ rows, labels, sampleWeights }).",
      { path: "sampleWeights" },
    );
  const { maxPasses, maxSeconds, ...identity } = settings; // limits may be others after a resume
  const solver = new StreamSolver(source, learner, maxPasses ?? 1, fingerprintOf(JSON.stringify(identity)));
  const ran = await run(solver, runOptions(options, { maxSeconds })).finally(() => solver.close());
  if (ran.status === "failed") throw ran.cause;
  const model = summary();
  if (model === undefined) {
    throwIfAborted(options.signal);
    throw new CurvatureError("ERR_ARGUMENT", "fitStream: the stream has no rows.", { path: "source" });
  }
  return {
    ...ran,
    history: trimmed(ran.history, options.history),
    gap: undefined,
    certificate: undefined,
    t0: learner.t0,
    lambda: model.lambda,
    triedLambdas: [],
    phases: { preparation: 0, lambda: 0, optimization: ran.elapsedSeconds, calibration: 0 },
    warnings: [],
    options: {
      ...ran.options,
      ...settings,
      scale: settings.scale === "auto" ? "none" : settings.scale,
      ...model,
    },
  };
}
