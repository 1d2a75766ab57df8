/**
 * What the worker can do: one task per command.
 */
import type { Channel } from "./channel.js";
import { type EmbedTaskInput, type EmbedTaskOutput, embedTask } from "./embed.js";

export type { Channel } from "./channel.js";

interface Tasks {
  embed: { input: EmbedTaskInput; output: EmbedTaskOutput };
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
  }
}
