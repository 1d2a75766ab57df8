/**
 * Who works behind one Redis: workers and coordinators enter themselves, and again every few seconds. All times are those
 * of Redis's own clock, so that it does not matter what the clocks of the machines say. All members have one version,
 * since results of another version may be other results.
 */
import { hostname } from "node:os";
import { CurvatureError } from "@curvature/linalg";
import { isRecord } from "../unit-check.js";
import { type RedisConnection, redisError } from "./connection.js";
import { extendQueueKeys } from "./expiry.js";
import { memberInfoKey, membersKey } from "./names.js";

export interface Member {
  readonly id: string;
  readonly kind: "worker" | "coordinator";
  /** For people. */
  readonly name: string;
  readonly version: string;
}

/** A member without a sign of life for so long has gone. */
const memberSeconds = 12;
const renewSeconds = 3;

/**
 * Drops who has gone; then enters the member, unless somebody has another version: their entries are the answer then. An
 * entry that is no member's, or that nothing says the time of, was put there by something else: it counts for nobody.
 */
const enterScript = `
local time = redis.call("TIME")
local now = time[1] * 1000 + math.floor(time[2] / 1000)
for _, id in ipairs(redis.call("ZRANGEBYSCORE", KEYS[1], "-inf", now)) do
  redis.call("HDEL", KEYS[2], id)
end
redis.call("ZREMRANGEBYSCORE", KEYS[1], "-inf", now)
local others = {}
for _, id in ipairs(redis.call("ZRANGE", KEYS[1], 0, -1)) do
  local entry = redis.call("HGET", KEYS[2], id)
  local isJson, member = pcall(cjson.decode, entry or "")
  if isJson and type(member) == "table" and member["version"] ~= ARGV[4] then others[#others + 1] = entry end
end
if #others > 0 then return others end
redis.call("ZADD", KEYS[1], now + ARGV[2], ARGV[1])
redis.call("HSET", KEYS[2], ARGV[1], ARGV[3])
for _, key in ipairs(KEYS) do redis.call("PEXPIRE", key, ARGV[2]) end
return {}
`;

const livingScript = `
local time = redis.call("TIME")
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local living = {}
for _, id in ipairs(redis.call("ZRANGEBYSCORE", KEYS[1], "(" .. now, "+inf")) do
  living[#living + 1] = redis.call("HGET", KEYS[2], id)
end
return living
`;

export const usualName = (): string => `${hostname()}-${process.pid}`;

export interface Membership {
  leave(): Promise<void>;
}

/**
 * Enters the pool and stays in it.
 *
 * @throws CurvatureError ERR_IO when others of the pool have another version; they are named
 */
export async function joinPool(connection: RedisConnection, member: Member): Promise<Membership> {
  await enter(connection, member);
  const timer = setInterval(() => {
    // A refusal here means that the pool was emptied and taken over while this one was away: what it hands over or takes goes
    // by version all the same.
    enter(connection, member).catch(() => undefined);
  }, 1000 * renewSeconds);
  timer.unref();
  return {
    leave: async () => {
      clearInterval(timer);
      if (connection.client.status !== "ready") return;
      await connection.client
        .multi()
        .zrem(membersKey, member.id)
        .hdel(memberInfoKey, member.id)
        .exec()
        .catch(() => undefined);
    },
  };
}

async function enter(connection: RedisConnection, member: Member): Promise<void> {
  const { client, place } = connection;
  const words = [member.id, 1000 * memberSeconds, JSON.stringify(member), member.version];
  const others = membersIn(
    await client.eval(enterScript, 2, membersKey, memberInfoKey, ...words).catch((error: unknown) => {
      throw redisError(place, error);
    }),
  );
  if (others.length === 0) return extendQueueKeys(connection, member.version);
  const named = others.slice(0, 5).map(({ kind, name, version }) => `${kind} ${name}: ${version}`);
  const more = others.length > 5 ? `, and ${others.length - 5} more` : "";
  throw new CurvatureError(
    "ERR_IO",
    `The ${member.kind} ${member.name} has version ${member.version} and cannot join the pool at ${place}, which has another (${named.join(", ")}${more}); install the same version everywhere. Who has just been ended counts for ${memberSeconds} s more.`,
    { path: "version", expected: others[0].version, received: member.version },
  );
}

/** @throws CurvatureError ERR_IO */
export async function livingMembers({ client, place }: RedisConnection): Promise<readonly Member[]> {
  try {
    return membersIn(await client.eval(livingScript, 2, membersKey, memberInfoKey));
  } catch (error) {
    throw redisError(place, error);
  }
}

function membersIn(answer: unknown): Member[] {
  if (!Array.isArray(answer)) return [];
  return answer.flatMap((entry: unknown) => {
    const value = recordIn(entry);
    if (value === undefined) return [];
    const { id, kind, name, version } = value;
    const isMember = typeof id === "string" && typeof name === "string" && typeof version === "string";
    return isMember && (kind === "worker" || kind === "coordinator") ? [{ id, kind, name, version }] : [];
  });
}

function recordIn(entry: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof entry !== "string") return undefined;
  try {
    const value: unknown = JSON.parse(entry);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
