/** How `ordinalEmbedding` is stopped and goes on. */
import type { Iteration } from "@curvature/optim-core";
import { describe, expect, test } from "vitest";
import {
  type OrdinalEmbeddingDetails,
  type OrdinalEmbeddingOptions,
  ordinalEmbedding,
} from "../src/index.js";
import { smallAnswers } from "./embedding-data.js";
import { eurodist } from "./fixtures.js";
import { refusal } from "./refusal.js";

const split = eurodist();

describe("runs", () => {
  const { train, test: held } = smallAnswers();

  test.each(["auto", "svrg-sbb", "gram"] as const)(
    "%s resumed anywhere ends as the uninterrupted run, bit for bit",
    { tags: ["full"] },
    async (solver) => {
      const options: OrdinalEmbeddingOptions = {
        solver,
        loss: "ste",
        test: held,
        tolerance: 0,
        restarts: 2,
        maxPasses: 120,
      };
      const whole = await ordinalEmbedding(train, options);
      for (const cut of [1, 21, 47, 90, whole.iterations]) {
        if (cut > whole.iterations) continue;
        let bytes = new Uint8Array();
        await ordinalEmbedding(train, {
          ...options,
          checkpoint: {
            write: (written) => {
              bytes = Uint8Array.from(written);
            },
          },
          onIteration: ({ index }) => index < cut,
        });
        const resumed = await ordinalEmbedding(train, { ...options, resume: bytes });
        expect(resumed.embedding).toEqual(whole.embedding);
        expect(resumed).toMatchObject({
          iterations: whole.iterations,
          passes: whole.passes,
          message: whole.message,
        });
      }
    },
  );

  test("measured steps: resumed anywhere", async () => {
    const whole = await ordinalEmbedding(split.train, { loss: "ste" });
    for (const cut of [2, 3, 10]) {
      let bytes = new Uint8Array();
      await ordinalEmbedding(split.train, {
        loss: "ste",
        checkpoint: {
          write: (written) => {
            bytes = Uint8Array.from(written);
          },
        },
        onIteration: ({ index }) => index < cut,
      });
      const resumed = await ordinalEmbedding(split.train, { loss: "ste", resume: bytes });
      expect(resumed.embedding).toEqual(whole.embedding);
    }
  });

  test("a checkpoint of other answers or options is refused", async () => {
    let bytes = new Uint8Array();
    await ordinalEmbedding(train, {
      maxIterations: 5,
      checkpoint: {
        write: (written) => {
          bytes = Uint8Array.from(written);
        },
      },
    });
    for (const other of [{ seed: 1 }, { loss: "ste" as const }, { ridge: 0.1 }, { validation: 0.2 }]) {
      const error = await refusal(ordinalEmbedding(train, { ...other, resume: bytes }));
      expect(error.code).toBe("ERR_CHECKPOINT");
    }
    expect((await refusal(ordinalEmbedding(held, { resume: bytes }))).code).toBe("ERR_CHECKPOINT");
    expect((await refusal(ordinalEmbedding(train, { resume: new Uint8Array(9) }))).code).toBe(
      "ERR_CHECKPOINT",
    );
  });

  test("aborted before there is a map: the signal's reason; on the way: the map so far", async () => {
    const reason = new Error("enough");
    await expect(ordinalEmbedding(train, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const controller = new AbortController();
    const heard: Iteration<OrdinalEmbeddingDetails>[] = [];
    const result = await ordinalEmbedding(train, {
      signal: controller.signal,
      onIteration: (iteration) => {
        heard.push(iteration);
        if (heard.length === 10) controller.abort();
      },
    });
    expect(result.status).toBe("aborted");
    expect(heard.length).toBe(10);
    expect(result.embedding.data.every(Number.isFinite)).toBe(true);
  });

  test("the result can be cloned, and its arrays are its own", async () => {
    const result = await ordinalEmbedding(train, { test: held, history: 5 });
    expect(structuredClone(result).embedding).toEqual(result.embedding);
    expect(result.history.length).toBe(5);
    expect(result.last).not.toBe(result.x);
    expect(result.monitoringEvaluations).toBe(result.iterations);
  });
});
