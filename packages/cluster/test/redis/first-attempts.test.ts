/** Redis may be away at the very moment at which a worker or a coordinator makes one of its connections. */
import { sweep } from "@curvature/cluster";
import { bullmqExecutor } from "@curvature/cluster/redis";
import { describe, expect, onTestFinished, test } from "vitest";
import { missingRedis, redisForTest } from "../redis-for-test.js";
import { gateTo } from "../redis-gate.js";
import { all, expectedSquares, outcomes, squares } from "../units.js";
import { workerForTest } from "../worker-process.js";

describe.skipIf(missingRedis !== undefined)("a connection that fails at first is made again", () => {
  test("of a worker, behind its first", { tags: ["full"] }, async () => {
    const { url, port } = await redisForTest();
    const gate = await gateTo(port, 1);
    workerForTest({ url: gate.url });
    await gate.refused;
    gate.open();
    const executor = await bullmqExecutor(url, { version: "1.0.0" });
    onTestFinished(() => executor.close());
    expect(outcomes(await all(sweep(squares(3), executor)))).toEqual(expectedSquares(3));
  });

  test("of a coordinator, behind its first", { tags: ["full"] }, async () => {
    const { url, port } = await redisForTest();
    const gate = await gateTo(port, 1);
    workerForTest({ url });
    const executor = await bullmqExecutor(gate.url, { version: "1.0.0" });
    onTestFinished(() => executor.close());
    await gate.refused;
    gate.open();
    expect(outcomes(await all(sweep(squares(3), executor)))).toEqual(expectedSquares(3));
  });
});
