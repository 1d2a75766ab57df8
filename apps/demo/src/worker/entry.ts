/**
 * The worker's side: does the one job that it was started for, tells how it goes, and hears when to stop.
 */
import { enableSimd } from "@curvature/linalg/simd";
import type { Channel, FromWorker, Parcel, Task, ToWorker } from "./protocol.js";
import { type TaskName, tasks } from "./tasks.js";

enableSimd(); // a policy in a meta tag does not reach workers; where a browser refuses, the results are the same

const controller = new AbortController();
let isReady = true;
let parts: Float64Array[] = [];

function tell(message: FromWorker<unknown, unknown>, transfer: readonly Transferable[] = []): void {
  self.postMessage(message, { transfer: [...transfer] });
}

function takeData(): Float64Array {
  const taken = parts;
  parts = [];
  if (taken.length === 1) return taken[0];
  const data = new Float64Array(taken.reduce((sum, { length }) => sum + length, 0));
  let from = 0;
  for (const part of taken) {
    data.set(part, from);
    from += part.length;
  }
  return data;
}

const channel: Channel<unknown> = {
  signal: controller.signal,
  takeData,
  phase: (phase) => tell({ type: "phase", phase }),
  get isWanted() {
    return isReady;
  },
  progress: ({ content, transfer }: Parcel<unknown>) => {
    isReady = false;
    tell({ type: "progress", progress: content }, transfer);
  },
  warning: (sentence) => tell({ type: "warning", sentence }),
};

const isTask = (name: string): name is TaskName => Object.hasOwn(tasks, name);

async function perform(name: string, input: unknown): Promise<void> {
  try {
    if (!isTask(name)) throw new Error(`There is no task ${name}.`);
    const task: Task<unknown, unknown, unknown> = await tasks[name]();
    const { content, transfer } = await task.run(input, channel);
    tell({ type: "result", result: content }, transfer);
  } catch (error) {
    tell({ type: "error", sentence: error instanceof Error ? error.message : String(error) });
  }
}

self.addEventListener("message", ({ data }: MessageEvent<ToWorker>) => {
  switch (data.type) {
    case "part":
      parts.push(data.part);
      break;
    case "start":
      void perform(data.task, data.input);
      break;
    case "abort":
      controller.abort(new DOMException("Stopped by the user.", "AbortError"));
      break;
    case "ready":
      isReady = true;
      break;
  }
});
