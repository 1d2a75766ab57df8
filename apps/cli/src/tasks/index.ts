/**
 * What the worker can do: one task per command.
 */
import type { KnownColumns } from "../known-columns.js";
import type { Channel } from "./channel.js";
import { type DisentangleTaskInput, type DisentangleTaskOutput, disentangleTask } from "./disentangle.js";
import { type EmbedTaskInput, type EmbedTaskOutput, embedTask } from "./embed.js";
import { type FitTaskInput, type FitTaskOutput, fitTask } from "./fit.js";
import { type OrdinalTaskInput, type OrdinalTaskOutput, ordinalTask } from "./ordinal.js";
import {
  columnsTask,
  type EvaluateTaskInput,
  type EvaluateTaskOutput,
  evaluateTask,
  type ModelFile,
  type PredictTaskInput,
  type PredictTaskOutput,
  predictTask,
} from "./predict.js";
import { type QuestionsTaskInput, type QuestionsTaskOutput, questionsTask } from "./questions.js";
import { type TrainTaskInput, type TrainTaskOutput, trainTask } from "./train.js";
import { type TrainStreamTaskInput, trainStreamTask } from "./train-stream.js";

export type { Channel } from "./channel.js";

interface Tasks {
  disentangle: { input: DisentangleTaskInput; output: DisentangleTaskOutput };
  embed: { input: EmbedTaskInput; output: EmbedTaskOutput };
  fit: { input: FitTaskInput; output: FitTaskOutput };
  ordinal: { input: OrdinalTaskInput; output: OrdinalTaskOutput };
  questions: { input: QuestionsTaskInput; output: QuestionsTaskOutput };
  train: { input: TrainTaskInput; output: TrainTaskOutput };
  trainStream: { input: TrainStreamTaskInput; output: TrainTaskOutput };
  columns: { input: ModelFile; output: KnownColumns };
  predict: { input: PredictTaskInput; output: PredictTaskOutput };
  evaluate: { input: EvaluateTaskInput; output: EvaluateTaskOutput };
}

export type TaskName = keyof Tasks;
export type TaskInput<Name extends TaskName> = Tasks[Name]["input"];
export type TaskOutput<Name extends TaskName> = Tasks[Name]["output"];

export type TaskCall = {
  readonly [Name in TaskName]: { readonly task: Name; readonly input: TaskInput<Name> };
}[TaskName];

export async function runTask(call: TaskCall, channel: Channel): Promise<TaskOutput<TaskName>> {
  switch (call.task) {
    case "disentangle":
      return disentangleTask(call.input, channel);
    case "embed":
      return embedTask(call.input, channel);
    case "fit":
      return fitTask(call.input, channel);
    case "ordinal":
      return ordinalTask(call.input, channel);
    case "questions":
      return questionsTask(call.input, channel);
    case "train":
      return trainTask(call.input, channel);
    case "trainStream":
      return trainStreamTask(call.input, channel);
    case "columns":
      return columnsTask(call.input);
    case "predict":
      return predictTask(call.input, channel);
    case "evaluate":
      return evaluateTask(call.input, channel);
  }
}
