/** A real Redis for a test, gone when the test is over; and whether there is one. */
import { spawnSync } from "node:child_process";
import { onTestFinished } from "vitest";
import { type RedisServer, redisProgram, startRedis } from "./redis-server.js";

/** Why tests with Redis are left out; undefined where there is one. */
export const missingRedis: string | undefined =
  spawnSync(redisProgram, ["--version"]).status === 0
    ? undefined
    : `there is no ${redisProgram} here (Debian: apt-get install redis-server, or name one in REDIS_SERVER)`;

if (missingRedis !== undefined) process.stderr.write(`Tests with Redis are left out: ${missingRedis}.\n`);

/** As `startRedis`, for the test that is running. */
export async function redisForTest(...settings: readonly string[]): Promise<RedisServer> {
  const server = await startRedis(...settings);
  onTestFinished(server.remove);
  return server;
}
