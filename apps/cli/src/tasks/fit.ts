/**
 * The work of `curvature fit`: a problem, from data or from a module of the user's, and one solver after the other on it
 * from the same point.
 */

import {
  applyScaling,
  CurvatureError,
  type DenseMatrix,
  type Scaling as FittedScaling,
} from "@curvature/linalg";
import { fingerprintOf, type Iteration } from "@curvature/optim-core";
import { shownName } from "../read/file.js";
import type { RowLabels, RowsRead } from "../read/rows.js";
import type { Step } from "../run/log.js";
import { checkProblemFits } from "../run/memory.js";
import { CheckpointFile, type CheckpointRequest, checkpointError } from "../write/checkpoint-file.js";
import type { Channel } from "./channel.js";
import { asDataError } from "./data-error.js";
import { type FitModel, fitModelBytes, usableModel } from "./fit/fit-model.js";
import { checkedInitial, type InitialPoint } from "./fit/initial-point.js";
import { type ObjectiveRequest, problemFromData } from "./fit/objective-problem.js";
import type { FitProblem, ParameterPart } from "./fit/problem.js";
import { problemFromModule } from "./fit/problem-module.js";
import { type RemoteProblem, type RemoteRequest, remoteProblem } from "./fit/remote-problem.js";
import { rescaled } from "./fit/row-scaling.js";
import { type Solved, solve } from "./fit/solve.js";
import type { SolverChoice, SolveSettings } from "./fit/solvers.js";
import { evaluateStart } from "./fit/start-evaluation.js";
import {
  checkTestLabels,
  type Figures,
  figuresOf,
  type KnownRows,
  type LabeledData,
  unknownLabels,
} from "./linear-model.js";
import { measured } from "./measured.js";
import { parted } from "./row-selection.js";
import type { Scaling } from "./scaling.js";

export interface FitTaskInput {
  readonly problem:
    | {
        readonly kind: "data";
        /** Its rows that are held out are prepared, and not rescaled. */
        readonly request: ObjectiveRequest;
        readonly scale: Scaling;
        /** How the rows were read, for the model. */
        readonly known: KnownRows;
        /** Rows to test on, with their file, or the share of the data that is set apart for it. */
        readonly test: (LabeledData & Pick<RowsRead, "path">) | number | undefined;
      }
    | {
        readonly kind: "module";
        readonly path: string;
        readonly name: string;
        /** Whether it must validate. */
        readonly isValidated: boolean;
      };
  /** At least one. */
  readonly solvers: readonly SolverChoice[];
  readonly settings: SolveSettings;
  /** Where subfunctions are evaluated, if not here; of problems made from data. */
  readonly remote: RemoteRequest | undefined;
  /** Where the solvers begin; left out: where the problem says. */
  readonly initial: InitialPoint | undefined;
  readonly checkpoint: CheckpointRequest | undefined;
}

export interface FitTaskOutput {
  readonly dimension: number;
  readonly count: number;
  readonly layout: readonly ParameterPart[] | undefined;
  readonly classes: readonly (string | number)[];
  /** F at the point where all began. */
  readonly initialValue: number;
  /** In the order in which they were asked for; fewer where the user has stopped the command. */
  readonly solved: readonly Solved[];
  /** Which of them found the least value; of held-out rows, where there are some. */
  readonly best: number;
  /** Of labels, at the best point. */
  readonly training: Figures | undefined;
  readonly test: Figures | undefined;
  /** What was held out to end early, where something was, and its figures at the best point where it has labels. */
  readonly validation:
    | { readonly rows: number | undefined; readonly figures: Figures | undefined }
    | undefined;
  /** As a file; undefined for what computes nothing of new rows. */
  readonly model: Uint8Array | undefined;
  readonly phases: Readonly<Record<string, number>>;
  readonly warnings: readonly string[];
  readonly checkpointFailure: string | undefined;
}

export async function fitTask(input: FitTaskInput, channel: Channel): Promise<FitTaskOutput> {
  const { settings, remote, problem: source } = input;
  const started = performance.now();
  const data = source.kind === "data" ? partedData(source, settings.seed) : undefined;
  const made = await problemOf(source, data, settings.seed);
  const rows =
    source.kind === "data" ? { preparation: source.known.preparation, scaling: data?.scaling } : undefined;
  const problem =
    input.initial === undefined ? made : { ...made, initial: checkedInitial(input.initial, made, rows) };
  checkProblemFits(problem.dimension, problem.count);
  if (remote === undefined || source.kind === "module")
    return fitted(named(problem, source), input, data, seconds(started), channel);
  channel.phase("looking for workers");
  const far = await remoteProblem(problem, source.request, source.scale, remote, channel);
  try {
    return await fitted(named(far, source), input, data, seconds(started), channel);
  } finally {
    await far.close();
  }
}

/** @param preparation - seconds that it took */
async function fitted(
  problem: FitProblem | RemoteProblem,
  { problem: source, solvers, settings, checkpoint }: FitTaskInput,
  data: PartedData | undefined,
  preparation: number,
  channel: Channel,
): Promise<FitTaskOutput> {
  const file = checkpoint && new CheckpointFile(checkpoint, channel.warning);
  const resume = checkpoint?.resume ? file?.read() : undefined;
  channel.phase("the first point");
  const looked = performance.now();
  const { value: initialValue, isRepeatable } = await evaluateStart(
    problem,
    settings.concurrency,
    channel.signal,
  );
  const warnings = new Set<string>();
  // SFO looks by itself.
  if (!isRepeatable && !solvers.some(({ isSfo }) => isSfo)) warnings.add(noise);
  const firstPoint = seconds(looked);
  const solved: Solved[] = [];
  for (const choice of solvers) {
    if (solved.length > 0 && channel.signal.aborted) break;
    channel.phase(solvers.length > 1 ? `fitting by ${choice.word}` : "fitting");
    const one = await solve(choice, problem, initialValue, settings, {
      signal: channel.signal,
      checkpoint: file?.options,
      resume,
      onIteration: (iteration, elapsedSeconds) => channel.step(stepOf(iteration, elapsedSeconds)),
    }).catch((error: unknown) => {
      throw checkpoint === undefined ? error : checkpointError(checkpoint.path, error);
    });
    solved.push(one);
    for (const sentence of one.warnings) warnings.add(sentence);
  }
  const figure = ({ validated, result }: Solved): number =>
    problem.validation === undefined ? result.value : (validated?.validation ?? Number.POSITIVE_INFINITY);
  const best = solved.reduce((least, one, k) => (figure(one) < figure(solved[least]) ? k : least), 0);
  const measuring = performance.now();
  const { x } = solved[best];
  const fit = source.kind === "data" && data !== undefined ? modelAt(x, problem, source, data) : undefined;
  const usable = fit && usableModel(fit);
  // Who has asked to stop waits for no figures.
  const isMeasured = usable !== undefined && usable.task !== "transform" && !channel.signal.aborted;
  if (isMeasured) channel.phase("measuring the model");
  const figuresOn = (what: string, rows: LabeledData | undefined, path?: string): Figures | undefined =>
    isMeasured && rows !== undefined
      ? measured(
          `The model on ${what}`,
          () => figuresOf(usable, rows, path),
          (sentence) => warnings.add(sentence),
        )
      : undefined;
  const training = figuresOn("the rows that it was fitted to", data?.train);
  const test = figuresOn("the test rows", data?.test);
  const unknown = test && usable?.task === "classification" && data?.test && unknownLabels(usable, data.test);
  if (unknown) warnings.add(`${testName(source)}: ${unknown}`);
  const { validation } = problem;
  const heldOut = figuresOn("the rows that were held out", data?.heldOut);
  return {
    dimension: problem.dimension,
    count: problem.count,
    layout: problem.layout,
    classes: problem.classes,
    initialValue,
    solved,
    best,
    training,
    test,
    validation: validation && { rows: validation.rows, figures: heldOut },
    model: fit && fitModelBytes(fit),
    phases: {
      preparation,
      firstPoint,
      fitting: solved.reduce((sum, { result }) => sum + result.elapsedSeconds, 0),
      monitoring: solved.reduce((sum, { monitoringSeconds }) => sum + monitoringSeconds, 0),
      metrics: seconds(measuring),
    },
    warnings: [...warnings],
    checkpointFailure: file?.failure,
  };
}

const testName = (source: FitTaskInput["problem"]): string =>
  source.kind === "data" && typeof source.test === "object" ? shownName(source.test.path) : "test";

const noise =
  "Subfunction 0 gives other values or gradients when it is evaluated again at the same point. Its noise will mislead the solver: draw random numbers once, before the run.";

type DataSource = Extract<FitTaskInput["problem"], { kind: "data" }>;

async function problemOf(
  source: FitTaskInput["problem"],
  data: PartedData | undefined,
  seed: number,
): Promise<FitProblem> {
  if (source.kind === "data") return ofData(source, data);
  const made = await problemFromModule(source.path, source.name, seed);
  if (made.validation !== undefined || !source.isValidated) return made;
  throw new CurvatureError(
    "ERR_OPTION",
    `--patience is for a problem that is validated, and ${source.name} has no validate(x), a function that returns a number. Let it have one, or leave --patience out.`,
    { path: "patience" },
  );
}

/** Rows as they were read, and as the objective has them. */
interface PartedData {
  readonly points: DenseMatrix;
  readonly scaling: FittedScaling | undefined;
  readonly labels: RowLabels | undefined;
  readonly train: LabeledData | undefined;
  readonly test: LabeledData | undefined;
  /** Held out to end early, where these rows have labels. */
  readonly heldOut: LabeledData | undefined;
}

/** @throws CurvatureError ERR_PARSE for test rows whose labels cannot be the model's */
function partedData({ request, scale, test: wanted }: DataSource, seed: number): PartedData {
  const { objective, points: all, labels, heldOut: apart } = request;
  if (labels === undefined)
    return {
      ...rescaled(objective, all, scale),
      labels,
      train: undefined,
      test: undefined,
      heldOut: undefined,
    };
  const areNumbers = request.targets === "numbers";
  const { data: train, test } = parted({ rows: all, labels }, wanted, !areNumbers, seed);
  if (typeof wanted === "object")
    checkTestLabels(areNumbers ? "regression" : "classification", undefined, train, wanted);
  const rows = "data" in train.rows ? train.rows : all; // a part of dense rows is dense
  const heldOut = apart?.labels && { rows: apart.points, labels: apart.labels };
  return { ...rescaled(objective, rows, scale), labels: train.labels, train, test, heldOut };
}

function ofData({ request }: DataSource, data: PartedData | undefined): FitProblem {
  const { points = request.points, labels, scaling } = data ?? {};
  const { heldOut } = request;
  const rescaledLike = (later: DenseMatrix): DenseMatrix =>
    scaling === undefined ? later : applyScaling(scaling, later);
  try {
    return problemFromData({
      ...request,
      points,
      labels,
      heldOut: heldOut && { ...heldOut, points: rescaledLike(heldOut.points) },
    });
  } catch (error) {
    throw asDataError(error);
  }
}

/** A checkpoint is of the rows that are held out, too; workers know nothing of them. */
function named<P extends FitProblem>(problem: P, source: FitTaskInput["problem"]): P {
  if (source.kind === "module" || source.request.heldOut === undefined) return problem;
  const { points, labels } = source.request.heldOut;
  const fingerprint = fingerprintOf(
    problem.fingerprint,
    points.data,
    JSON.stringify(labels === undefined ? [] : Array.from<string | number>(labels)),
  );
  return { ...problem, fingerprint };
}

function modelAt(
  parameters: Float64Array,
  { model, classes, targets }: FitProblem,
  { request: { objective }, known: { preparation, indexBase } }: DataSource,
  { scaling }: PartedData,
): FitModel | undefined {
  return model && { objective, model, parameters, scaling, classes, targets, preparation, indexBase };
}

const seconds = (since: number): number => (performance.now() - since) / 1000;

/** An iteration as the command shows it: where F is not known, SFO has an estimate of it. */
function stepOf(iteration: Iteration, elapsedSeconds: number): Step {
  const { index, value, gradientNorm, stepLength, evaluations, passes, phase, details } = iteration;
  const of = (name: string): number | undefined => {
    const figure: unknown =
      typeof details === "object" && details !== null ? Reflect.get(details, name) : undefined;
    return typeof figure === "number" ? figure : undefined;
  };
  return {
    iteration: index,
    value: value ?? of("estimate"),
    gradientNorm,
    stepLength,
    evaluations,
    passes,
    elapsedSeconds,
    phase,
    details: { activeSubfunctions: of("activeSubfunctions") },
  };
}
