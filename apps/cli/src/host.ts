/**
 * Where a command runs: by itself, as a process with a terminal and signals of its own, or within another program (a
 * unit of a sweep, in a worker thread), which then hears what it says and does its computing.
 */
import type { Talk } from "./progress.js";
import type { KeptInput } from "./sweep/kept-input.js";
import type { TaskInput, TaskName, TaskOutput } from "./tasks/index.js";

export interface Host {
  readonly talk: Talk;
  readonly signal: AbortSignal;
  /** What was read for the run before. */
  readonly kept: KeptInput;
  compute<Name extends TaskName>(
    task: Name,
    input: TaskInput<Name>,
    channel: { readonly talk: Talk; readonly signal: AbortSignal },
  ): Promise<TaskOutput<Name>>;
}

let current: Host | undefined;

/** From now on, all commands of this thread run within the host. */
export function runWithin(host: Host): void {
  current = host;
}

export const hostOfCommands = (): Host | undefined => current;
