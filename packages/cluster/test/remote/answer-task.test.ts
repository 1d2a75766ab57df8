/** In which order a worker evaluates the questions of a task and answers them. */
import type { SumOfFunctions } from "@curvature/optim-core";
import { expect, test } from "vitest";
import { answerTask, evaluatePart, type Task } from "../../src/remote/answer-task.js";
import { decodeFrame } from "../../src/remote/frames.js";

const parts = [0, 1, 2].map((index) => ({ ask: 10 + index, indices: Int32Array.of(index) }));
const task: Task = { kind: "task", epoch: 1, point: 0, wantsGradient: false, parts };
const x = new Float64Array(1);

/** What happened, in order. */
async function events(evaluate: (index: number, log: string[]) => number | Promise<number>) {
  const log: string[] = [];
  const sum: SumOfFunctions = {
    dimension: 1,
    count: 3,
    evaluate: (index) => {
      log.push(`begin ${index}`);
      return evaluate(index, log);
    },
  };
  await answerTask(sum, task, x, "box:1", (frame) => {
    const answer = decodeFrame(frame);
    log.push(answer.kind === "value" ? `answer ${answer.ask - 10}: ${answer.value}` : answer.kind);
  });
  return log;
}

test("what is computed is answered before the next one is begun", async () => {
  expect(await events((index) => index ** 2)).toEqual([
    "begin 0",
    "answer 0: 0",
    "begin 1",
    "answer 1: 1",
    "begin 2",
    "answer 2: 4",
  ]);
});

test("what waits is begun all at once, and answered as it ends", async () => {
  const begun: (() => void)[] = [];
  const log = await events(async (index) => {
    await new Promise<void>((done) => {
      begun.push(done);
      if (begun.length === 3)
        setImmediate(() => {
          for (const end of begun.reverse()) end();
        });
    });
    return index;
  });
  expect(log).toEqual(["begin 0", "begin 1", "begin 2", "answer 2: 2", "answer 1: 1", "answer 0: 0"]);
});

test("one that fails is no matter of the others", async () => {
  const log = await events((index) => {
    if (index === 1) throw new Error("no");
    return index;
  });
  expect(log.filter((event) => !event.startsWith("begin"))).toEqual([
    "answer 0: 0",
    "failure",
    "answer 2: 2",
  ]);
});

test("entries of a gradient that are not written are no numbers, and not those of the subfunction before", async () => {
  const sum: SumOfFunctions = {
    dimension: 2,
    count: 2,
    evaluate: (i, _, gradient) => {
      if (gradient !== undefined) gradient[i] = 1;
      return 1;
    },
  };
  for (const indices of [Int32Array.of(0, 1), Int32Array.of(1)]) {
    const gradient = new Float64Array(2);
    await evaluatePart(sum, indices, new Float64Array(2), gradient);
    expect(gradient[0]).toBeNaN();
  }
});
