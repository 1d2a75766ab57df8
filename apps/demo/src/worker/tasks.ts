/**
 * All that a worker can do, each part loaded when it is asked for. A new view adds its task here.
 */
import type { Task } from "./protocol.js";

export const tasks = {
  load: async () => (await import("../data/load-task.js")).loadTask,
  classify: async () => (await import("../views/classify/task.js")).classifyTask,
  disentangle: async () => (await import("../views/disentangle/task.js")).disentangleTask,
  embed: async () => (await import("../views/embed/task.js")).embedTask,
  ordinal: async () => (await import("../views/ordinal/task.js")).ordinalTask,
  sum: async () => (await import("../views/sum/task.js")).sumTask,
  sumField: async () => (await import("../views/sum/field-task.js")).fieldTask,
};

export type TaskName = keyof typeof tasks;

type TaskOf<Name extends TaskName> = Awaited<ReturnType<(typeof tasks)[Name]>>;

export type Input<Name extends TaskName> = TaskOf<Name> extends Task<infer I, infer _P, infer _R> ? I : never;
export type Progress<Name extends TaskName> =
  TaskOf<Name> extends Task<infer _I, infer P, infer _R> ? P : never;
export type Result<Name extends TaskName> =
  TaskOf<Name> extends Task<infer _I, infer _P, infer R> ? R : never;
