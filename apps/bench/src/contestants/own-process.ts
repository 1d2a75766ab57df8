/**
 * A contestant of ours in a process of its own, which lives from its first turn to its last: data, code and garbage of the
 * others are not in its way, and it is as warm as its own turns have made it. Its script ends in `takeTurns`; the parent
 * gives it a task (which data, which solver), and then one turn at a time, so that contestants run interleaved. Reading
 * belongs to the task; what a turn costs the process measures itself.
 */
import { fork } from "node:child_process";
import type { EventEmitter } from "node:events";
import { enableSimd } from "@curvature/linalg/simd";

export interface OwnProcess<Turn, Found> {
  readonly name: string;
  /** One at a time. Rejects if the process ends instead; why, it has written itself. */
  turn(request: Turn): Promise<Found>;
  end(): void;
}

/**
 * Resolves when the task is ready for its first turn.
 *
 * @param name - of the contestant
 * @param script - whose `takeTurns` has the same three types
 */
export async function ownProcess<Task, Turn, Found>(
  name: string,
  script: URL,
  task: Task,
): Promise<OwnProcess<Turn, Found>> {
  const child = fork(script, { serialization: "advanced" });
  const ask = <Answer>(words: object): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const onExit = (): void => reject(new Error(`The process of ${name} has ended.`));
      child.once("exit", onExit);
      child.once("message", (answer: Answer) => {
        child.off("exit", onExit);
        resolve(answer);
      });
      child.send(words);
    });
  await ask({ task });
  return { name, turn: (request) => ask({ request }), end: () => child.disconnect() };
}

/** Work with several, which begin their tasks one after the other and end when the work does, however it does. */
export async function withProcesses<Process extends { end(): void }, Result>(
  starts: readonly (() => Promise<Process>)[],
  work: (processes: readonly Process[]) => Promise<Result>,
): Promise<Result> {
  const processes: Process[] = [];
  try {
    for (const start of starts) processes.push(await start());
    return await work(processes);
  } finally {
    for (const each of processes) each.end();
  }
}

/** The other side. @param begin - makes the task ready, and returns what a turn does */
export function takeTurns<Task, Turn, Found>(
  begin: (task: Task) => Promise<(request: Turn) => Found | Promise<Found>>,
): void {
  enableSimd();
  const parent: EventEmitter = process;
  const serve = async (task: Task): Promise<void> => {
    const turn = await begin(task);
    const answer = async (request: Turn): Promise<void> => {
      process.send?.(await turn(request));
    };
    parent.on("message", ({ request }: { request: Turn }) => void answer(request));
    process.send?.({});
  };
  parent.once("message", ({ task }: { task: Task }) => void serve(task));
}
