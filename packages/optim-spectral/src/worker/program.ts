/**
 * The worker's side, built with all that it imports as one file, `dist/worker-program.js`: an import map does not reach workers, and
 * bundlers that make scripts of workers take no program in parts.
 */
import { enableSimd } from "@curvature/linalg/simd";
import type { Iteration, RunContext } from "@curvature/optim-core";
import { embed } from "../embed.js";
import type { EmbedResult } from "../embed-run.js";
import { MapModel } from "../map-model.js";
import type { PlainResult } from "./index.js";
import { type CallName, type FromWorker, plainError, type Task, type ToWorker } from "./messages.js";
import { buffersOf } from "./sendable.js";
import { workerThreads } from "./threads.js";

enableSimd(); // where an engine or a policy refuses it, the results are the same

const parent = workerThreads()?.parentPort ?? undefined;
const controller = new AbortController();

/** A function of the caller's has thrown. */
class Thrown extends Error {
  constructor(readonly id: number) {
    super();
  }
}

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Thrown): void;
}
const waiting = new Map<number, Waiting>();
let calls = 0;
let goOn: (isWanted: boolean) => void = () => undefined;

function post(message: FromWorker, transfer: readonly Transferable[] = []): void {
  if (parent === undefined) self.postMessage(message, { transfer: [...transfer] });
  else parent.postMessage(message, transfer as readonly ArrayBuffer[]);
}

/** Calls a function of the caller's there, and waits for it; gives `false` where that did. */
const asked = (name: CallName, ...given: readonly unknown[]): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const id = calls++;
    waiting.set(id, { resolve, reject });
    post({ type: "call", id, name, given });
  });

function hear(message: ToWorker): void {
  switch (message.type) {
    case "start":
      void perform(message.task);
      break;
    case "answer": {
      const call = waiting.get(message.id);
      waiting.delete(message.id);
      if (message.hasThrown) call?.reject(new Thrown(message.id));
      else call?.resolve(message.isFalse ? false : undefined);
      break;
    }
    case "abort":
      controller.abort(new DOMException("The caller has aborted.", "AbortError"));
      break;
    case "next":
    case "leave":
      goOn(message.type === "next");
      break;
  }
}

async function perform(task: Task): Promise<void> {
  try {
    if (task.name === "embed") await embedding(task);
    else await placement(task);
  } catch (error) {
    if (error instanceof Thrown) post({ type: "thrown", id: error.id });
    else if (controller.signal.aborted && error === controller.signal.reason) post({ type: "aborted" });
    else post({ type: "error", error: plainError(error) });
  }
}

async function embedding({ points, options, calls, isStepwise }: Extract<Task, { name: "embed" }>) {
  const { checkpoint } = options;
  const steps = embed.iterate(points, {
    ...options,
    signal: controller.signal,
    onPhase: (phase, share) => {
      if (phase === "optimization" && share === undefined) post({ type: "begun" });
      return calls.includes("onPhase") ? asked("onPhase", phase, share) : undefined;
    },
    ...(calls.includes("onIteration") ? { onIteration: listener } : {}),
    ...(calls.includes("write")
      ? {
          checkpoint: { ...(checkpoint as object), write: (bytes) => asked("write", bytes) as Promise<void> },
        }
      : {}),
  });
  for (;;) {
    const next = await steps.next();
    if (next.done === true) return postResult(next.value);
    if (!isStepwise) continue;
    const { iteration, best, last } = next.value;
    const isWanted = new Promise<boolean>((resolve) => {
      goOn = resolve;
    });
    post({ type: "point", point: { iteration, best: pointOf(best), last: pointOf(last) } });
    if (await isWanted) continue;
    await steps.return?.(undefined as never);
    return post({ type: "left" });
  }
}

const pointOf = ({ x, value }: RunContext["best"]): RunContext["best"] => ({ x, value });

const listener = (
  iteration: Iteration<unknown>,
  { best, last, elapsedSeconds }: RunContext,
): Promise<unknown> =>
  asked("onIteration", iteration, { best: pointOf(best), last: pointOf(last), elapsedSeconds });

/** All that it holds is the caller's: the worker ends. */
function postResult({ model, transform: _, cause, ...rest }: EmbedResult): void {
  const result: PlainResult = {
    ...{ ...rest, parts: model?.parts },
    cause: cause === undefined ? undefined : plainError(cause),
  };
  post({ type: "result", result }, buffersOf(result));
}

async function placement({ map, newPoints, calls }: Extract<Task, { name: "transform" }>): Promise<void> {
  const onPhase = calls.includes("onPhase")
    ? (phase: string, share: number | undefined) => asked("onPhase", phase, share)
    : undefined;
  const result = await new MapModel(map).transform(newPoints as never, { onPhase });
  post({ type: "result", result }, buffersOf(result));
}

if (parent === undefined) self.onmessage = ({ data }: MessageEvent<ToWorker>) => hear(data);
else parent.on("message", hear);
post({ type: "ready" });
