/** Remote sums behind a real Redis that cannot be had: each ends in a sentence. */
import { CurvatureError } from "@curvature/linalg";
import { describe, expect, test, vi } from "vitest";
import { coordinate } from "../../src/remote/coordinator.js";
import { RemoteSum } from "../../src/remote/remote-sum.js";
import { missingRedis, redisForTest } from "../redis-for-test.js";
import { connected, coordinator, description, sum, worker } from "./far-sums.js";

describe.skipIf(missingRedis !== undefined)("behind Redis", () => {
  test("a worker of another version is refused by name, and so is one that cannot build the sum", {
    tags: ["full"],
  }, async () => {
    const server = await redisForTest();
    const warnings: string[] = [];
    await worker(server, sum, { version: "0.9", name: "old:7" });
    await worker(server, sum, {
      name: "bare:8",
      build: async () => {
        throw new CurvatureError("ERR_IO", "digits.csv is not in the data folder /data; put it there.");
      },
    });
    const far = await coordinator(server, { patienceSeconds: 2 }, warnings);
    await vi.waitUntil(() => warnings.length === 2, { timeout: 300_000 });
    const failure = await far.evaluate(0, sum.initial).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(CurvatureError);
    const said = String(failure);
    expect(said).toMatch(/old:7 \(\w+\) takes no part: it is of version 0\.9, and the coordinator of 1;/);
    expect(said).toMatch(/bare:8 \(\w+\) takes no part: digits\.csv is not in the data folder/);
    expect(said).toContain("For 2 seconds no worker has taken part");
    expect(warnings).toHaveLength(2);
  });

  test("a subfunction that fails every time ends in an error that names it and the reason", async () => {
    const server = await redisForTest();
    await worker(server, {
      ...sum,
      evaluate: (index, x, gradient) => {
        if (index === 7) throw new Error("the disk is on fire");
        return sum.evaluate(index, x, gradient);
      },
    });
    const far = await coordinator(server);
    await expect(far.evaluate(7, sum.initial)).rejects.toThrowError(
      /^Subfunction 7 failed 3 times, at last at box:1 \(\w+\): the disk is on fire\.$/,
    );
    expect(await far.evaluate(6, sum.initial)).toBe(sum.evaluate(6, sum.initial));
  });

  test("a full Redis ends the run with a sentence", { tags: ["full"] }, async () => {
    const server = await redisForTest("--maxmemory", "2500kb");
    const connection = await connected(server);
    const wide = { dimension: 400_000, count: 1 };
    const far = new RemoteSum(
      wide,
      await coordinate(connection, { name: "wide", description, version: "1" }),
    );
    await expect(far.evaluate(0, new Float64Array(400_000))).rejects.toThrowError(/is full \(maxmemory\)/);
    await far.close();
  });

  test.each([[""], ["a b"], ["../x"], ["x".repeat(101)]])("the name %j is refused", async (name) => {
    const server = await redisForTest();
    const connection = await connected(server);
    await expect(coordinate(connection, { name, description, version: "1" })).rejects.toMatchObject({
      code: "ERR_OPTION",
    });
  });
});
