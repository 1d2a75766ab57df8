// @module-tag full
/** A worker that is asked to stop ends, whatever has become of its Redis. */

import { sweep } from "@curvature/cluster";
import { bullmqExecutor, connect } from "@curvature/cluster/redis";
import { describe, expect, test } from "vitest";
import { missingRedis, redisForTest } from "./redis-for-test.js";
import type { RedisServer } from "./redis-server.js";
import { all, squares } from "./units.js";
import { workerForTest } from "./worker-process.js";

const states: Readonly<Record<string, (server: RedisServer) => unknown>> = {
  well: () => undefined,
  dead: ({ stop }) => stop("SIGKILL"),
  "dying meanwhile": ({ stop }) => void stop("SIGKILL"),
  mute: ({ mute }) => mute(),
  full: async ({ url }) => {
    const { client, close } = await connect(url);
    await client.config("SET", "maxmemory", "1mb");
    await close();
  },
};

describe.skipIf(missingRedis !== undefined)("asked to stop, at work, while Redis is", () => {
  test.each(Object.entries(states))("%s", async (_state, become) => {
    const server = await redisForTest();
    const worker = workerForTest({ url: server.url, concurrency: 2 });
    const executor = await bullmqExecutor(server.url, {
      version: "1.0.0",
      connection: { patienceSeconds: 1 },
    });
    const stop = new AbortController();
    const running = all(sweep(squares(4, 600_000), executor, { signal: stop.signal })).catch(() => undefined);
    await worker.said("started");
    await become(server);
    worker.child.kill("SIGTERM");
    expect(await worker.ended()).toBe(0);
    await server.stop("SIGKILL");
    stop.abort();
    await running;
    await executor.close();
  });
});
