/**
 * Nothing of a sweep stays in Redis for ever: what nobody gives a sign of life for goes after `keepSeconds`, by Redis's own
 * clock. Who lives says so again and again: members of the pool for the queue's books, a coordinator for its units, a worker
 * for those that it works at.
 */
import type { Queue } from "bullmq";
import { type RedisConnection, redisError } from "./connection.js";
import { bookKeys, jobKey, keepSeconds } from "./names.js";

/** @throws CurvatureError ERR_IO */
export const keepBooks = (connection: RedisConnection, version: string): Promise<void> =>
  keepKeys(connection, bookKeys(version));

/** @throws CurvatureError ERR_IO */
export const keepJobs = (
  connection: RedisConnection,
  version: string,
  ids: readonly string[],
): Promise<void> =>
  keepKeys(
    connection,
    ids.map((id) => jobKey(version, id)),
  );

const batch = 1000;

async function keepKeys({ client, place }: RedisConnection, keys: readonly string[]): Promise<void> {
  try {
    for (let k = 0; k < keys.length; k += batch) {
      const pipeline = client.pipeline();
      for (const key of keys.slice(k, k + batch)) pipeline.expire(key, keepSeconds);
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

/** Strikes out of the queue's books what has gone by itself. */
export async function clearBooks({ client }: RedisConnection, { keys }: Queue): Promise<void> {
  for (const list of [keys["completed"], keys["failed"]]) {
    if (list !== undefined) await client.eval(clearScript, 1, list, keys[""] ?? "");
  }
}
