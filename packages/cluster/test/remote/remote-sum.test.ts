/** A remote sum over ports: the same bits as at home, each question once, and errors that name their subfunction. */
import { MessageChannel, type MessagePort } from "node:worker_threads";
import { CurvatureError } from "@curvature/linalg";
import {
  Adam,
  asObjective,
  driveSum,
  maxIterations,
  maxPasses,
  run,
  type SumOfFunctions,
} from "@curvature/optim-core";
import { minimizeSum } from "@curvature/optim-sfo";
import { afterEach, describe, expect, test } from "vitest";
import type { Part } from "../../src/remote/frames.js";
import { PortTransport, servePort } from "../../src/remote/port-transport.js";
import { RemoteSum } from "../../src/remote/remote-sum.js";
import type { RemotePoint, Transport, TransportListener } from "../../src/remote/transport.js";
import { quartics } from "./problems.js";

const open: MessagePort[] = [];
afterEach(() => {
  for (const port of open.splice(0)) port.close();
});

/** Served by ports of this thread, so that their order of answers is left to the event loop. */
function remote(sum: SumOfFunctions, workers: number, shards: number | "each" = "each"): RemoteSum {
  const ports = Array.from({ length: workers }, () => {
    const { port1, port2 } = new MessageChannel();
    open.push(port1, port2);
    servePort(port2, sum);
    return port1;
  });
  return new RemoteSum(sum, new PortTransport(ports), { shards });
}

/** A transport that a test answers by hand. */
class ByHand implements Transport {
  readonly width = 2;
  readonly submitted: { point: RemotePoint; wantsGradient: boolean; parts: readonly Part[] }[] = [];
  readonly forgotten: number[] = [];
  listener: TransportListener = { answered: () => undefined, failed: () => undefined, lost: () => undefined };
  start(listener: TransportListener): void {
    this.listener = listener;
  }
  submit(point: RemotePoint, wantsGradient: boolean, parts: readonly Part[]): void {
    this.submitted.push({ point, wantsGradient, parts });
  }
  forget({ id }: RemotePoint): void {
    this.forgotten.push(id);
  }
  close = async (): Promise<void> => undefined;
}

const turn = (): Promise<void> => new Promise((done) => setImmediate(done));

describe("the same bits as at home", () => {
  const sum = quartics(7, 12);

  test("of values and gradients, and of the whole sum with any number of workers", async () => {
    const whole = asObjective(sum);
    const [here, there] = [new Float64Array(7), new Float64Array(7)];
    const value = whole.evaluate(sum.initial, here);
    const all = Int32Array.from({ length: 12 }, (_, i) => i);
    for (const workers of [1, 2, 5]) {
      const far = remote(sum, workers);
      expect(await far.evaluate(3, sum.initial, there)).toBe(sum.evaluate(3, sum.initial));
      expect(await far.evaluateBatch(all, sum.initial, there)).toBe(value);
      expect(there).toEqual(here);
      expect(await far.evaluateBatch(all, sum.initial)).toBe(value);
    }
  });

  test("in shards the bits depend on their number only", async () => {
    const all = Int32Array.from({ length: 12 }, (_, i) => i);
    const results = new Set<string>();
    for (const workers of [1, 3]) {
      const gradient = new Float64Array(7);
      const value = await remote(sum, workers, 5).evaluateBatch(all, sum.initial, gradient);
      results.add([value, ...gradient].join());
      expect(value).toBeCloseTo(asObjective(sum).evaluate(sum.initial), 10);
    }
    expect(results.size).toBe(1);
  });

  test.each([1, 4])("of a whole run of SFO, %i subfunctions a step", async (batch) => {
    const options = { initial: sum.initial, maxPasses: 6, batch, measureEvery: 1, seed: 5 };
    const home = await minimizeSum(sum, options);
    for (const workers of [1, 3]) {
      const far = remote(sum, workers);
      const away = await minimizeSum(far, options);
      expect(away.x).toEqual(home.x);
      expect(away.value).toBe(home.value);
      expect(away.evaluations).toBe(home.evaluations);
    }
  });

  test("of Adam", async () => {
    const home = await run(driveSum(new Adam(sum, sum.initial), sum), { stop: maxPasses(4) });
    const far = remote(sum, 2);
    const away = await run(driveSum(new Adam(far, sum.initial), far), { stop: maxPasses(4) });
    expect(away.x).toEqual(home.x);
  });
});

test("with answers in the order of arrival SFO finds the same minimum", async () => {
  const sum = quartics(7, 12);
  const options = { initial: sum.initial, maxPasses: 60, seed: 1 };
  const home = await minimizeSum(sum, options);
  const away = await minimizeSum(remote(sum, 4), { ...options, concurrency: 4 });
  expect(away.value ?? Number.NaN).toBeLessThan((home.value ?? Number.NaN) * (1 + 1e-9));
});

describe("what goes out", () => {
  const sum = quartics(3, 4);
  const x = sum.initial;

  test("questions about one point go together, and a point that is equal is the same", async () => {
    const hand = new ByHand();
    const far = new RemoteSum(sum, hand);
    const values = [far.evaluate(0, x), far.evaluate(2, x.slice()), far.evaluate(1, x, new Float64Array(3))];
    await turn();
    expect(hand.submitted.map(({ parts }) => parts.map(({ indices }) => [...indices]))).toEqual([
      [[0], [2]],
      [[1]],
    ]);
    expect(hand.submitted[0].point).toBe(hand.submitted[1].point);
    for (const { parts } of hand.submitted)
      for (const { ask } of parts) hand.listener.answered(ask, ask, new Float64Array(3));
    expect(await Promise.all(values)).toEqual([0, 1, 2]);
  });

  test("the point is as it was when it was asked about, and 0 is not -0", async () => {
    const hand = new ByHand();
    const far = new RemoteSum(sum, hand);
    const moving = Float64Array.of(0, 1, 2);
    void far.evaluate(0, moving).catch(() => undefined);
    moving[0] = -0;
    void far.evaluate(0, moving).catch(() => undefined);
    moving[2] = 9;
    await turn();
    expect(hand.submitted.map(({ point }) => [...point.x])).toEqual([
      [0, 1, 2],
      [-0, 1, 2],
    ]);
  });

  test("points that nobody waits for are forgotten, those that are waited for are not", async () => {
    const hand = new ByHand();
    const far = new RemoteSum(sum, hand);
    void far.evaluate(0, Float64Array.of(-1, 0, 0)).catch(() => undefined);
    for (let k = 0; k < 9; k++) {
      const value = far.evaluate(0, Float64Array.of(k, 1, 1));
      await turn();
      hand.listener.answered(k + 1, 0, undefined);
      await value;
    }
    expect(hand.forgotten).not.toContain(0);
    expect(hand.forgotten.length).toBeGreaterThanOrEqual(5);
  });

  test("no more gradients of a batch are under way than memory is good for", async () => {
    const hand = new ByHand();
    const wide = new RemoteSum({ dimension: 2 ** 22, count: 50 }, hand); // 32 MB a gradient
    const all = Int32Array.from({ length: 50 }, (_, i) => i);
    const value = wide.evaluateBatch(all, new Float64Array(2 ** 22), new Float64Array(2 ** 22));
    value.catch(() => undefined);
    await turn();
    expect(hand.submitted.flatMap(({ parts }) => parts)).toHaveLength(4);
    await wide.close();
    await expect(value).rejects.toThrowError("has been closed");
  });
});

describe("answers", () => {
  const sum = quartics(3, 4);
  const x = sum.initial;

  test("the first one counts, and every other is dropped", async () => {
    const hand = new ByHand();
    const far = new RemoteSum(sum, hand);
    const gradient = new Float64Array(3);
    const value = far.evaluate(1, x, gradient);
    await turn();
    hand.listener.answered(0, 5, Float64Array.of(1, 2, 3));
    hand.listener.answered(0, 6, Float64Array.of(4, 5, 6));
    hand.listener.failed(0, "w", "late", true);
    expect(await value).toBe(5);
    expect([...gradient]).toEqual([1, 2, 3]);
  });

  test("a subfunction that fails is tried three times; the error names it, the worker and the reason", async () => {
    const hand = new ByHand();
    const far = new RemoteSum(sum, hand);
    const value = far.evaluate(2, x);
    value.catch(() => undefined);
    for (let tries = 0; tries < 3; tries++) {
      await turn();
      expect(hand.submitted).toHaveLength(tries + 1);
      hand.listener.failed(0, "box:17", "no memory", false);
    }
    await expect(value).rejects.toThrowError("Subfunction 2 failed 3 times, at last at box:17: no memory.");
    await expect(value).rejects.toMatchObject({ code: "ERR_ARGUMENT", path: "subfunction 2" });
  });

  test("one that fails once is answered by the next try", async () => {
    let calls = 0;
    const moody: SumOfFunctions = {
      ...sum,
      evaluate: (index, point, gradient) => {
        if (calls++ === 0) throw new Error("not in the mood");
        return sum.evaluate(index, point, gradient);
      },
    };
    expect(await remote(moody, 1).evaluate(1, x)).toBe(sum.evaluate(1, x));
  });

  test("a gradient of another length is no answer", async () => {
    const hand = new ByHand();
    const far = new RemoteSum(sum, hand);
    const value = far.evaluate(0, x, new Float64Array(3));
    value.catch(() => undefined);
    for (let tries = 0; tries < 3; tries++) {
      await turn();
      hand.listener.answered(0, 1, new Float64Array(2));
    }
    await expect(value).rejects.toThrowError("a gradient of 2 entries where 3 were asked for");
  });

  test("when all threads have ended every question ends in an error, also those to come", async () => {
    const { port1, port2 } = new MessageChannel();
    const far = new RemoteSum(sum, new PortTransport([port1]));
    const value = far.evaluate(0, x);
    value.catch(() => undefined);
    await turn();
    port2.close();
    await expect(value).rejects.toMatchObject({ code: "ERR_IO" });
    await expect(far.evaluate(1, x)).rejects.toThrowError("All threads that evaluate have ended");
  });
});

test.each([
  [() => new RemoteSum({ dimension: 0, count: 1 }, new ByHand())],
  [() => new RemoteSum({ dimension: 1, count: Number.NaN }, new ByHand())],
  [() => new RemoteSum({ dimension: 1, count: 1 }, new ByHand(), { shards: 0 })],
  [() => new PortTransport([])],
])("a wrong shape or option is refused: %s", (make) => {
  expect(make).toThrowError(CurvatureError);
});

test.each([
  [(far: RemoteSum) => far.evaluate(4, new Float64Array(3))],
  [(far: RemoteSum) => far.evaluate(0.5, new Float64Array(3))],
  [(far: RemoteSum) => far.evaluate(0, new Float64Array(2))],
  [(far: RemoteSum) => far.evaluate(0, new Float64Array(3), new Float64Array(4))],
  [(far: RemoteSum) => far.evaluateBatch(Int32Array.of(0, 9), new Float64Array(3))],
])("a wrong question is refused before it goes out: %s", async (ask) => {
  const hand = new ByHand();
  await expect(ask(new RemoteSum(quartics(3, 4), hand))).rejects.toThrowError(CurvatureError);
  await turn();
  expect(hand.submitted).toEqual([]);
});

test("maxIterations bounds a run on a remote sum as on any other", async () => {
  const sum = quartics(3, 4);
  const far = remote(sum, 1);
  const result = await run(driveSum(new Adam(far, sum.initial), far), { stop: maxIterations(3) });
  expect(result.iterations).toBe(3);
});
