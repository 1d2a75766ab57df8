/**
 * What the worker can do: one task per command.
 */

import type { ModelFile } from "../read/model-file.js";
import { type AssignTaskInput, type AssignTaskOutput, assignTask, clusterModelTask } from "./assign.js";
import type { Channel } from "./channel.js";
import { type DisentangleTaskInput, type DisentangleTaskOutput, disentangleTask } from "./disentangle.js";
import { type EmbedTaskInput, type EmbedTaskOutput, embedTask } from "./embed.js";
import { type ExtendTaskInput, type ExtendTaskOutput, extendTask } from "./extend.js";
import { type FitTaskInput, type FitTaskOutput, fitTask } from "./fit.js";
import { type FormulaTaskInput, type FormulaTaskOutput, formulaTask } from "./formula.js";
import { type InspectTaskOutput, inspectTask } from "./inspect.js";
import { type FitInspection, inspectFitTask } from "./inspect-fit.js";
import { inspectMapTask } from "./inspect-map.js";
import type { KnownRows } from "./linear-model.js";
import type { OnnxTaskInput, OnnxTaskOutput } from "./onnx.js";
import { type OrdinalTaskInput, type OrdinalTaskOutput, ordinalTask } from "./ordinal.js";
import {
  type EvaluateTaskInput,
  type EvaluateTaskOutput,
  evaluateTask,
  modelRowsTask,
  type PredictTaskInput,
  type PredictTaskOutput,
  predictTask,
} from "./predict.js";
import { type QuestionsTaskInput, type QuestionsTaskOutput, questionsTask } from "./questions.js";
import { type SubfunctionsTaskInput, subfunctionsTask } from "./subfunctions.js";
import { type TrainTaskInput, type TrainTaskOutput, trainTask } from "./train.js";
import { type TrainStreamTaskInput, trainStreamTask } from "./train-stream.js";
import {
  mapModelTask,
  type TransformTaskInput,
  type TransformTaskOutput,
  transformTask,
} from "./transform.js";

export type { Channel } from "./channel.js";

interface Tasks {
  assign: { input: AssignTaskInput; output: AssignTaskOutput };
  clusterModel: { input: ModelFile; output: ReturnType<typeof clusterModelTask> };
  disentangle: { input: DisentangleTaskInput; output: DisentangleTaskOutput };
  embed: { input: EmbedTaskInput; output: EmbedTaskOutput };
  extend: { input: ExtendTaskInput; output: ExtendTaskOutput };
  inspectMap: { input: ModelFile; output: ReturnType<typeof inspectMapTask> };
  mapModel: { input: ModelFile; output: ReturnType<typeof mapModelTask> };
  transform: { input: TransformTaskInput; output: TransformTaskOutput };
  fit: { input: FitTaskInput; output: FitTaskOutput };
  formula: { input: FormulaTaskInput; output: FormulaTaskOutput };
  ordinal: { input: OrdinalTaskInput; output: OrdinalTaskOutput };
  questions: { input: QuestionsTaskInput; output: QuestionsTaskOutput };
  subfunctions: { input: SubfunctionsTaskInput; output: undefined };
  train: { input: TrainTaskInput; output: TrainTaskOutput };
  trainStream: { input: TrainStreamTaskInput; output: TrainTaskOutput };
  modelRows: { input: ModelFile; output: KnownRows };
  predict: { input: PredictTaskInput; output: PredictTaskOutput };
  evaluate: { input: EvaluateTaskInput; output: EvaluateTaskOutput };
  inspect: { input: ModelFile; output: InspectTaskOutput };
  inspectFit: { input: ModelFile; output: FitInspection };
  onnx: { input: OnnxTaskInput; output: OnnxTaskOutput };
}

export type TaskName = keyof Tasks;
export type TaskInput<Name extends TaskName> = Tasks[Name]["input"];
export type TaskOutput<Name extends TaskName> = Tasks[Name]["output"];

const tasks: {
  readonly [Name in TaskName]: (
    input: TaskInput<Name>,
    channel: Channel,
  ) => TaskOutput<Name> | Promise<TaskOutput<Name>>;
} = {
  assign: assignTask,
  clusterModel: clusterModelTask,
  disentangle: disentangleTask,
  embed: embedTask,
  extend: extendTask,
  inspectMap: inspectMapTask,
  mapModel: mapModelTask,
  transform: transformTask,
  fit: fitTask,
  formula: formulaTask,
  ordinal: ordinalTask,
  questions: questionsTask,
  subfunctions: subfunctionsTask,
  train: trainTask,
  trainStream: trainStreamTask,
  modelRows: modelRowsTask,
  predict: predictTask,
  evaluate: evaluateTask,
  inspect: inspectTask,
  inspectFit: inspectFitTask,
  onnx: async (input, channel) => (await import("./onnx.js")).onnxTask(input, channel),
};

export async function runTask<Name extends TaskName>(
  task: Name,
  input: TaskInput<Name>,
  channel: Channel,
): Promise<TaskOutput<Name>> {
  return tasks[task](input, channel);
}
