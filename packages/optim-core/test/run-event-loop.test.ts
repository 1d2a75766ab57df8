/** A run beside others: the event loop, and the forms without promises and without a loop of its own. */
import { iterate, Lbfgs, maxIterations, run, runSync, valueDecreaseBelow } from "@curvature/optim-core";
import { describe, expect, test } from "vitest";
import { rosenbrock, rosenbrockStart } from "./problems.js";
import { Scripted, values } from "./scripted.js";

const falling = values(...Array.from({ length: 100 }, (_, k) => 100 - k));

describe("the event loop", () => {
  test("gets its turn: timers run during a run of synchronous steps", async () => {
    let isOver = false;
    setTimeout(() => {
      isOver = true;
    }, 0);
    const result = await run(new Scripted(falling), {
      yieldEvery: 0,
      stop: maxIterations(1e6),
      onIteration: () => !isOver,
    });
    expect(result.status).toBe("aborted");
  });

  test("a signal aborted by another task is heeded before the next step", async () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 0);
    let steps = 0;
    const result = await run(new Scripted(falling), {
      yieldEvery: 0,
      stop: maxIterations(1e6),
      signal: controller.signal,
      onIteration: () => {
        steps += controller.signal.aborted ? 1e9 : 1;
      },
    });
    expect(result.status).toBe("aborted");
    expect(steps).toBe(result.iterations);
  });

  test("never gets it with Infinity", async () => {
    let isOver = false;
    setTimeout(() => {
      isOver = true;
    }, 0);
    await run(new Scripted(falling), {
      yieldEvery: Number.POSITIVE_INFINITY,
      stop: maxIterations(1000),
      onIteration: () => void expect(isOver).toBe(false),
    });
  });
});

describe("iterate", () => {
  test("gives every iteration and returns the result", async () => {
    const iterations = iterate(new Scripted(falling), { stop: maxIterations(3) });
    const seen: number[] = [];
    for (;;) {
      const next = await iterations.next();
      if (next.done === true) {
        expect(next.value).toMatchObject({ status: "max-iterations", iterations: 3 });
        break;
      }
      seen.push(next.value.index);
    }
    expect(seen).toEqual([1, 2, 3]);
  });

  test("can be left: a last checkpoint is written, and the solver goes on from there", async () => {
    const written: Uint8Array[] = [];
    const solver = new Scripted(falling);
    for await (const { index } of iterate(solver, {
      checkpoint: { write: (bytes) => void written.push(bytes) },
    }))
      if (index === 5) break;
    expect(written).toHaveLength(1);
    expect(solver.best.value).toBe(96);
    const result = await run(new Scripted(falling), { resume: written[0], stop: maxIterations(8) });
    expect(result).toMatchObject({ iterations: 8, value: 93 });
  });
});

describe("runSync", () => {
  test("gives the same result as run", async () => {
    const options = { stop: [maxIterations(40), valueDecreaseBelow(1e-9)], history: true };
    const make = () => new Lbfgs(rosenbrock(6), rosenbrockStart(6));
    const [waited, atOnce] = [await run(make(), options), runSync(make(), options)];
    expect({ ...atOnce, elapsedSeconds: 0 }).toEqual({ ...waited, elapsedSeconds: 0 });
  });

  test("refuses promises and says what to use", () => {
    const promised = "returned a promise. Use run, which waits for it.";
    expect(() => runSync(new Scripted(falling, true))).toThrowError(`runSync: an evaluation ${promised}`);
    expect(() => runSync(new Scripted([{ error: new Error("later") }], true))).toThrowError(promised);
    expect(() => runSync(new Scripted(falling), { onIteration: async () => true })).toThrowError(
      `runSync: onIteration ${promised}`,
    );
    const checkpoint = { write: async () => undefined };
    expect(() => runSync(new Scripted(falling), { stop: maxIterations(2), checkpoint })).toThrowError(
      `runSync: checkpoint.write ${promised}`,
    );
  });
});
