/** What a user's own code throws, rejects with or returns in the middle of a run. */
import { nomad } from "@curvature/optim-sdp";
import { minimizeSum } from "@curvature/optim-sfo";
import { LinearClassifier } from "@curvature/optim-sgdqn";
import { embed } from "@curvature/optim-spectral";
import { ordinalEmbedding } from "@curvature/optim-svrg";
import { describe, expect, test } from "vitest";
import { answers, classLabels, points, start, terms } from "./problems.ts";

interface Callbacks {
  readonly onIteration?: () => unknown;
  readonly checkpoint?: { readonly everySeconds: number; readonly write: () => never };
}

const facades: Readonly<Record<string, (callbacks: Callbacks) => Promise<{ readonly iterations: number }>>> =
  {
    embed: (callbacks) => embed(points(12), { perplexity: 3, maxEvaluations: 30, ...callbacks }),
    nomad: (callbacks) => nomad(points(9), { clusters: 3, maxIterations: 20, ...callbacks }),
    ordinalEmbedding: (callbacks) => ordinalEmbedding(answers, { maxPasses: 20, ...callbacks }),
    minimizeSum: (callbacks) => minimizeSum({ ...terms, initial: start() }, { maxPasses: 4, ...callbacks }),
    "LinearClassifier.fit": (callbacks) => new LinearClassifier().fit(points(12), classLabels(), callbacks),
  };

/** Behaves well until its k-th call. */
function atCall<T>(k: number, act: () => T): () => T | undefined {
  let calls = 0;
  return () => (++calls === k ? act() : undefined);
}

const own = new Error("the user's own");
const throwing = (): never => {
  throw own;
};

describe.each(Object.entries(facades))("%s", (_, run) => {
  test.each([1, 2])(
    "onIteration throws at call %i: its error comes out, or as the cause of one",
    async (k) => {
      const error: unknown = await run({ onIteration: atCall(k, throwing) }).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(error === own || (error instanceof Error && error.cause === own)).toBe(true);
    },
  );

  test("what onIteration returns does not matter", async () => {
    const { iterations } = await run({});
    for (const rubbish of [Number.NaN, null, "text", Symbol("x"), {}])
      expect((await run({ onIteration: () => rubbish })).iterations).toBe(iterations);
  });

  test("a checkpoint that cannot be written comes out", async () => {
    await expect(run({ checkpoint: { everySeconds: 0, write: throwing } })).rejects.toSatisfy(
      (error: unknown) => error === own || (error instanceof Error && error.cause === own),
    );
  });
});

describe("evaluations of a sum", () => {
  const sum = (value: () => number | Promise<number>) => ({
    ...terms,
    evaluate(_i: number, _x: Float64Array, gradient?: Float64Array): number | Promise<number> {
      gradient?.fill(0);
      return value();
    },
    initial: start(),
  });

  /** Two calls look whether a subfunction gives the same twice, five for the units of the variables; what follows is the run. */
  test.each([1, 2, 3, 4, 7])("one that throws or rejects once, before the run, is a warning", async (k) => {
    for (const act of [throwing, () => Promise.reject(own)]) {
      const evaluate = atCall<number | Promise<number>>(k, act);
      const result = await minimizeSum(
        sum(() => evaluate() ?? 1),
        { maxPasses: 10 },
      );
      expect(result.status).not.toBe("failed");
      expect(result.warnings).toMatchObject([
        { code: "trial-failed", message: expect.stringContaining(own.message) },
      ]);
    }
  });

  test.each([8, 9, 11])("one that throws or rejects at call %i ends the run with its error", async (k) => {
    for (const act of [throwing, () => Promise.reject(own)]) {
      const evaluate = atCall<number | Promise<number>>(k, act);
      const result = await minimizeSum(
        sum(() => evaluate() ?? 1),
        { maxPasses: 10 },
      );
      expect(result).toMatchObject({ status: "failed", cause: own });
      expect(result.x.every(Number.isFinite)).toBe(true);
    }
  });

  test("one that gives NaN, Infinity or no number ends the run, and x stays finite", async () => {
    for (const rubbish of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      const result = await minimizeSum(
        sum(() => rubbish),
        { maxPasses: 4 },
      );
      expect(["diverged", "failed"]).toContain(result.status);
      expect(result.x.every(Number.isFinite)).toBe(true);
    }
  });
});
