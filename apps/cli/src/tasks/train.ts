/**
 * The work of `curvature train` on data in memory: a model and its figures, on the training rows, on test rows, and
 * by cross-validation.
 */
import { CurvatureError, selectRows } from "@curvature/linalg";
import type { Iteration } from "@curvature/optim-core";
import {
  LinearClassifier,
  type LinearClassifierOptions,
  type LinearDetails,
  type LinearFitOptions,
  type LinearFitResult,
  type LinearModel,
  LinearRegressor,
  type LinearRegressorOptions,
  saveModel,
} from "@curvature/optim-sgdqn";
import { unseenWarning } from "../column-names.js";
import { failureOf } from "../failure.js";
import type { RowsRead } from "../index-base.js";
import { shownName } from "../input.js";
import { checkModelFits } from "../memory.js";
import { inOwnWords } from "../own-words.js";
import type { Step } from "../progress.js";
import type { ReportedResult } from "../report.js";
import { checkFolds, foldOf, placesWhere, selectedLabels, testShare, writtenOut } from "../row-selection.js";
import type { Channel } from "./channel.js";
import { CheckpointFile, type CheckpointRequest, checkpointError } from "./checkpoint-file.js";
import { ErrorCurve } from "./error-curve.js";
import { type CurvePoint, LearningCurve } from "./learning-curve.js";
import {
  checkTestLabels,
  type FeatureNames,
  type Figures,
  figuresOf,
  type LabeledData,
  withFeatureNames,
} from "./linear-model.js";
import { measured } from "./measured.js";
import { plainOptions } from "./plain-options.js";

/** Plain data only. */
export type ModelRequest =
  | { readonly kind: "classification"; readonly options: LinearClassifierOptions }
  | { readonly kind: "regression"; readonly options: LinearRegressorOptions };

export interface TrainTaskInput {
  readonly request: ModelRequest;
  readonly data: LabeledData;
  /** What the rows' LIBSVM text counts its features from. */
  readonly indexBase: 0 | 1 | undefined;
  /** The names of its columns, of a table that has names. */
  readonly columns: readonly string[] | undefined;
  /** Rows to test on, with their file, or the share of the data that is set apart for it. */
  readonly test: (LabeledData & Pick<RowsRead, "path">) | number | undefined;
  readonly folds: number | undefined;
  /** Whether the test rows are looked at on the way. */
  readonly curve: boolean;
  readonly checkpoint: CheckpointRequest | undefined;
}

export interface TrainTaskOutput {
  /** Undefined if the training came to nothing that could be used. */
  readonly model: Uint8Array | undefined;
  readonly modelKind: ModelRequest["kind"];
  readonly rows: number;
  readonly features: number;
  readonly classes: readonly (string | number)[];
  readonly result: ReportedResult & { readonly usable: boolean };
  /** What the search for λ tried, the largest first; empty without one. */
  readonly triedLambdas: LinearFitResult["triedLambdas"];
  readonly gap: number | undefined;
  readonly certificate: string | undefined;
  readonly training: Figures | undefined;
  readonly test: Figures | undefined;
  readonly folds: readonly Figures[];
  /** The cost, where it was known on the way. */
  readonly curve: readonly CurvePoint[];
  /** How wrong the rows were on the way, where that was looked at: a share, of numbers the root mean squared error. */
  readonly trainingCurve: readonly CurvePoint[];
  readonly testCurve: readonly CurvePoint[];
  readonly options: Readonly<Record<string, unknown>>;
  readonly phases: Readonly<Record<string, number>>;
  readonly warnings: readonly string[];
  readonly checkpointFailure: string | undefined;
}

export async function trainTask(input: TrainTaskInput, channel: Channel): Promise<TrainTaskOutput> {
  const { request, checkpoint } = input;
  const { seed = 0, scale } = request.options;
  const grouped = request.kind === "classification";
  const dense = scale === "standard" ? { ...input.data, rows: writtenOut(input.data.rows) } : input.data;
  const { data, test } = parted(dense, input.test, grouped, seed);
  checkModelFits(data.rows.columns, modelsOf(request, data));
  if (typeof input.test === "object") checkTestLabels(request.kind, givenClasses(request), data, input.test);
  if (input.folds !== undefined) checkFolds(dense.labels, input.folds, grouped);
  const file = checkpoint && new CheckpointFile(checkpoint, channel.warning);
  const resume = checkpoint?.resume ? file?.read() : undefined;
  const curve = new LearningCurve();
  const way = input.curve ? new ErrorCurve() : undefined;
  let looked = -1;
  channel.phase("training");
  const { model, result } = await fitted(request, data, {
    ...(file === undefined ? {} : { checkpoint: file.options }),
    ...(resume === undefined ? {} : { resume }),
    signal: channel.signal,
    onIteration: (iteration, { elapsedSeconds, last }) => {
      curve.add(iteration);
      const pass = Math.floor(iteration.passes);
      if (iteration.value !== undefined || pass > looked) way?.look(iteration.passes, last.x);
      looked = pass;
      channel.step(stepOf(iteration, elapsedSeconds));
    },
  }).catch((error: unknown) => {
    throw checkpoint === undefined ? error : checkpointError(checkpoint.path, error);
  });
  const measuring = performance.now();
  if (result.usable) channel.phase("measuring the model");
  const testPath = typeof input.test === "object" ? input.test.path : "test";
  const warnings: string[] = [];
  const warn = (sentence: string): unknown => warnings.push(sentence);
  const figuresOn = (what: string, rows: LabeledData | undefined): Figures | undefined =>
    result.usable && rows !== undefined
      ? measured(`The model on ${what}`, () => figuresOf(model, rows), warn)
      : undefined;
  const training = figuresOn("the rows that it was trained on", data);
  const testFigures = figuresOn("the test rows", test);
  if (result.usable && test !== undefined) warnings.push(...unseenIn(model, test.rows, shownName(testPath)));
  const metrics = (performance.now() - measuring) / 1000;
  const validated = performance.now();
  const folds = result.usable ? await crossValidated(request, dense, input.folds, channel, warn) : [];
  const crossValidation = input.folds === undefined ? {} : { crossValidation: seconds(validated) };
  const output = trainedOutput(model, result, curve.points, input);
  return {
    ...output,
    warnings: [...output.warnings, ...warnings],
    rows: data.rows.rows,
    training,
    test: testFigures,
    trainingCurve: result.usable ? (way?.points(model, data) ?? []) : [],
    testCurve: result.usable && test !== undefined ? (way?.points(model, test) ?? []) : [],
    folds,
    phases: { ...result.phases, metrics, ...crossValidation },
    checkpointFailure: file?.failure,
  };
}

const givenClasses = (request: ModelRequest) =>
  request.kind === "classification" ? request.options.classes : undefined;

/** Says so if test rows have features that the training has not. */
export function unseenIn(model: LinearModel, rows: LabeledData["rows"], name: string): readonly string[] {
  const sentence = unseenWarning(model.unseenFeatures(rows));
  return sentence === undefined ? [] : [`${name}: ${sentence}`];
}

/** One, or one for each of more than two classes. */
function modelsOf({ kind }: ModelRequest, { labels }: LabeledData): number {
  const classes = kind === "regression" ? 1 : new Set<string | number>(labels).size;
  return classes > 2 ? classes : 1;
}

const seconds = (since: number): number => (performance.now() - since) / 1000;

/** What a training in memory and one on a stream have in common. */
export function trainedOutput(
  model: LinearClassifier | LinearRegressor,
  result: LinearFitResult,
  curve: readonly CurvePoint[],
  names: FeatureNames,
): Omit<
  TrainTaskOutput,
  "rows" | "training" | "test" | "trainingCurve" | "testCurve" | "folds" | "phases" | "checkpointFailure"
> {
  const { value, gradientNorm, iterations, evaluations, passes, elapsedSeconds, status, message, usable } =
    result;
  return {
    model: usable ? saveModel(withFeatureNames(model, names)) : undefined,
    modelKind: model.task,
    features: usable ? model.features : 0,
    classes: usable && model.task === "classification" ? model.classes : [],
    result: {
      ...{ value, gradientNorm, iterations, evaluations, passes, elapsedSeconds, status, usable },
      message: inOwnWords(message),
    },
    triedLambdas: result.triedLambdas,
    gap: result.gap,
    certificate: result.certificate,
    curve,
    options: {
      ...plainOptions(result.options),
      lambda: result.lambda,
      t0: result.t0,
      ...(model.task === "classification" && { classWeights: model.settings.classWeights }),
    },
    warnings: result.warnings.map((sentence) => inOwnWords(sentence)),
  };
}

/** The rows to train on and those to test on. */
function parted(
  data: LabeledData,
  test: TrainTaskInput["test"],
  grouped: boolean,
  seed: number,
): { readonly data: LabeledData; readonly test: LabeledData | undefined } {
  if (typeof test !== "number") return { data, test };
  const marks = testShare(data.labels, test, grouped, seed);
  const parts = [0, 1].map((mark) => part(data, (i) => marks[i] === mark));
  const [kept, tested] = parts;
  if (kept.rows.rows === 0 || tested.rows.rows === 0) {
    throw new CurvatureError(
      "ERR_SHAPE",
      `--test ${test} of ${data.rows.rows} rows leaves ${kept.rows.rows} to train and ${tested.rows.rows} to test on. Give more rows, or another share.`,
      { path: "test", received: test },
    );
  }
  return { data: kept, test: tested };
}

function part({ rows, labels }: LabeledData, keeps: (row: number) => boolean): LabeledData {
  const places = placesWhere(rows.rows, keeps);
  return { rows: selectRows(rows, places), labels: selectedLabels(labels, places), places };
}

/**
 * The figures of each fold, by a model that has not seen it; those until the signal comes. None where one is not to be had: the
 * mean of the others would make a setting look better than it is.
 */
async function crossValidated(
  request: ModelRequest,
  data: LabeledData,
  folds: number | undefined,
  { signal, phase }: Channel,
  warn: (sentence: string) => unknown,
): Promise<Figures[]> {
  if (folds === undefined) return [];
  const { seed = 0 } = request.options;
  const fold = foldOf(data.labels, folds, request.kind === "classification", seed);
  const figures: Figures[] = [];
  for (let k = 0; k < folds && !signal.aborted; k++) {
    const name = `fold ${k + 1} of ${folds}`;
    phase(name);
    try {
      const kept = part(data, (i) => fold[i] !== k);
      const { model, result } = await fitted(request, kept, { signal });
      if (!result.usable) throw new CurvatureError("ERR_NO_CONVERGENCE", result.message);
      if (!signal.aborted)
        figures.push(
          figuresOf(
            model,
            part(data, (i) => fold[i] === k),
          ),
        );
    } catch (error) {
      if (signal.aborted) break;
      warn(`There is no cross-validated figure, since there is none of ${name}: ${failureOf(error).message}`);
      return [];
    }
  }
  return figures;
}

/** @throws CurvatureError as the package; what is wrong with the labels, which are data here, as ERR_PARSE */
async function fitted(
  request: ModelRequest,
  { rows, labels, places }: LabeledData,
  options: LinearFitOptions,
): Promise<{ readonly model: LinearClassifier | LinearRegressor; readonly result: LinearFitResult }> {
  try {
    if (request.kind === "classification") {
      const model = new LinearClassifier(request.options);
      return { model, result: await model.fit(rows, labels, options) };
    }
    const model = new LinearRegressor(request.options);
    return { model, result: await model.fit(rows, Float64Array.from(labels, Number), options) };
  } catch (error) {
    throw asDataError(error, (row) => places?.[row] ?? row);
  }
}

/** An argument of the package's is the user's data here. @param rowOf - the row of the data that a row of the fit is */
export function asDataError(error: unknown, rowOf: (row: number) => number): unknown {
  if (!(error instanceof CurvatureError) || error.code !== "ERR_ARGUMENT") return error;
  const message = inOwnWords(error.message).replace(
    /\brow (\d+) \(counted from 0\)/,
    (_, i: string) => `row ${rowOf(Number(i)) + 1} of the data`,
  );
  return new CurvatureError("ERR_PARSE", message, { path: error.path ?? "", cause: error });
}

export function stepOf(iteration: Iteration<LinearDetails>, elapsedSeconds: number): Step {
  const { index, value, gradientNorm, stepLength, evaluations, passes, phase, details } = iteration;
  const { gap } = details;
  return {
    iteration: index,
    value,
    gradientNorm,
    stepLength,
    evaluations,
    passes,
    elapsedSeconds,
    phase,
    details: gap === undefined ? {} : { gap },
  };
}
