/** `@curvature/optim-spectral/worker` in Node: the same results, errors and endings as `embed` here. */
import { CurvatureError } from "@curvature/linalg";
import { embed as embedHere, loadMap, saveMap } from "@curvature/optim-spectral";
import { embed, setWorkerScript, transform } from "@curvature/optim-spectral/worker";
import { afterEach, describe, expect, test } from "vitest";

const rows = Array.from({ length: 60 }, (_, n) => [n % 3, (n * 7919) % 101, (n * 104_729) % 97]);
const options = { perplexity: 8, maxEvaluations: 12, history: 2 } as const;

/** As matrices of ml-matrix are: numbers by a method. */
class Matrix {
  readonly rows: number;
  readonly columns: number;
  constructor(private readonly numbers: readonly (readonly number[])[]) {
    this.rows = numbers.length;
    this.columns = numbers[0].length;
  }
  get(row: number, column: number): number {
    return this.numbers[row][column];
  }
}

/** What a result holds but for seconds and functions. */
function lasting(result: Awaited<ReturnType<typeof embed>>): unknown {
  const { elapsedSeconds: _, phases: _phases, transform: _transform, model, ...rest } = result;
  return { ...rest, parts: model?.parts };
}

const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => "a result",
    (error: unknown) => error,
  );

describe("embed", () => {
  test("gives what embed gives here, arrays and all", async () => {
    const result = await embed(rows, options);
    expect(lasting(result)).toEqual(lasting(await embedHere(rows, options)));
    expect(result.embedding.data).toBe(result.x);
    expect(result.history).toHaveLength(2);
  });

  test.each([
    [
      "distances",
      { distances: rows.map((a) => rows.map((b) => Math.abs(a[1] - b[1]) + Math.abs(a[2] - b[2]))) },
    ],
    [
      "neighbors",
      {
        neighbors: {
          indices: rows.map((_, n) => [(n + 1) % 60, (n + 7) % 60, (n + 20) % 60]),
          distances: rows.map(() => [1, 2, 3]),
        },
      },
    ],
    ["a matrix of a class", new Matrix(rows)],
    ["float32", { rows: 60, columns: 3, data: Float32Array.from(rows.flat()) }],
  ])("of %s", async (_, given) => {
    const few = { ...options, perplexity: 2 };
    expect(lasting(await embed(given, few))).toEqual(lasting(await embedHere(given, few)));
  });

  test("never takes the caller's memory unless it is given", async () => {
    const data = Float64Array.from(rows.flat());
    const points = { rows: 60, columns: 3, data };
    const map = await embed(points, options);
    expect(data).toHaveLength(180);
    const other = await embed(points, { ...options, transfer: true });
    expect(data).toHaveLength(0);
    expect(lasting(other)).toEqual(lasting(map));
  });

  test("nothing is lost where a checkpoint is refused, nor where the worker does not start", async () => {
    const points = { rows: 60, columns: 3, data: Float64Array.from(rows.flat()) };
    const resume = { resume: new Uint8Array(9), transfer: true };
    expect(await failure(embed(points, resume))).toMatchObject({ code: "ERR_CHECKPOINT" });
    setWorkerScript("file:///nowhere/worker-program.js");
    expect(await failure(embed(points, { ...options, transfer: true }))).toMatchObject({ code: "ERR_IO" });
    setWorkerScript(undefined);
    expect(points.data).toHaveLength(180);
  });

  test("a map is saved, and places new points by a worker", async () => {
    const [map, here] = [await embed(rows, options), await embedHere(rows, options)];
    expect(saveMap(map)).toEqual(saveMap(here));
    const fresh = [[1, 50, 50]];
    const placed = await here.transform(fresh);
    expect(await map.transform(fresh)).toEqual(placed);
    expect(await transform(loadMap(saveMap(here)), new Matrix(fresh))).toEqual(placed);
    const phases: string[] = [];
    await transform(map, fresh, { onPhase: (phase) => phases.push(phase) });
    expect(new Set(phases)).toEqual(new Set(["neighbors", "affinities", "placement"]));
  });
});

describe("errors", () => {
  test.each([
    ["a perplexity above all", { perplexity: 1000 }],
    ["an unknown option", { perplexty: 3 }],
    ["an initial map of another size", { initialization: [[1, 2]] }],
    ["a checkpoint that is none", { resume: new Uint8Array(9) }],
  ] as const)("%s: as embed throws it here", async (_, given) => {
    const wrong: object = given;
    const parts = async (run: typeof embedHere) => {
      const error = await failure(run(rows, wrong));
      if (!(error instanceof CurvatureError)) throw error;
      const { name, message, code, sentence, where, path, received } = error;
      return { name, message, code, sentence, where, path, received };
    };
    expect(await parts(embed)).toEqual(await parts(embedHere));
  });

  test("points with a NaN", async () => {
    const wrong = [
      [1, Number.NaN],
      [2, 3],
      [4, 5],
    ];
    expect(await failure(embed(wrong))).toEqual(await failure(embedHere(wrong)));
  });

  test("a metric that is a function names the option, and what there is in its place", async () => {
    const error = await failure(embed(rows, { metric: (a, b) => Math.abs(a[0] - b[0]) }));
    expect(error).toMatchObject({ code: "ERR_OPTION", path: "metric" });
    expect((error as Error).message).toMatch(/no function can be posted.*\{ distances \}/);
  });

  test("data that cannot be cloned", async () => {
    const proxy = new Proxy(rows, {});
    expect(await failure(embed(proxy))).toMatchObject({ code: "ERR_ARGUMENT", path: "points" });
  });

  test("what a function of the caller's throws is that very error", async () => {
    const mine = new RangeError("mine");
    const throws = () => {
      throw mine;
    };
    expect(await failure(embed(rows, { ...options, onIteration: throws }))).toBe(mine);
    expect(await failure(embed(rows, { ...options, onPhase: throws }))).toBe(mine);
    const checkpoint = { write: throws, everyIterations: 1 };
    expect(await failure(embed(rows, { ...options, checkpoint }))).toBe(mine);
  });

  test("maps that place no points", async () => {
    const { model } = await embed(rows, { ...options, metric: "manhattan" });
    expect(model).toBeUndefined();
    expect(await failure(transform({ model }, rows))).toMatchObject({ code: "ERR_ARGUMENT", path: "map" });
  });
});

describe("its course", () => {
  test("onIteration sees every iteration with its points, and false ends the run", async () => {
    const seen: number[][] = [];
    const result = await embed(rows, {
      ...options,
      onIteration: async ({ index }, { best, last, elapsedSeconds }) => {
        seen.push([index, best.x.length, last.x.length]);
        expect(elapsedSeconds).toBeGreaterThan(0);
        return index < 3;
      },
    });
    expect(result).toMatchObject({ status: "aborted", iterations: 3 });
    expect(seen).toEqual([1, 2, 3].map((index) => [index, 120, 120]));
  });

  test("a loop over its iterations may be left, and gets a last checkpoint, to go on from", async () => {
    const written: Uint8Array[] = [];
    const checkpoint = { write: (bytes: Uint8Array) => void written.push(bytes) };
    for await (const { iteration } of embed.iterate(rows, { ...options, checkpoint }))
      if (iteration.index === 4) break;
    expect(written).toHaveLength(1);
    const resumed = await embed(rows, { ...options, resume: written[0] });
    const whole = await embedHere(rows, options);
    expect([resumed.x, resumed.iterations]).toEqual([whole.x, whole.iterations]);
  });

  test("the loop's return value is the result", async () => {
    const steps = embed.iterate(rows, options);
    let count = 0;
    let next = await steps.next();
    for (; next.done !== true; next = await steps.next()) count++;
    expect(lasting(next.value)).toEqual(lasting(await embedHere(rows, options)));
    expect(count).toBe(next.value.iterations);
  });

  test("an abort before the optimisation rejects with the signal's reason, one within it gives the result so far", async () => {
    const reason = { mine: true };
    expect(await failure(embed(rows, { signal: AbortSignal.abort(reason) }))).toBe(reason);
    const before = new AbortController();
    const onPhase = () => before.abort(reason);
    expect(await failure(embed(rows, { signal: before.signal, onPhase }))).toBe(reason);
    const within = new AbortController();
    const onIteration = ({ index }: { readonly index: number }) => {
      if (index === 2) within.abort(reason);
    };
    const result = await embed(rows, { signal: within.signal, onIteration });
    expect(result).toMatchObject({ status: "aborted", iterations: 2, usable: true });
  });

  test("an abort within the optimisation does not wait for a listener whose promise never settles", async () => {
    const controller = new AbortController();
    const result = await embed(rows, {
      ...options,
      signal: controller.signal,
      onIteration: ({ index }) => {
        if (index !== 3) return Promise.resolve();
        setTimeout(() => controller.abort(), 5);
        return new Promise(() => undefined);
      },
    });
    expect(result).toMatchObject({ status: "aborted", iterations: 3 });
    expect(result.embedding.rows).toBe(60);
  });

  test("an abort ends a worker whose event loop has no turn", async () => {
    const controller = new AbortController();
    const many = {
      rows: 6000,
      columns: 60,
      data: Float64Array.from({ length: 360_000 }, (_, k) => (k * 7919) % 10_007),
    };
    const ending = failure(embed({ distances: many }, { signal: controller.signal }));
    controller.abort("enough");
    expect(await ending).toBe("enough");
  });
});

describe("a script of one's own", () => {
  afterEach(() => setWorkerScript(undefined));

  test("an address that is none", () => {
    expect(() => setWorkerScript(5 as never)).toThrow(CurvatureError);
  });

  test("where there is no script the error says what is needed", async () => {
    setWorkerScript(new URL("./nowhere.js", import.meta.url));
    const error = await failure(embed(rows, options));
    expect(error).toMatchObject({ code: "ERR_IO", path: "worker-program.js" });
    expect((error as Error).message).toMatch(/setWorkerScript/);
  });
});
