/**
 * What the worker can do: one task per command.
 */
import type { Channel } from "./channel.js";
import { type EmbedTaskInput, type EmbedTaskOutput, embedTask } from "./embed.js";
import { type OrdinalTaskInput, type OrdinalTaskOutput, ordinalTask } from "./ordinal.js";
import { type QuestionsTaskInput, type QuestionsTaskOutput, questionsTask } from "./questions.js";

export type { Channel } from "./channel.js";

interface Tasks {
  embed: { input: EmbedTaskInput; output: EmbedTaskOutput };
  ordinal: { input: OrdinalTaskInput; output: OrdinalTaskOutput };
  questions: { input: QuestionsTaskInput; output: QuestionsTaskOutput };
}

export type TaskName = keyof Tasks;
export type TaskInput<Name extends TaskName> = Tasks[Name]["input"];
export type TaskOutput<Name extends TaskName> = Tasks[Name]["output"];

export type TaskCall = {
  readonly [Name in TaskName]: { readonly task: Name; readonly input: TaskInput<Name> };
}[TaskName];

export async function runTask(call: TaskCall, channel: Channel): Promise<TaskOutput<TaskName>> {
  switch (call.task) {
    case "embed":
      return embedTask(call.input, channel);
    case "ordinal":
      return ordinalTask(call.input, channel);
    case "questions":
      return questionsTask(call.input, channel);
  }
}
