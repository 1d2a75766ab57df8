import {
  allOf,
  anyOf,
  decodeCheckpoint,
  encodeCheckpoint,
  GradientDescent,
  iterate,
  Lbfgs,
  maxIterations,
  pointChangeBelow,
  run,
  runSync,
  timeLimit,
  valueDecreaseBelow,
} from "@curvature/optim-core";
import { describe, expect, test } from "vitest";
import { quadratic, rosenbrock, rosenbrockStart } from "./problems.js";
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

describe("checkpoints", () => {
  test.each([null, 7, "file"])("asked for by %o are refused by name", async (checkpoint) => {
    // @ts-expect-error not checkpoint options
    await expect(run(new Scripted(falling), { checkpoint })).rejects.toThrow("checkpoint must be an object");
  });

  const everySeconds = Number.POSITIVE_INFINITY;

  test("come as often as asked, and at the end", async () => {
    const at: number[] = [];
    const write = (bytes: Uint8Array) => void at.push(decodeCheckpoint(bytes).run.latest?.index ?? 0);
    await run(new Scripted(falling), { stop: maxIterations(10), checkpoint: { write, everyIterations: 4 } });
    expect(at.splice(0)).toEqual([4, 8, 10]);
    await run(new Scripted(falling), { stop: maxIterations(3), checkpoint: { write, everySeconds: 0 } });
    expect(at.splice(0)).toEqual([1, 2, 3]);
    await run(new Scripted(falling), { stop: maxIterations(3), checkpoint: { write, everySeconds } });
    expect(at.splice(0)).toEqual([3]);
  });

  test("a write that fails ends the run with its error, and is not tried again", async () => {
    let writes = 0;
    const write = async () => {
      writes++;
      throw new Error("no space left");
    };
    const broken = run(new Scripted(falling), { checkpoint: { write, everyIterations: 2 } });
    await expect(broken).rejects.toThrowError("no space left");
    expect(writes).toBe(1);
  });

  const interrupted = async (limit: number, stop = maxIterations(limit)) => {
    let bytes = new Uint8Array();
    const result = await run(new GradientDescent(quadratic(4, 20), new Float64Array(4)), {
      stop,
      history: true,
      checkpoint: {
        write: (written) => {
          bytes = written.slice();
        },
        everySeconds,
      },
    });
    return { bytes, result };
  };
  const fresh = () => new GradientDescent(quadratic(4, 20), new Float64Array(4));

  test("a rule's memory survives, also where a limit beside it has changed", async () => {
    const stop = (limit: number) => anyOf(maxIterations(limit), valueDecreaseBelow(0.5, { consecutive: 4 }));
    const whole = await run(fresh(), { stop: stop(1000) });
    expect(whole).toMatchObject({ status: "converged" });
    for (let cut = 1; cut < whole.iterations; cut++) {
      const { bytes } = await interrupted(cut, stop(cut));
      const resumed = await run(fresh(), { stop: stop(1000), resume: bytes });
      expect(resumed).toMatchObject({ status: "converged", iterations: whole.iterations, x: whole.x });
    }
  });

  test("also where iterations without a value stand between the cut and the point to compare with", async () => {
    const blocks = Array.from({ length: 60 }, (_, k) => ({
      value: k % 3 === 2 ? 1 : undefined,
      x: [3 + 2 / (k + 1), 4],
    }));
    const stop = (limit: number) => anyOf(maxIterations(limit), pointChangeBelow(0.02));
    const whole = runSync(new Scripted(blocks), { stop: stop(60) });
    expect(whole).toMatchObject({ status: "converged" });
    expect(whole.iterations).toBeGreaterThan(8);
    for (let cut = 1; cut < whole.iterations; cut++) {
      let bytes = new Uint8Array();
      const write = (written: Uint8Array) => {
        bytes = written.slice();
      };
      runSync(new Scripted(blocks), { stop: stop(cut), checkpoint: { write, everySeconds } });
      const resumed = runSync(new Scripted(blocks), { stop: stop(60), resume: bytes });
      expect(resumed.iterations).toBe(whole.iterations);
    }
  });

  test("a run that had come to its end stays there; under other rules it goes on", async () => {
    const { bytes, result } = await interrupted(6);
    const again = await run(fresh(), { stop: maxIterations(6), resume: bytes, history: true });
    expect({ ...again, elapsedSeconds: 0 }).toEqual({ ...result, elapsedSeconds: 0 });
    expect((await run(fresh(), { stop: maxIterations(9), resume: bytes })).iterations).toBe(9);

    const converged = await interrupted(50, anyOf(maxIterations(50), valueDecreaseBelow(0.9)));
    expect(converged.result.status).toBe("converged");
    const moreTime = anyOf(maxIterations(80), allOf(timeLimit(1e9)), valueDecreaseBelow(0.9));
    const stays = await run(fresh(), { stop: moreTime, resume: converged.bytes });
    expect(stays).toMatchObject({ status: "converged", iterations: converged.result.iterations });
    const tighter = await run(fresh(), {
      stop: [maxIterations(80), valueDecreaseBelow(0.1)],
      resume: converged.bytes,
    });
    expect(tighter.iterations).toBeGreaterThan(converged.result.iterations);
  });

  test("elapsed seconds go on from those before", async () => {
    const { bytes } = await interrupted(3);
    const checkpoint = decodeCheckpoint(bytes);
    const later = encodeCheckpoint({ ...checkpoint, run: { ...checkpoint.run, elapsedSeconds: 1000 } });
    const resumed = await run(fresh(), { stop: timeLimit(900), resume: later });
    expect(resumed).toMatchObject({ status: "time-limit", iterations: 4 });
    expect(resumed.elapsedSeconds).toBeGreaterThanOrEqual(1000);
  });

  test("of another solver, dimension or fingerprint: refused, with a sentence that says which", async () => {
    const { bytes } = await interrupted(3);
    const lbfgs = new Lbfgs(quadratic(4, 20), new Float64Array(4));
    await expect(run(lbfgs, { resume: bytes })).rejects.toThrowError(
      'The checkpoint is of another solver: it has "gd", this run has "lbfgs".',
    );
    const wider = new GradientDescent(quadratic(5, 20), new Float64Array(5));
    await expect(run(wider, { resume: bytes })).rejects.toThrowError(
      "another dimension: it has 4, this run has 5",
    );
    const other = new GradientDescent(
      { ...quadratic(4, 20), fingerprint: "other data" },
      new Float64Array(4),
    );
    await expect(run(other, { resume: bytes })).rejects.toThrowError("another fingerprint");
    expect(other.last.x).toEqual(new Float64Array(4));
    await expect(run(fresh(), { resume: bytes.slice(1) })).rejects.toMatchObject({ code: "ERR_CHECKPOINT" });
  });
});

test("bad options reject with a sentence", async () => {
  const start = (options: object) => Reflect.apply(run, undefined, [new Scripted(falling), options]);
  await expect(start({ onIterations: () => true })).rejects.toThrowError(
    'run: unknown option "onIterations". Did you mean "onIteration"?',
  );
  await expect(start({ stop: 100 })).rejects.toThrowError(
    "run: stop must be a stopping rule such as maxIterations(100)",
  );
  await expect(start({ signal: {} })).rejects.toThrowError("run: signal must be an AbortSignal");
  await expect(start({ yieldEvery: -1 })).rejects.toThrowError("run: yieldEvery must be");
  await expect(start({ history: -1 })).rejects.toThrowError("run: history must be");
  await expect(start({ resume: "file" })).rejects.toThrowError("run: resume must be a checkpoint");
  await expect(start({ checkpoint: {} })).rejects.toThrowError("run, checkpoint: write must be a function");
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
