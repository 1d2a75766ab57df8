import { describe, expect, test } from "vitest";
import { type EmbedOptions, embed } from "../src/index.js";
import { allFinite, clusters, iterativeMethods, solvers } from "./helpers/small.js";

describe("a run under control", () => {
  const points = clusters(40);

  test("aborted before there is a map, it rejects with the signal's reason", async () => {
    const reason = new Error("enough");
    await expect(embed(points, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  test("aborted or stopped on the way, it keeps its best map", async () => {
    const controller = new AbortController();
    const result = await embed(points, {
      signal: controller.signal,
      onIteration: ({ index }) => {
        if (index === 5) controller.abort();
      },
    });
    expect(result.status).toBe("aborted");
    expect(result.iterations).toBe(5);
    expect(allFinite(result.embedding)).toBe(true);
    const stopped = await embed(points, { onIteration: ({ index }) => index < 3 });
    expect(stopped.iterations).toBe(3);
  });

  test("aborted at any turn of the event loop, it rejects with the reason, keeps what it has, or is done", async () => {
    const seen = new Set<string>();
    for (let turns = 0; turns < 12; turns++) {
      const controller = new AbortController();
      let left = turns;
      const tick = (): void => {
        if (left === 0) controller.abort(new Error("enough"));
        else setImmediate(tick);
        left -= 1;
      };
      tick();
      const run = embed(points, { signal: controller.signal, yieldEvery: 0, maxEvaluations: 5 });
      const status = await run.then(
        (result) => result.status,
        (error: unknown) => (error instanceof Error ? error.message : "?"),
      );
      seen.add(status);
    }
    expect([...seen]).toEqual(["enough", "aborted", "max-evaluations"]);
  });

  test("what a listener or a checkpoint's writer throws goes through", async () => {
    const error = new Error("disk full");
    const fail = (): never => {
      throw error;
    };
    await expect(embed(points, { onIteration: fail })).rejects.toBe(error);
    await expect(embed(points, { checkpoint: { write: fail } })).rejects.toBe(error);
  });

  test("the map is the best point, not the last, and the data are left alone", async () => {
    const given = points.data.slice();
    const result = await embed(points, { method: "ee", solver: "auto", maxEvaluations: 12, history: true });
    const values = result.history.map(({ value }) => value ?? Number.NaN);
    expect(result.value).toBeLessThanOrEqual(Math.min(...values));
    expect(result.embedding.data).toBe(result.x);
    expect(points.data).toEqual(given);
  });

  for (const solver of solvers)
    test(`${solver} resumed twice, for every method and with homotopy, keeps its history too`, {
      tags: solver === "auto" || solver === "sd" ? [] : ["full"],
    }, async () => {
      for (const method of iterativeMethods)
        for (const homotopy of solver === "auto" ? [false] : [false, true]) {
          const options: EmbedOptions = { method, solver, homotopy, maxIterations: 50, history: true };
          const whole = await embed(points, options);
          let bytes: Uint8Array | undefined;
          for (const cut of [3, 29, 50]) {
            const resumed = await embed(points, {
              ...options,
              ...(bytes === undefined ? {} : { resume: bytes }),
              checkpoint: {
                write: (written) => {
                  bytes = written.slice();
                },
              },
              onIteration: ({ index }) => cut === 50 || index < cut,
            });
            if (cut < 50) continue;
            const { x, last, value, status, message, history } = resumed;
            expect({ x, last, value, status, message, history }).toEqual({
              x: whole.x,
              last: whole.last,
              value: whole.value,
              status: whole.status,
              message: whole.message,
              history: whole.history,
            });
          }
        }
    });

  test.each(solvers)(
    "%s resumed from a checkpoint ends where the uninterrupted run ends",
    { tags: ["full"] },
    async (solver) => {
      const options: EmbedOptions = { solver, maxIterations: 40, tolerance: 0 };
      const whole = await embed(points, options);
      let bytes = new Uint8Array(0);
      await embed(points, {
        ...options,
        checkpoint: {
          write: (written) => {
            bytes = written.slice();
          },
        },
        onIteration: ({ index }) => index < 17,
      });
      const resumed = await embed(points, { ...options, resume: bytes });
      expect(resumed.embedding.data).toEqual(whole.embedding.data);
      expect(resumed.iterations).toBe(whole.iterations);
      await expect(embed(clusters(40, 5, 2), { ...options, resume: bytes })).rejects.toMatchObject({
        code: "ERR_CHECKPOINT",
      });
      for (const other of [
        { seed: 1 },
        { perplexity: 7 },
        { initialization: "random" },
      ] satisfies EmbedOptions[])
        await expect(embed(points, { ...options, ...other, resume: bytes })).rejects.toMatchObject({
          code: "ERR_CHECKPOINT",
          path: "fingerprint",
        });
    },
  );
});

test("a schedule is resumed with the evaluations that it had", async () => {
  const made: Uint8Array[] = [];
  const checkpoint = { everySeconds: 0, write: (bytes: Uint8Array) => void made.push(bytes.slice()) };
  await embed(clusters(40), { maxEvaluations: 30, maxIterations: 5, checkpoint });
  await expect(embed(clusters(40), { maxEvaluations: 40, resume: made[0] })).rejects.toMatchObject({
    code: "ERR_SNAPSHOT",
    message: expect.stringContaining("maxEvaluations must be 40, as here (give it as before); received 30"),
  });
});

test("who hears of the phases is waited for, and may refuse", async () => {
  const heard: string[] = [];
  await embed(clusters(20), {
    maxIterations: 3,
    onPhase: async (phase, share) => {
      await new Promise((done) => setTimeout(done, 5));
      if (share === undefined) heard.push(phase);
    },
    onIteration: () => void heard.push("iteration"),
  });
  expect(heard.slice(0, 5)).toEqual([
    "neighbors",
    "affinities",
    "initialization",
    "optimization",
    "iteration",
  ]);
  for (const method of ["tsne", "laplacian"] as const)
    for (const refused of ["neighbors", "affinities", "optimization"]) {
      const onPhase = async (phase: string): Promise<void> => {
        if (phase === refused) throw new Error(`no ${phase}`);
      };
      await expect(embed(clusters(20), { method, onPhase })).rejects.toThrow(`no ${refused}`);
    }
});

test.each(solvers)("%s warns of a graph in parts once", async (solver) => {
  const points = clusters(30);
  const apart = points.data.map((value, k) => value + (Math.floor(k / points.columns) % 3) * 1e4);
  const { warnings } = await embed(
    { ...points, data: apart },
    { solver, neighbors: 5, perplexity: 3, maxIterations: 2 },
  );
  expect(warnings.filter(({ message }) => message.includes("falls into 3 parts"))).toHaveLength(1);
});
