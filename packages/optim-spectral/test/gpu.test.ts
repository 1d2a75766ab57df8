/** Maps on a GPU: the resident solver against its loop in double precision, and `embed` with it. */
import { normal, RandomGenerator, zeros } from "@curvature/linalg";
import { jointAffinities, nearestNeighbors, neighborAffinities, tsne } from "@curvature/objectives/embedding";
import { decodeCheckpoint, run } from "@curvature/optim-core";
import type { Gpu } from "@curvature/webgpu";
import { beforeAll, describe, expect, test } from "vitest";
import { softwareGpu, withoutDevice } from "../../webgpu/test/device.js";
import { GpuHomotopy } from "../src/gpu-homotopy.js";
import { embed } from "../src/index.js";
import { doubleLoop } from "./helpers/double-loop.js";

const N = 64;

function points(n: number, seed = 1) {
  const random = new RandomGenerator(seed);
  const Y = zeros(n, 5);
  for (let k = 0; k < Y.data.length; k++)
    Y.data[k] = normal(random) + 4 * ((Math.floor(k / 5) % 3) * (k % 2));
  return Y;
}

function scaled(factor: number) {
  const Y = points(100, 3);
  for (let k = 0; k < Y.data.length; k++) Y.data[k] *= factor;
  return Y;
}

/** Three quarters of the rows are one of three. */
function withCopies() {
  const Y = points(200);
  for (let k = 50 * 5; k < Y.data.length; k++) Y.data[k] = Y.data[k % 15];
  return Y;
}

function problem(n = N) {
  const steps = neighborAffinities(nearestNeighbors(points(n), 24), 8);
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  const objective = tsne(jointAffinities(step.value.conditional), { gradient: "exact" });
  const random = new RandomGenerator(2);
  return { objective, start: Float64Array.from({ length: 2 * n }, () => normal(random)) };
}

describe.skipIf(withoutDevice)("maps on SwiftShader", { tags: ["full"] }, () => {
  let gpu: Gpu;
  beforeAll(async () => {
    gpu = await softwareGpu();
  });

  test("follow the loop in double precision to 1e-3 over ten iterations and more", async () => {
    const { objective, start } = problem();
    const solver = await GpuHomotopy.create(gpu, objective, start, { maxEvaluations: 16 });
    const loop = doubleLoop(objective, start, 16);
    expect(loop.length).toBeGreaterThanOrEqual(10);
    for (const [k, right] of loop.entries()) {
      const iteration = await solver.step();
      expect(iteration.evaluations).toBe(right.evaluations);
      expect(iteration.stepLength).toBeCloseTo(right.stepLength, 3);
      expect(Math.abs(Number(iteration.value) - right.E), `iteration ${k + 1}`).toBeLessThan(
        1e-3 * Math.abs(right.E),
      );
      const size = Math.sqrt(right.X.reduce((sum, x) => sum + x * x, 0) / N);
      for (const [i, x] of solver.last.x.entries())
        expect(Math.abs(x - right.X[i])).toBeLessThan(1e-3 * size);
    }
  });

  test("with tiles the value is that of all pairs to 1e-3", async () => {
    const { objective, start } = problem(300);
    const solver = await GpuHomotopy.create(
      gpu,
      objective,
      start.map((x) => 20 * x),
      { maxEvaluations: 2, tiles: true },
    );
    const { value } = await solver.step();
    expect(solver.options.sums).toBe("tiles");
    expect(Number(value)).toBeCloseTo(objective.evaluate(solver.last.x.slice()), 3);
  });

  test("give the same bits twice, and after a checkpoint", async () => {
    const { objective, start } = problem();
    const made = async () => await GpuHomotopy.create(gpu, objective, start, { maxEvaluations: 8 });
    const whole = await run(await made());
    const checkpoints: Uint8Array[] = [];
    const write = (bytes: Uint8Array) => {
      checkpoints.push(bytes);
    };
    const again = await run(await made(), { checkpoint: { everyIterations: 3, write } });
    expect(again.x).toEqual(whole.x);
    expect(decodeCheckpoint(checkpoints[0]).run.latest).toMatchObject({ index: 3 });
    const resumed = await run(await made(), { resume: checkpoints[0] });
    expect(resumed.x).toEqual(whole.x);
    expect(resumed.evaluations).toBe(whole.evaluations);
  });

  test("come from embed, with what they were made by in the report", async () => {
    const Y = points(100, 3);
    const options = { maxEvaluations: 12, perplexity: 8 } as const;
    const found = await embed(Y, { ...options, gradient: "gpu", neighborSearch: "gpu", device: gpu.device });
    expect(found.options).toMatchObject({
      gradient: "gpu",
      neighborSearch: "gpu",
      affinities: "gpu",
      sums: "exact",
      adapter: gpu.name,
    });
    expect(found.neighborRecall).toBe(1);
    expect(found.status).toBe("max-evaluations");
    const other = await embed(Y, options);
    expect(Number(found.klDivergence)).toBeLessThan(1.3 * Number(other.klDivergence));
    const lists = await embed(Y, { ...options, neighborSearch: "gpu", device: gpu.device });
    expect(Number(lists.klDivergence)).toBeCloseTo(Number(other.klDivergence), 6);
    const { embedding, distances } = await found.transform(points(3, 4));
    expect(embedding.rows).toBe(3);
    expect(distances.every((d) => d > 0)).toBe(true);
  });

  test("are those of affinities from the processor, where the device has fitted them", async () => {
    const Y = points(100, 3);
    const options = { ...{ maxEvaluations: 3, perplexity: 8 }, gradient: "gpu", device: gpu.device } as const;
    const one = await embed(Y, { ...options, neighborSearch: "gpu" });
    const other = await embed(Y, options);
    expect(one.options.affinities).toBe("gpu");
    expect(other.options.affinities).toBeUndefined();
    expect(Number(one.klDivergence)).toBeCloseTo(Number(other.klDivergence), 4);
    for (const [k, x] of one.x.entries()) expect(x).toBeCloseTo(other.x[k], 2);
  });

  test.each([
    ["1e30 in size", scaled(1e30), 8, "gpu"],
    ["1e-30 in size", scaled(1e-30), 8, "gpu"],
    ["of which most are copies", withCopies(), 8, undefined],
    ["that are three", points(3), undefined, undefined],
    ["with 300 neighbours each", points(310), 100, "gpu"],
  ])("of points %s are finite, and start as the processor's", async (_, Y, perplexity, affinities) => {
    const options = { maxEvaluations: 1, ...(perplexity === undefined ? {} : { perplexity }) };
    const chosen = { gradient: "gpu", neighborSearch: "gpu", device: gpu.device } as const;
    const found = await embed(Y, { ...options, ...chosen });
    const other = await embed(Y, options);
    expect(found.options.affinities).toBe(affinities);
    expect(found.embedding.data.every(Number.isFinite)).toBe(true);
    expect(Number(found.klDivergence)).toBeCloseTo(Number(other.klDivergence), 4);
    expect(found.warnings.map(({ code }) => code)).toEqual(other.warnings.map(({ code }) => code));
  });

  test("two at once on one device are those of one after the other", async () => {
    const make = async (seed: number) =>
      await embed(points(60, seed), {
        ...{ maxEvaluations: 3, perplexity: 8 },
        ...({ gradient: "gpu", neighborSearch: "gpu", device: gpu.device } as const),
      });
    const [one, other] = await Promise.all([make(1), make(2)]);
    expect((await make(1)).x).toEqual(one.x);
    expect((await make(2)).x).toEqual(other.x);
  });

  test("keep their points where one hangs by a thread", async () => {
    // two chains and a point that is tied to one of them by next to nothing
    const affinities = zeros(31, 31);
    const tie = (i: number, j: number, value: number): void => {
      affinities.data[i * 31 + j] = value;
      affinities.data[j * 31 + i] = value;
    };
    for (let i = 0; i < 30; i++)
      for (let s = 1; s < 4; s++) if (i + s < 30 && i < 15 === i + s < 15) tie(i, i + s, 1 / s);
    tie(0, 30, 1e-6);
    const options = { maxEvaluations: 40 } as const;
    const found = await embed({ affinities }, { ...options, gradient: "gpu", device: gpu.device });
    const here = await embed({ affinities }, options);
    expect(Number(found.klDivergence)).toBeLessThan(Number(here.klDivergence) + 0.05);
  });

  test("refuse more points than fit before anything is done, and checkpoints of the processor", async () => {
    const limits = { maxBufferSize: 20_000, maxStorageBufferBindingSize: 20_000 };
    const small = new Proxy(gpu.device, {
      get(target, name) {
        const value: unknown = name === "limits" ? limits : Reflect.get(target, name);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    const phases: string[] = [];
    const options = {
      gradient: "gpu",
      perplexity: 8,
      onPhase: (phase: string) => phases.push(phase),
    } as const;
    await expect(embed(points(100), { ...options, device: small })).rejects.toMatchObject({
      code: "ERR_MEMORY",
    });
    expect(phases).toEqual([]);
    const bytes: Uint8Array[] = [];
    const checkpoint = { everyIterations: 2, write: (written: Uint8Array) => void bytes.push(written) };
    await embed(points(60), { perplexity: 8, maxEvaluations: 6, checkpoint });
    await expect(
      embed(points(60), {
        perplexity: 8,
        maxEvaluations: 6,
        gradient: "gpu",
        device: gpu.device,
        resume: bytes[0],
      }),
    ).rejects.toThrow(/auto-gpu/);
  });

  test("end as aborted when the signal is", async () => {
    const stop = new AbortController();
    const found = await embed(points(60), {
      ...{ gradient: "gpu", device: gpu.device, perplexity: 8, signal: stop.signal },
      onIteration: ({ index }) => {
        if (index === 2) stop.abort();
      },
    });
    expect(found).toMatchObject({ status: "aborted", iterations: 2, usable: true });
  });

  test("end failed, with the best map so far, where the device is lost", async () => {
    const own = await softwareGpu();
    const found = await embed(points(60), {
      ...{ gradient: "gpu", device: own.device, perplexity: 8 },
      onIteration: ({ index }) => {
        if (index === 2) own.device.destroy();
      },
    });
    expect(found).toMatchObject({
      status: "failed",
      iterations: 2,
      usable: true,
      cause: { code: "ERR_DEVICE" },
    });
    expect(found.embedding.data.every(Number.isFinite)).toBe(true);
  });
});

test.each([[{ method: "ssne" }], [{ dimensions: 3 }], [{ solver: "sd" }]] as const)(
  'a GPU sums t-SNE in the plane by "auto" alone: %o is refused',
  async (options) => {
    await expect(embed(points(60), { ...options, gradient: "gpu" })).rejects.toMatchObject({
      code: "ERR_OPTION",
      path: "gradient",
    });
  },
);

test("a GPU searches among points, under Euclidean metrics", async () => {
  const search = { neighborSearch: "gpu" } as const;
  const refused = { code: "ERR_OPTION", path: "neighborSearch" };
  await expect(embed(points(100), { ...search, metric: "manhattan" })).rejects.toMatchObject(refused);
  await expect(
    embed(
      {
        affinities: [
          [0, 1, 1],
          [1, 0, 1],
          [1, 1, 0],
        ],
      },
      search,
    ),
  ).rejects.toMatchObject(refused);
});
