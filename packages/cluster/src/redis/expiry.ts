/**
 * Nothing of a sweep stays in Redis for ever: what nobody extends goes after `expirySeconds`, by Redis's own
 * clock. Members of the pool extend the queue's keys, a coordinator those of its units, a worker those of the units that it
 * works at.
 */
import type { Queue } from "bullmq";
import { type RedisConnection, redisError } from "./connection.js";
import { expirySeconds, jobKey, queueKeys } from "./names.js";

/** @throws CurvatureError ERR_IO */
export const extendQueueKeys = (connection: RedisConnection, version: string): Promise<void> =>
  extendKeys(connection, queueKeys(version));

/** @throws CurvatureError ERR_IO */
export const extendJobKeys = (
  connection: RedisConnection,
  version: string,
  ids: readonly string[],
): Promise<void> =>
  extendKeys(
    connection,
    ids.map((id) => jobKey(version, id)),
  );

const batch = 1000;

async function extendKeys({ client, place }: RedisConnection, keys: readonly string[]): Promise<void> {
  try {
    for (let k = 0; k < keys.length; k += batch) {
      const pipeline = client.pipeline();
      for (const key of keys.slice(k, k + batch)) pipeline.expire(key, expirySeconds);
      await pipeline.exec();
    }
  } catch (error) {
    throw redisError(place, error);
  }
}

/** What is gone is still in the lists of what has ended. (What waits is dropped by the worker that finds nothing there.) */
const clearScript = `
local gone = 0
for _, id in ipairs(redis.call("ZRANGE", KEYS[1], 0, -1)) do
  if redis.call("EXISTS", ARGV[1] .. id) == 0 then gone = gone + redis.call("ZREM", KEYS[1], id) end
end
return gone
`;

/** Takes jobs that have expired out of the queue's lists of what has ended. */
export async function dropExpiredJobs({ client }: RedisConnection, { keys }: Queue): Promise<void> {
  for (const list of [keys["completed"], keys["failed"]]) {
    if (list !== undefined) await client.eval(clearScript, 1, list, keys[""] ?? "");
  }
}
