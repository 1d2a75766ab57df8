/**
 * The work of `curvature train` on LIBSVM text that is read while it is learned from: only a batch of rows is ever in
 * memory.
 */
import type { MessagePort } from "node:worker_threads";
import { type LibsvmBatch, streamLibsvm } from "@curvature/datasets";
import { CurvatureError } from "@curvature/linalg";
import {
  LinearClassifier,
  type LinearFitOptions,
  type LinearFitResult,
  LinearRegressor,
} from "@curvature/optim-sgdqn";
import { inFile, shownName } from "../read/file.js";
import { alignedRows, checkColumns, type IndexBase, type RowsRead } from "../read/rows.js";
import { bytesFrom } from "../run/byte-port.js";
import { checkModelFits } from "../run/memory.js";
import { CheckpointFile, type CheckpointRequest, checkpointError } from "../write/checkpoint-file.js";
import type { Channel } from "./channel.js";
import { asDataError } from "./data-error.js";
import { type Figures, figuresOf, type LabeledData } from "./linear-model.js";
import { measured } from "./measured.js";
import type { ModelRequest } from "./model-fit.js";
import { stepOf, type TrainTaskOutput, trainedOutput, unknownIn } from "./train.js";

export interface TrainStreamTaskInput {
  readonly request: ModelRequest;
  /** LIBSVM text; - is standard input. For messages: the bytes come through the port. */
  readonly path: string;
  readonly bytes: MessagePort;
  readonly indexBase: IndexBase;
  readonly test: (RowsRead & Pick<LabeledData, "labels">) | undefined;
  readonly checkpoint: CheckpointRequest | undefined;
}

export async function trainStreamTask(
  input: TrainStreamTaskInput,
  channel: Channel,
): Promise<TrainTaskOutput> {
  const { request, path, test, checkpoint } = input;
  const file = checkpoint && new CheckpointFile(checkpoint, channel.warning);
  const resume = checkpoint?.resume ? file?.read() : undefined;
  const source = new BatchSource(input, channel.signal);
  channel.phase(`training on ${shownName(path)}`);
  const { model, result } = await fitted(request, source, {
    checkpoint: file?.options,
    resume,
    signal: channel.signal,
    onIteration: (iteration, { elapsedSeconds }) => channel.step(stepOf(iteration, elapsedSeconds)),
  }).catch((error: unknown) => {
    channel.signal.throwIfAborted();
    throw checkpoint === undefined ? error : checkpointError(checkpoint.path, error);
  });
  const output = trainedOutput(model, result, [], { indexBase: source.indexBase });
  const warnings = [...source.warnings, ...output.warnings];
  const warn = (sentence: string): unknown => warnings.push(sentence);
  const figuresOn = (rowsRead: NonNullable<typeof test>): Figures | undefined => {
    if (!result.usable) return undefined;
    const { labels, path: testPath } = rowsRead;
    const rows = alignedRows(rowsRead, source.indexBase);
    checkColumns(rows, testPath, model.features);
    warnings.push(...unknownIn(model, { rows, labels }, shownName(testPath)));
    return figuresOf(model, { rows, labels }, testPath);
  };
  return {
    ...output,
    rows: source.rows,
    training: undefined,
    test: test && measured(`The model on ${shownName(test.path)}`, () => figuresOn(test), warn),
    trainingCurve: [],
    testCurve: [],
    folds: [],
    phases: { ...result.phases },
    warnings,
    checkpointFailure: file?.failure,
  };
}

/** The file's batches, as often as they are wanted. */
class BatchSource {
  /** Of the longest pass. */
  rows = 0;
  /** Those before the batch that was handed out last. */
  before = 0;
  indexBase: 0 | 1 | undefined;
  readonly warnings: string[] = [];
  private passes = 0;

  constructor(
    private readonly input: TrainStreamTaskInput,
    private readonly signal: AbortSignal,
  ) {}

  async *open(): AsyncGenerator<LibsvmBatch<Float32Array>> {
    const { path, indexBase } = this.input;
    const isFirst = this.passes++ === 0;
    let rows = 0;
    let columns = 0;
    try {
      for await (const batch of streamLibsvm(bytesFrom(this.input.bytes), { indexBase })) {
        if (batch.rows.columns > columns) checkModelFits(batch.rows.columns, 1);
        columns = batch.rows.columns;
        this.indexBase = batch.indexBase;
        this.before = rows;
        rows += batch.rows.rows;
        if (rows > this.rows) this.rows = rows;
        if (isFirst)
          for (const sentence of batch.warnings) this.warnings.push(`${shownName(path)}: ${sentence}`);
        yield batch;
      }
    } catch (error) {
      // The line that a stop cut off is no error.
      if (!this.signal.aborted) throw inFile(path, error);
    }
  }
}

async function fitted(
  request: ModelRequest,
  source: BatchSource,
  options: LinearFitOptions,
): Promise<{ readonly model: LinearClassifier | LinearRegressor; readonly result: LinearFitResult }> {
  try {
    if (request.kind === "classification") {
      const model = new LinearClassifier(request.options);
      return { model, result: await model.fitStream(() => source.open(), options) };
    }
    const model = new LinearRegressor(request.options);
    return { model, result: await model.fitStream(() => ofNumbers(source), options) };
  } catch (error) {
    throw asDataError(error, { rowOf: (row) => source.before + row });
  }
}

async function* ofNumbers(source: BatchSource): AsyncGenerator<{
  readonly rows: LibsvmBatch<Float32Array>["rows"];
  readonly targets: Float64Array;
}> {
  for await (const { rows, labels } of source.open()) {
    if (!(labels instanceof Float64Array)) {
      throw new CurvatureError(
        "ERR_PARSE",
        `The label ${JSON.stringify(labels[0].slice(0, 60))} is no number, but regression needs numbers. Choose a loss for classes.`,
        { path: "labels", received: labels[0] },
      );
    }
    yield { rows, targets: labels };
  }
}
