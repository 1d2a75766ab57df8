/**
 * The work of `curvature fit`: a problem, from data or from a module of the user's, and one solver after the other on it
 * from the same point.
 */

import { CurvatureError } from "@curvature/linalg";
import { fingerprintOf, type Iteration } from "@curvature/optim-core";
import { inFlags } from "../run/flag-names.js";
import type { Step } from "../run/log.js";
import { checkProblemFits } from "../run/memory.js";
import { CheckpointFile, type CheckpointRequest, checkpointError } from "../write/checkpoint-file.js";
import type { Channel } from "./channel.js";
import { type ObjectiveRequest, problemFromData } from "./fit/objective-problem.js";
import type { FitProblem, ParameterPart } from "./fit/problem.js";
import { problemFromModule } from "./fit/problem-module.js";
import { type RemoteProblem, type RemoteRequest, remoteProblem } from "./fit/remote-problem.js";
import { type Solved, solve } from "./fit/solve.js";
import type { SolverChoice, SolveSettings } from "./fit/solvers.js";
import { evaluateStart } from "./fit/start-evaluation.js";
import { measured } from "./measured.js";
import type { Scaling } from "./scaling.js";
import { scaled, scaledLike } from "./scaling.js";

export interface FitTaskInput {
  readonly problem:
    | {
        readonly kind: "data";
        /** Its rows that are held out are prepared, and not rescaled. */
        readonly request: ObjectiveRequest;
        readonly scale: Scaling;
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
  /** Of a classifier, at the best point. */
  readonly trainingError: number | undefined;
  /** What was held out, where something was, and of a classifier how much of it is wrong at the best point. */
  readonly validation: { readonly rows: number | undefined; readonly error: number | undefined } | undefined;
  readonly phases: Readonly<Record<string, number>>;
  readonly warnings: readonly string[];
  readonly checkpointFailure: string | undefined;
}

export async function fitTask(input: FitTaskInput, channel: Channel): Promise<FitTaskOutput> {
  const { settings, remote, problem: source } = input;
  const started = performance.now();
  const problem = await problemOf(input, settings.seed);
  checkProblemFits(problem.dimension, problem.count);
  if (remote === undefined || source.kind === "module")
    return fitted(named(problem, source), input, seconds(started), channel);
  channel.phase("looking for workers");
  const far = await remoteProblem(problem, source.request, source.scale, remote, channel);
  try {
    return await fitted(named(far, source), input, seconds(started), channel);
  } finally {
    await far.close();
  }
}

/** @param preparation - seconds that it took */
async function fitted(
  problem: FitProblem | RemoteProblem,
  { solvers, settings, checkpoint }: FitTaskInput,
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
  const { trainingError, validation } = problem;
  // Who has asked to stop waits for no figures.
  const isMeasured = trainingError !== undefined && !channel.signal.aborted;
  if (isMeasured) channel.phase("measuring the classifier");
  const error = isMeasured
    ? measured(
        "The classifier",
        () => trainingError(solved[best].x),
        (sentence) => warnings.add(sentence),
      )
    : undefined;
  const heldOutError = validation?.error;
  const errorHeldOut =
    isMeasured && heldOutError !== undefined
      ? measured(
          "The classifier on the rows that were held out",
          () => heldOutError(solved[best].x),
          (sentence) => warnings.add(sentence),
        )
      : undefined;
  return {
    dimension: problem.dimension,
    count: problem.count,
    layout: problem.layout,
    classes: problem.classes,
    initialValue,
    solved,
    best,
    trainingError: error,
    validation: validation && { rows: validation.rows, error: errorHeldOut },
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

const noise =
  "Subfunction 0 gives other values or gradients when it is evaluated again at the same point. Its noise will mislead the solver: draw random numbers once, before the run.";

async function problemOf({ problem }: FitTaskInput, seed: number): Promise<FitProblem> {
  if (problem.kind === "module") {
    const made = await problemFromModule(problem.path, problem.name, seed);
    if (made.validation !== undefined || !problem.isValidated) return made;
    throw new CurvatureError(
      "ERR_OPTION",
      `--patience is for a problem that is validated, and ${problem.name} has no validate(x), a function that returns a number. Let it have one, or leave --patience out.`,
      { path: "patience" },
    );
  }
  const { request, scale } = problem;
  const points = scaled(request.points, scale);
  const { heldOut } = request;
  const apart = heldOut && { ...heldOut, points: scaledLike(request.points, heldOut.points, scale) };
  try {
    return problemFromData({ ...request, points, heldOut: apart });
  } catch (error) {
    // An argument of the objective's is the user's data here.
    if (!(error instanceof CurvatureError) || error.code !== "ERR_ARGUMENT") throw error;
    throw new CurvatureError("ERR_PARSE", inFlags(error), { path: error.path ?? "", cause: error });
  }
}

/** A checkpoint is of the rows that are held out, too; workers know nothing of them. */
function named<P extends FitProblem>(problem: P, source: FitTaskInput["problem"]): P {
  if (source.kind === "module" || source.request.heldOut === undefined) return problem;
  const { points, labels } = source.request.heldOut;
  const fingerprint = fingerprintOf(problem.fingerprint, points.data, JSON.stringify(labels ?? []));
  return { ...problem, fingerprint };
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
