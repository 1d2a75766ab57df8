/** A stream from its first batch to its last. */
import { CurvatureError, optionName } from "@curvature/linalg";
import { type FacadeSteps, fingerprintOf, throwIfAborted } from "@curvature/optim-core";
import type { LinearDetails } from "../details.js";
import type { Stream } from "../fit/data.js";
import type { FittedModel } from "../fit/fitted.js";
import type { LinearFitSettings, LinearSettings } from "../fit/options.js";
import type { LinearFitResult } from "../fit/result.js";
import { keptOf, linearRun, reportOf, trimmed } from "../fit/train.js";
import type { Concern } from "./online-fit.js";
import { type BatchLearner, StreamSolver } from "./stream-solver.js";

/** What learns from a stream, with the model that it has learned. */
interface StreamLearner<Batch> extends BatchLearner<Batch> {
  fitted(): FittedModel | undefined;
  readonly concerns: readonly Concern[];
}

/**
 * @throws CurvatureError as `LinearClassifier.fitStream`; whatever the stream throws; the signal's reason if it is aborted
 *   before the first batch
 */
export async function* fitStream<Batch>(
  source: Stream<Batch>,
  learner: StreamLearner<Batch>,
  settings: LinearSettings,
  fit: LinearFitSettings,
): FacadeSteps<LinearDetails, LinearFitResult> {
  if (fit.sampleWeights !== undefined)
    throw new CurvatureError(
      "ERR_OPTION",
      `the weights of rows come with their batches ({ rows, labels, ${optionName("sampleWeights")} }).`,
      { where: "fitStream", path: "sampleWeights" },
    );
  const { maxPasses, maxSeconds, ...identity } = settings; // limits may be others after a resume
  const solver = new StreamSolver(source, learner, maxPasses ?? 1, fingerprintOf(JSON.stringify(identity)));
  const run = linearRun(fit, { maxSeconds });
  try {
    const ran = yield* run.optimize(solver, [], keptOf(fit));
    if (ran.status === "failed") throw ran.cause;
    const model = learner.fitted();
    if (model === undefined) {
      throwIfAborted(fit.signal);
      throw new CurvatureError("ERR_ARGUMENT", "the stream has no rows.", {
        where: "fitStream",
        path: "source",
      });
    }
    for (const [code, sentence] of learner.concerns) run.warn(code, sentence);
    const { lambda, bias, solver: name, lossWidth } = model;
    const scale = model.scaling?.method ?? ("none" as const);
    return {
      ...ran,
      ...reportOf(run),
      history: trimmed(ran.history, fit.history),
      gap: undefined,
      certificate: undefined,
      t0: learner.t0,
      lambda,
      lambdaRule: typeof settings.lambda === "number" ? ("given" as const) : ("size" as const),
      triedLambdas: [],
      leftOut: undefined,
      multiclass: model.multiclass,
      options: { ...ran.options, ...settings, scale, lambda, lossWidth, bias, solver: name },
    };
  } finally {
    await solver.close();
  }
}
