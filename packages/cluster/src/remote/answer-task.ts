/**
 * The worker's part: one task's questions, each with an answer of its own as soon as it is known. Subfunctions that compute
 * are evaluated one after the other, those that wait (for threads, a device, a service) all at once. Whatever a subfunction
 * throws is an answer too.
 */
import { setImmediate as turn } from "node:timers/promises";
import type { SumOfFunctions } from "@curvature/optim-core";
import { encodeFrame, type Frame, type Part } from "./frames.js";

export type Task = Extract<Frame, { kind: "task" }>;

/** @param worker - its name, for messages */
export async function answerTask(
  sum: SumOfFunctions,
  { epoch, wantsGradient, parts }: Task,
  x: Float64Array,
  worker: string,
  answer: (frame: Uint8Array<ArrayBuffer>, ask: number) => void,
): Promise<void> {
  const one = async (part: Part): Promise<void> => {
    const { ask } = part;
    try {
      const gradient = wantsGradient ? new Float64Array(sum.dimension) : undefined;
      checkPart(sum, part, x);
      const value = await evaluatePart(sum, part.indices, x, gradient);
      answer(encodeFrame({ kind: "value", epoch, ask, value, gradient }), ask);
    } catch (error) {
      const reason = error instanceof Error ? error.message || error.name : String(error);
      answer(encodeFrame({ kind: "failure", epoch, ask, worker, reason }), ask);
    }
  };
  const answers: Promise<void>[] = [];
  for (const part of parts) {
    answers.push(one(part));
    // What has been computed goes out, and the worker gives a sign of life, before the next one is begun.
    if (answers.length < parts.length) await turn();
  }
  await Promise.all(answers);
}

function checkPart(sum: SumOfFunctions, { indices }: Part, x: Float64Array): void {
  if (x.length !== sum.dimension)
    throw new Error(`the point has ${x.length} entries, and the sum has ${sum.dimension} here`);
  const wrong = indices.find((index) => index < 0 || index >= sum.count);
  if (wrong !== undefined) throw new Error(`there is no subfunction ${wrong}; the sum has ${sum.count} here`);
}

/** The sum of some subfunctions and, with an array, of their gradients. @throws Error for what is no number */
export async function evaluatePart(
  sum: SumOfFunctions,
  indices: Int32Array,
  x: Float64Array,
  gradient: Float64Array | undefined,
): Promise<number> {
  if (indices.length === 1) {
    gradient?.fill(Number.NaN); // an entry that is not written shows
    return asNumber(await sum.evaluate(indices[0], x, gradient));
  }
  if (sum.evaluateBatch !== undefined) return asNumber(await sum.evaluateBatch(indices, x, gradient));
  const part = gradient && new Float64Array(sum.dimension);
  let value = 0;
  gradient?.fill(0);
  for (const index of indices) {
    part?.fill(Number.NaN);
    value += asNumber(await sum.evaluate(index, x, part));
    if (gradient === undefined || part === undefined) continue;
    for (let j = 0; j < gradient.length; j++) gradient[j] += part[j];
  }
  return value;
}

function asNumber(value: unknown): number {
  if (typeof value === "number") return value;
  throw new Error(`evaluate must return a number or a promise of one, and returned a ${typeof value}`);
}
