/**
 * The work of `curvature train` on data in memory: a model and its figures, on the training rows, on test rows, and
 * by cross-validation.
 */
import type { Iteration } from "@curvature/optim-core";
import {
  type Label,
  type LinearDetails,
  type LinearFitResult,
  type LinearModel,
  saveModel,
} from "@curvature/optim-sgdqn";
import { runNotes, runWarnings } from "../read/data-warnings.js";
import { shownName } from "../read/file.js";
import { type RowsRead, unseenWarning, writtenOut } from "../read/rows.js";
import type { Step } from "../run/log.js";
import { checkModelFits } from "../run/memory.js";
import { CheckpointFile, type CheckpointRequest, checkpointError } from "../write/checkpoint-file.js";
import type { ReportedResult } from "../write/report.js";
import { plainOptions } from "../write/report.js";
import type { Channel } from "./channel.js";
import { crossValidated } from "./cross-validated.js";
import { type CurvePoint, ErrorCurve, LearningCurve } from "./learning-curve.js";
import {
  checkTestLabels,
  type Figures,
  figuresOf,
  type KnownRows,
  type LabeledData,
  unknownLabels,
  withKnownRows,
} from "./linear-model.js";
import { measured } from "./measured.js";
import { fitted, type ModelRequest } from "./model-fit.js";
import { checkFolds, parted } from "./row-selection.js";

export interface TrainTaskInput {
  readonly request: ModelRequest;
  readonly data: LabeledData;
  /** How the rows were read. */
  readonly known: KnownRows;
  /** Rows to test on, with their file, or the share of the data that is set apart for it. */
  readonly test: (LabeledData & Pick<RowsRead, "path">) | number | undefined;
  readonly folds: number | undefined;
  /** Whether errors are measured on the way, too. */
  readonly curve: boolean;
  readonly checkpoint: CheckpointRequest | undefined;
}

export interface TrainTaskOutput {
  /** Undefined if the training gave nothing usable. */
  readonly model: Uint8Array | undefined;
  readonly modelKind: ModelRequest["kind"];
  readonly rows: number;
  readonly features: number;
  readonly classes: readonly Label[];
  readonly result: ReportedResult & { readonly usable: boolean };
  /** What the search for λ tried, the largest first; empty without one. */
  readonly triedLambdas: LinearFitResult["triedLambdas"];
  readonly lambdaRule: LinearFitResult["lambdaRule"];
  readonly leftOut: LinearFitResult["leftOut"];
  readonly multiclass: LinearFitResult["multiclass"];
  readonly gap: number | undefined;
  readonly certificate: string | undefined;
  readonly training: Figures | undefined;
  readonly test: Figures | undefined;
  readonly folds: readonly Figures[];
  /** The cost, where it was known on the way. */
  readonly curve: readonly CurvePoint[];
  /** How wrong the rows were on the way, where that was measured: a share, of numbers the root mean squared error. */
  readonly trainingCurve: readonly CurvePoint[];
  readonly testCurve: readonly CurvePoint[];
  readonly options: Readonly<Record<string, unknown>>;
  readonly phases: Readonly<Record<string, number>>;
  readonly warnings: readonly string[];
  readonly notes: readonly string[];
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
    checkpoint: file?.options,
    resume,
    signal: channel.signal,
    onIteration: (iteration, { elapsedSeconds, last }) => {
      curve.add(iteration);
      const pass = Math.floor(iteration.passes);
      if (iteration.value !== undefined || pass > looked) way?.record(iteration.passes, last.x);
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
  if (result.usable && test !== undefined) warnings.push(...unknownIn(model, test, shownName(testPath)));
  const metrics = (performance.now() - measuring) / 1000;
  const validated = performance.now();
  const folds = result.usable ? await crossValidated(request, dense, input.folds, channel, warn) : [];
  const phases = { ...result.phases, metrics };
  const crossValidation = seconds(validated);
  const output = trainedOutput(model, result, curve.points, input.known);
  return {
    ...output,
    warnings: [...output.warnings, ...warnings],
    rows: data.rows.rows,
    training,
    test: testFigures,
    trainingCurve: result.usable ? (way?.points(model, data) ?? []) : [],
    testCurve: result.usable && test !== undefined ? (way?.points(model, test) ?? []) : [],
    folds,
    phases: input.folds === undefined ? phases : { ...phases, crossValidation },
    checkpointFailure: file?.failure,
  };
}

const givenClasses = (request: ModelRequest) =>
  request.kind === "classification" ? request.options.classes : undefined;

/** Says so if test rows have features, or labels, that the training has not. */
export const unknownIn = (
  model: LinearModel,
  test: Pick<LabeledData, "rows" | "labels">,
  name: string,
): readonly string[] =>
  [unseenWarning(model.unseenFeatures(test.rows)), unknownLabels(model, test)].flatMap((sentence) =>
    sentence === undefined ? [] : [`${name}: ${sentence}`],
  );

/** One, or one for each of more than two classes. */
function modelsOf({ kind }: ModelRequest, { labels }: LabeledData): number {
  const classes = kind === "regression" ? 1 : new Set<string | number>(labels).size;
  return classes > 2 ? classes : 1;
}

const seconds = (since: number): number => (performance.now() - since) / 1000;

/** What a training in memory and one on a stream have in common. */
export function trainedOutput(
  model: LinearModel,
  result: LinearFitResult,
  curve: readonly CurvePoint[],
  known: KnownRows,
): Omit<
  TrainTaskOutput,
  "rows" | "training" | "test" | "trainingCurve" | "testCurve" | "folds" | "phases" | "checkpointFailure"
> {
  const { value, gradientNorm, iterations, evaluations, passes, elapsedSeconds, status, message, usable } =
    result;
  const options = { ...plainOptions(result.options), lambda: result.lambda, t0: result.t0 };
  return {
    model: usable ? saveModel(withKnownRows(model, known)) : undefined,
    modelKind: model.task,
    features: usable ? model.features : 0,
    classes: usable && model.task === "classification" ? model.classes : [],
    result: { value, gradientNorm, iterations, evaluations, passes, elapsedSeconds, status, usable, message },
    triedLambdas: result.triedLambdas,
    lambdaRule: result.lambdaRule,
    leftOut: result.leftOut,
    multiclass: result.multiclass,
    gap: result.gap,
    certificate: result.certificate,
    curve,
    options:
      model.task === "classification" ? { ...options, classWeights: model.settings.classWeights } : options,
    warnings: runWarnings(result.warnings),
    notes: runNotes(result.warnings),
  };
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
    details: { gap },
  };
}
