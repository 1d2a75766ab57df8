/** Linear classifiers trained in a worker, one after the other, and measured after every pass over the rows. */
import { applyScaling, type DenseMatrix, fitScaling } from "@curvature/linalg";
import { type Column, type DataTable, dataWarningCodes, prepare } from "@curvature/linalg/tables";
import { linearLoss, primalCost, scores } from "@curvature/objectives/linear";
import { LinearClassifier, type LinearFitResult, saveModel } from "@curvature/optim-sgdqn";
import type { Channel, Task } from "../../worker/protocol.js";
import { labelColumn } from "./code.js";
import type { LabeledSet } from "./digits.js";
import type { ModelOptions } from "./options.js";

export interface ClassifyJob {
  readonly training: LabeledSet;
  readonly test: LabeledSet | undefined;
  /** The names of the columns, which go into the model's file. */
  readonly columns: readonly string[];
  readonly models: readonly ModelOptions[];
}

/** The model after a pass. */
export interface Frame {
  /** Passes over the rows so far. */
  readonly epoch: number;
  /** P, the primal cost. */
  readonly cost: number;
  /** Shares of rows on the wrong side. */
  readonly trainingError: number;
  readonly testError: number | undefined;
  /** w and, last, b. */
  readonly parameters: Float64Array;
}

export interface ClassifyProgress {
  /** Of which model, with those frames of it that are new. */
  readonly model: number;
  readonly frames: readonly Frame[];
  /** P*, the least P there is. */
  readonly optimum: number;
}

/** The files of the models, which `curvature predict` reads; undefined where the job was stopped before one was trained. */
export type ClassifyAnswer = readonly (Uint8Array<ArrayBuffer> | undefined)[];

/** The hinge has a corner, and its minimum is found to fewer digits; the others take Newton a few steps. */
const referenceAccuracy = { tolerance: 1e-9, maxPasses: 3000 };

export const classifyTask: Task<ClassifyJob, ClassifyProgress, ClassifyAnswer> = {
  async run(job, channel) {
    const files: (Uint8Array<ArrayBuffer> | undefined)[] = job.models.map(() => undefined);
    const optimum = await unlessAborted(channel, () => reference(job, channel));
    if (optimum !== undefined) {
      for (const [k, model] of job.models.entries())
        files[k] = await unlessAborted(channel, () => train(job, model, k, optimum, channel));
    }
    return { content: files, transfer: [] };
  },
};

/** What was aborted before there was anything of it is left out. */
async function unlessAborted<T, P>(channel: Channel<P>, work: () => Promise<T>): Promise<T | undefined> {
  if (channel.signal.aborted) return undefined;
  try {
    return await work();
  } catch (error) {
    if (channel.signal.aborted) return undefined;
    throw error;
  }
}

interface Optimum {
  readonly cost: number;
  readonly result: LinearFitResult;
}

/** The minimum to many digits, which the others are held against. */
async function reference({ training, models }: ClassifyJob, channel: Channel<unknown>): Promise<Optimum> {
  channel.phase("the optimum");
  const { loss, lambda, scale, bias } = models[0];
  const model = new LinearClassifier({ solver: "newton", loss, lambda, scale, bias, ...referenceAccuracy });
  const result = await model.fit(training.rows, training.labels, { signal: channel.signal });
  if (result.status !== "converged")
    channel.warning(
      `The least cost was not found to all digits (${result.message}): what is near it may be nearer, or farther.`,
    );
  return { cost: result.value ?? Number.NaN, result };
}

async function train(
  job: ClassifyJob,
  options: ModelOptions,
  place: number,
  optimum: Optimum,
  channel: Channel<ClassifyProgress>,
): Promise<Uint8Array<ArrayBuffer>> {
  channel.phase(options.solver);
  const model = new LinearClassifier(options);
  const measure = measureOf(job, options, optimum.result.lambda);
  let waiting: Frame[] = [];
  const flush = (): void => {
    channel.progress({ content: { model: place, frames: waiting, optimum: optimum.cost }, transfer: [] });
    waiting = [];
  };
  let latest = 0;
  const { rows, labels } = job.training;
  const result = await model.fit(rows, labels, {
    signal: channel.signal,
    onIteration: ({ passes, phase }, { last }) => {
      // Blocks are parts of a pass; a certificate comes after its pass, at the same point.
      if (phase === "block" || passes === latest || !last.x.every(Number.isFinite)) return;
      latest = passes;
      waiting.push({ epoch: passes, ...measure(last.x), parameters: last.x.slice() });
      if (channel.isWanted) flush();
    },
  });
  flush();
  for (const { code, message } of result.warnings) {
    const isOfData = dataWarningCodes.some((each) => each === code);
    if (!isOfData) channel.warning(`${options.solver}: ${message}`);
    else if (place === 0) channel.warning(message); // the other models have the same data
  }
  return fileOf(model, job);
}

/** As the command line writes it of the training's file: rows with a header are matched by name. */
function fileOf(model: LinearClassifier, { training, columns }: ClassifyJob): Uint8Array<ArrayBuffer> {
  const { settings, fitted } = model;
  const { preparation } = prepare(tableOf(training, columns), { labels: labelColumn, areTargets: true });
  const named = fitted === undefined ? model : new LinearClassifier(settings, { ...fitted, preparation });
  return Uint8Array.from(saveModel(named));
}

/** As the training's file is read. */
function tableOf(
  { rows: { rows, columns: stride, data }, labels }: LabeledSet,
  names: readonly string[],
): DataTable {
  const common = { unit: undefined, missing: 0, levels: [], odd: [] } as const;
  const levels = [...new Set(labels)];
  const numbers = names.map((name, offset): Column => {
    const view = { data, offset, stride };
    return { ...common, name, type: "number", numbers: view, codes: undefined };
  });
  const codes = Int32Array.from(labels, (label) => levels.indexOf(label));
  const classes: Column = { ...common, name: labelColumn, type: "word", numbers: undefined, codes, levels };
  return { rows, columns: [...numbers, classes], isNamed: true };
}

type Measure = (parameters: Float64Array) => Pick<Frame, "cost" | "trainingError" | "testError">;

/** In the space of scaled columns, if they are. Of two classes the second in order is the one with scores above 0. */
function measureOf({ training, test }: ClassifyJob, options: ModelOptions, lambda: number): Measure {
  const second = [...new Set(training.labels)].sort().at(-1);
  const signs = (labels: readonly string[]): Float64Array =>
    Float64Array.from(labels, (label) => (label === second ? 1 : -1));
  const targets = signs(training.labels);
  const { scale, bias } = options;
  const scaling = scale === "none" ? undefined : fitScaling(training.rows, scale);
  const seen = (rows: DenseMatrix): DenseMatrix =>
    scaling === undefined ? rows : applyScaling(scaling, rows);
  const rows = seen(training.rows);
  const problem = {
    rows,
    targets,
    loss: linearLoss(options.loss ?? "logistic"),
    lambda,
    bias,
  } as const;
  const scored = new Float64Array(targets.length);
  const held = test === undefined ? undefined : { rows: seen(test.rows), targets: signs(test.labels) };
  const heldScored = new Float64Array(held?.targets.length ?? 0);
  return (parameters) => ({
    cost: primalCost(problem, parameters),
    trainingError: errorShare(scores(rows, parameters, bias, scored), targets),
    testError:
      held === undefined
        ? undefined
        : errorShare(scores(held.rows, parameters, bias, heldScored), held.targets),
  });
}

function errorShare(scored: Float64Array, targets: Float64Array): number {
  let wrong = 0;
  for (let i = 0; i < targets.length; i++) if (scored[i] > 0 !== targets[i] > 0) wrong++;
  return wrong / targets.length;
}
