import { decodeCheckpoint, iterate, Lbfgs, maxIterations, run, runSync } from "@curvature/optim-core";
import { describe, expect, test } from "vitest";
import { rosenbrock, rosenbrockStart } from "./problems.js";
import { Scripted, values } from "./scripted.js";

const falling = values(...Array.from({ length: 100 }, (_, k) => 100 - k));

describe("the result", () => {
  test("has the gradient norm of the last iteration that knew it: NaN is not known", async () => {
    const scenes = [{ value: 2, gradientNorm: 5 }, { value: 1, gradientNorm: Number.NaN }, { value: 1 }];
    const { gradientNorm } = await run(new Scripted(scenes), { stop: maxIterations(3) });
    expect(gradientNorm).toBe(5);
    const never = await run(new Scripted([{ value: 2, gradientNorm: Number.NaN }]), {
      stop: maxIterations(1),
    });
    expect(never.gradientNorm).toBeUndefined();
  });

  test("has all its fields, best and last apart, as copies", async () => {
    const solver = new Scripted([
      { value: 2, x: [1, 1], gradientNorm: 5 },
      { value: 1, x: [2, 2] },
      { value: 3, x: [4, 4] },
    ]);
    const result = await run(solver, { stop: maxIterations(3), history: true });
    expect(result).toMatchObject({
      x: Float64Array.of(2, 2),
      last: Float64Array.of(4, 4),
      value: 1,
      gradientNorm: 5,
      iterations: 3,
      evaluations: 3,
      gradientEvaluations: 0,
      monitoringEvaluations: 0,
      passes: 1.5,
      status: "max-iterations",
      usable: true,
      message: "3 iterations are made, 3 were allowed.",
      cause: undefined,
      options: {
        solver: "scripted",
        script: "played",
        stop: "iterations >= 3",
        yieldEvery: 16,
        history: true,
      },
    });
    expect(result.history.map(({ details }) => details.scene)).toEqual([1, 2, 3]);
    expect(result.elapsedSeconds).toBeGreaterThanOrEqual(0);
    result.x[0] = 99;
    expect(solver.best.x[0]).toBe(2);
  });

  test("can be cloned, whatever the solver's options", () => {
    const inverseHessian = (v: Float64Array, out: Float64Array) => out.set(v);
    const solver = new Lbfgs(rosenbrock(2), rosenbrockStart(2), { inverseHessian });
    const result = runSync(solver, { stop: maxIterations(3), history: true });
    expect(structuredClone(result)).toEqual(result);
    expect(result.options).toMatchObject({ memory: 10, lineSearch: "strong-wolfe" });
  });

  test("keeps as much history as asked", () => {
    const kept = (history: boolean | number) =>
      runSync(new Scripted(falling), { stop: maxIterations(10), history }).history.map(({ index }) => index);
    expect(kept(false)).toEqual([]);
    expect(kept(0)).toEqual([]);
    expect(kept(3)).toEqual([8, 9, 10]);
    expect(kept(10)).toHaveLength(10);
    expect(kept(true)).toHaveLength(10);
  });

  test("without a rule a run ends after 10000 iterations", () => {
    expect(runSync(new Scripted(falling)).iterations).toBe(10_000);
    expect(runSync(new Scripted(falling), { stop: [] }).iterations).toBe(10_000);
  });

  test("usable needs a finite point, and a finite value if there is one", () => {
    const usable = (scene: object, outcome: "diverged" | "converged") =>
      runSync(new Scripted([{ ...scene, outcome: { status: outcome, message: "." } }])).usable;
    expect(usable({ value: 1 }, "diverged")).toBe(true);
    expect(usable({ value: undefined }, "diverged")).toBe(false);
    expect(usable({ value: undefined }, "converged")).toBe(true);
    expect(usable({ value: 1, x: [Number.NaN, 1] }, "converged")).toBe(false);
    expect(usable({ value: Number.NEGATIVE_INFINITY }, "converged")).toBe(false);
  });
});

describe("the end", () => {
  test("the solver's outcome comes before the rules", async () => {
    const outcome = { status: "stalled", message: "No way down." } as const;
    const result = await run(new Scripted([{ value: 1, outcome }]), { stop: maxIterations(1) });
    expect(result).toMatchObject({ status: "stalled", message: "No way down.", iterations: 1 });
  });

  test("an evaluation that throws or rejects gives failed, with its cause and the best point", async () => {
    const error = new Error("disk on fire");
    for (const isAsync of [false, true]) {
      const solver = new Scripted([{ value: 2, x: [1, 1] }, { error }], isAsync);
      const result = await run(solver);
      expect(result).toMatchObject({
        status: "failed",
        cause: error,
        value: 2,
        iterations: 1,
        usable: true,
        message: "Iteration 2 failed: disk on fire",
      });
    }
    const first = await run(
      Object.assign(new Scripted([]), { step: () => Promise.reject("no Error object") }),
    );
    expect(first).toMatchObject({ status: "failed", cause: "no Error object", usable: false });
    expect(first.message).toBe('Iteration 1 failed: "no Error object"');
  });

  test("a listener that returns false aborts; other answers do not", async () => {
    for (const drive of [run, async (...given: Parameters<typeof runSync>) => runSync(...given)]) {
      const heard: number[] = [];
      const result = await drive(new Scripted(falling), {
        stop: maxIterations(5),
        onIteration: ({ index }) => (heard.push(index) < 3 ? undefined : false),
      });
      expect(result).toMatchObject({ status: "aborted", iterations: 3, value: 98 });
      expect(heard).toEqual([1, 2, 3]);
    }
    const result = await run(new Scripted(falling), { stop: maxIterations(5), onIteration: () => 0 });
    expect(result.iterations).toBe(5);
  });

  test("a listener or signal that stops at the iteration that ends the run anyway changes nothing", async () => {
    const controller = new AbortController();
    const result = await run(new Scripted(falling), {
      stop: maxIterations(3),
      signal: controller.signal,
      onIteration: ({ index }) => {
        if (index === 3) controller.abort();
        return index < 3;
      },
    });
    expect(result.status).toBe("max-iterations");
  });

  test("a listener may be slow: its promise is waited for", async () => {
    let running = 0;
    const result = await run(new Scripted(falling), {
      onIteration: async ({ index }) => {
        expect(++running).toBe(1);
        await new Promise((resolve) => setTimeout(resolve, 1));
        running--;
        return index < 3;
      },
    });
    expect(result).toMatchObject({ status: "aborted", iterations: 3 });
  });

  test("what a listener throws goes to the caller, after a last checkpoint; the solver can go on", async () => {
    const written: Uint8Array[] = [];
    const solver = new Scripted(falling);
    const broken = run(solver, {
      checkpoint: { write: (bytes) => void written.push(bytes) },
      onIteration: ({ index }) => {
        if (index === 4) throw new RangeError("bug in the listener");
      },
    });
    await expect(broken).rejects.toThrowError(new RangeError("bug in the listener"));
    expect(written).toHaveLength(1);
    expect(decodeCheckpoint(written[0]).run.latest?.index).toBe(4);
    expect((await run(solver, { stop: maxIterations(6) })).value).toBe(95);
  });

  test("an abort does not wait for a listener whose promise never settles; what one that aborts throws still counts", async () => {
    const controller = new AbortController();
    const ended = await run(new Scripted(falling), {
      signal: controller.signal,
      stop: maxIterations(50),
      onIteration: ({ index }) => {
        if (index !== 4) return Promise.resolve();
        setTimeout(() => controller.abort(), 5);
        return new Promise(() => undefined);
      },
    });
    expect(ended).toMatchObject({ status: "aborted", iterations: 4 });
    const other = new AbortController();
    const failing = run(new Scripted(falling), {
      signal: other.signal,
      stop: maxIterations(50),
      onIteration: async () => {
        other.abort();
        await Promise.resolve();
        throw new RangeError("mine");
      },
    });
    await expect(failing).rejects.toThrow("mine");
  });

  test("an aborted signal: before the start, and in between", async () => {
    const before = await run(new Scripted(falling), {
      signal: AbortSignal.abort(new Error("changed my mind")),
    });
    expect(before).toMatchObject({
      status: "aborted",
      iterations: 0,
      x: Float64Array.of(3, 4),
      value: undefined,
      message: "The signal was aborted: changed my mind.",
    });
    const controller = new AbortController();
    const result = await run(new Scripted(falling, true), {
      signal: controller.signal,
      onIteration: ({ index }) => {
        if (index === 7) controller.abort();
      },
    });
    expect(result).toMatchObject({ status: "aborted", iterations: 7, value: 94 });
  });
});

test("bad options reject with a sentence", async () => {
  const start = (options: object) => Reflect.apply(run, undefined, [new Scripted(falling), options]);
  await expect(start({ onIterations: () => true })).rejects.toThrowError(
    'run: unknown option "onIterations". Did you mean "onIteration"?',
  );
  await expect(start({ stop: 100 })).rejects.toThrowError(
    "run: stop must be a stopping rule, or a list of them; received 100",
  );
  await expect(start({ signal: {} })).rejects.toThrowError("run: signal must be an AbortSignal");
  await expect(start({ yieldEvery: -1 })).rejects.toThrowError("run: yieldEvery must be");
  await expect(start({ history: -1 })).rejects.toThrowError("run: history must be");
  await expect(start({ resume: "file" })).rejects.toThrowError("run: resume must be a checkpoint");
  await expect(start({ checkpoint: {} })).rejects.toThrowError(
    "run: checkpoint must be an object { write, … }",
  );
  await expect(start({ checkpoint: () => 1 })).rejects.toThrowError("run: checkpoint must be an object");
  const write = () => undefined;
  await expect(start({ checkpoint: { write, everySecond: 1 } })).rejects.toThrowError(
    'Did you mean "everySeconds"?',
  );
  await expect(start({ checkpoint: { write, everyIterations: -1 } })).rejects.toThrowError(
    "everyIterations must be",
  );
  await expect(Reflect.apply(run, undefined, [{ steps: 1 }])).rejects.toThrowError(
    "the first argument must be a solver",
  );
  const { best, last } = new Scripted(falling);
  await expect(Reflect.apply(run, undefined, [{ best, last, step: () => 1 }])).rejects.toThrowError(
    "the first argument must be a solver (an object with step, best, last, save and restore)",
  );
  expect(() => Reflect.apply(iterate, undefined, [new Scripted(falling), { stop: 3 }])).toThrowError(
    "iterate: stop",
  );
});
