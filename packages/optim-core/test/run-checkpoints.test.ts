/** The checkpoints of a run. */
import {
  allOf,
  anyOf,
  decodeCheckpoint,
  encodeCheckpoint,
  GradientDescent,
  Lbfgs,
  maxIterations,
  pointChangeBelow,
  run,
  runSync,
  timeLimit,
  valueDecreaseBelow,
} from "@curvature/optim-core";
import { describe, expect, test } from "vitest";
import { quadratic } from "./problems.js";
import { Scripted, values } from "./scripted.js";

const falling = values(...Array.from({ length: 100 }, (_, k) => 100 - k));

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
