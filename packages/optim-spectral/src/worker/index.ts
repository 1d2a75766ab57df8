/**
 * `@curvature/optim-spectral/worker`: `embed` and `transform` off the caller's thread, by a worker of a page or a thread of Node's.
 *
 *   import { embed } from "@curvature/optim-spectral/worker";
 *   const { embedding } = await embed(points, { perplexity: 10, onIteration: ({ index }) => draw(index), signal });
 */
import {
  badOption,
  CurvatureError,
  flag,
  type OptionsOf,
  optionTable,
  type SparseMatrixLike,
  shown,
} from "@curvature/linalg";
import type { Facade, FacadeSteps } from "@curvature/optim-core";
import { embedOptions } from "../embed-options.js";
import type { EmbedResult } from "../embed-run.js";
import type { EmbeddingDetails } from "../immediate-solver.js";
import { MapModel } from "../map-model.js";
import type { MapParts, PlacedPoints } from "../map-parts.js";
import type { EmbedInput } from "../source.js";
import { transformOptions } from "../transform-options.js";
import { errorOf, type PlainError } from "./messages.js";
import { buffersOf, sendable, sendableInput } from "./sendable.js";
import { session, toEnd } from "./session.js";

export { setWorkerScript } from "./host.js";

const transfer = /* @__PURE__ */ flag.default(false);

export const workerEmbedOptions = optionTable({
  ...embedOptions.entries,
  /**
   * Gives the memory of the points to the worker, which saves a copy: the caller's typed arrays are empty from then on. Not before the
   * worker has started; and with `resume` or a GPU, which may be refused after long, the points are copied in spite of it. Points that
   * are refused themselves are gone with it.
   */
  transfer,
});
export type WorkerEmbedOptions = OptionsOf<typeof workerEmbedOptions>;

export const workerTransformOptions = optionTable({
  ...transformOptions.entries,
  /** Gives the memory of the new points to the worker, once it has started, as that of `embed`. */
  transfer,
});
export type WorkerTransformOptions = OptionsOf<typeof workerTransformOptions>;

/**
 * `embed` of the package in a worker of its own, which is started for this call and ends with it: same arguments, result, errors
 * (with code and details) and bits. The points are copied, unless `transfer` gives them away; what the result holds is handed over.
 *
 * `onIteration`, `onPhase` and `checkpoint.write` are called here, and the worker waits for them. An abort ends the worker: at once
 * before the optimisation, and with a result after the iteration that is under way. `metric` is a name. The result's `transform` has a worker of
 * its own, too; its `model` is for `saveMap`, and places points on the thread that asks for it.
 *
 *   const { embedding } = await embed([[0, 0], [0, 1], [5, 5], [5, 6]], { perplexity: 1.5 });
 *
 * @throws CurvatureError (the promise rejects) as `embed` does; ERR_OPTION for a metric that is a function and for a device, ERR_ARGUMENT for data
 *   that cannot be posted, ERR_IO for a worker that cannot be started: a content policy must allow `worker-src 'self'`
 */
export const embed: Facade<
  [points: EmbedInput, options?: WorkerEmbedOptions],
  EmbeddingDetails,
  EmbedResult
> = /* @__PURE__ */ Object.assign(
  (points: EmbedInput, options?: WorkerEmbedOptions) => toEnd(embedded(points, options, false)),
  { iterate: (points: EmbedInput, options?: WorkerEmbedOptions) => embedded(points, options, true) },
);

async function* embedded(
  input: EmbedInput,
  given: WorkerEmbedOptions | undefined,
  isStepwise: boolean,
): FacadeSteps<EmbeddingDetails, EmbedResult> {
  const { transfer, ...resolved } = workerEmbedOptions.resolve("embed", given);
  const { onIteration, onPhase, signal, checkpoint, metric, initialization, device, ...plain } = resolved;
  if (typeof device === "object")
    throw badOption(
      "embed",
      "device",
      '"auto", since no device can be posted to a worker: it opens one',
      device,
    );
  if (typeof metric === "function")
    throw badOption(
      "embed",
      "metric",
      'the name of a metric, since no function can be posted to a worker; give the distances of your own in its place ({ distances }), or call embed of "@curvature/optim-spectral" in a worker of your own',
      metric,
    );
  const points = sendableInput(input);
  const { resume, gradient, neighborSearch } = resolved;
  const gives = transfer && resume === undefined && gradient !== "gpu" && neighborSearch !== "gpu";
  const options = {
    ...{ ...plain, metric, initialization: sendable(initialization, "initialization") },
    ...(checkpoint === undefined
      ? {}
      : {
          checkpoint: { everySeconds: checkpoint.everySeconds, everyIterations: checkpoint.everyIterations },
        }),
  };
  const calls = { onIteration, onPhase, write: checkpoint?.write.bind(checkpoint) };
  const task = { name: "embed", points, options, isStepwise } as const;
  const result = yield* session(task, calls, signal, gives ? buffersOf(points) : []);
  return resultOf(result as PlainResult);
}

/** A result on its way: a map that places points as its parts, and what was thrown as plain data. */
export type PlainResult = Omit<EmbedResult, "model" | "transform" | "cause"> & {
  readonly parts: MapParts | undefined;
  readonly cause: PlainError | undefined;
};

function resultOf({ parts, cause, ...rest }: PlainResult): EmbedResult {
  const model = parts && new MapModel(parts);
  return {
    ...rest,
    cause: cause && errorOf(cause),
    model,
    transform: (newPoints, options) => transformed(model, newPoints, options),
  };
}

/**
 * New points in a finished map, by a worker of its own, which ends with the call: `transform` of a model, of `embed` or `loadMap`.
 *
 * @param map - what `embed` returned, or its model; copied
 * @throws CurvatureError (the promise rejects) as `MapModel.transform` does; ERR_ARGUMENT for what is no map or cannot be posted,
 *   ERR_IO for a worker that cannot be started; the signal's reason if it is aborted
 */
export const transform = (
  map: MapModel | { readonly model: MapModel | undefined },
  newPoints: SparseMatrixLike,
  options?: WorkerTransformOptions,
): Promise<PlacedPoints> => transformed(map instanceof MapModel ? map : map?.model, newPoints, options);

async function transformed(
  model: MapModel | undefined,
  newPoints: SparseMatrixLike,
  given: WorkerTransformOptions | undefined,
): Promise<PlacedPoints> {
  const { transfer, onPhase, signal } = workerTransformOptions.resolve("transform", given);
  if (!(model instanceof MapModel)) throw noMap(model);
  const map = model.parts;
  const rows = sendable(newPoints, "newPoints");
  const steps = session(
    { name: "transform", map, newPoints: rows },
    { onPhase },
    signal,
    transfer ? buffersOf(rows) : [],
  );
  return (await toEnd(steps)) as PlacedPoints;
}

const noMap = (received: unknown): CurvatureError =>
  new CurvatureError(
    "ERR_ARGUMENT",
    `transform takes what embed returned of points, or its model; received ${shown(received)}. A map of what was given in place of points, or under another metric than euclidean, cosine, correlation and hellinger, places no new ones.`,
    { path: "map", expected: "an EmbedResult or a MapModel", received },
  );
