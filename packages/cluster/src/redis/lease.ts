/**
 * One coordinator for a name: whoever holds the lease, a key that Redis itself lets expire. A coordinator that was killed
 * renews no more, and its successor waits for the lease to run out; a living one renews, which the newcomer sees.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { CurvatureError } from "@curvature/linalg";
import { type RedisConnection, redisError } from "./connection.js";

const leaseSeconds = 6;
const renewSeconds = 1.5;

/** "OK", or by whom it is held, for so many ms more. */
const claimScript = `
local holder = redis.call("GET", KEYS[1])
if holder then return {holder, redis.call("PTTL", KEYS[1])} end
return redis.call("SET", KEYS[1], ARGV[1], "PX", ARGV[2])
`;

/** 1 if the lease is ours, also if a Redis that was restarted has forgotten it. */
const renewScript = `
local holder = redis.call("GET", KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call("SET", KEYS[1], ARGV[1], "PX", ARGV[2])
return 1
`;

/** With the keys, and the member of a set, that go with it. */
const releaseScript = `
if redis.call("GET", KEYS[1]) ~= ARGV[1] then return end
redis.call("DEL", unpack(KEYS))
if ARGV[2] then redis.call("SREM", ARGV[2], ARGV[3]) end
`;

export interface Lease {
  /** Aborted, with the refusal, when another coordinator has taken over. */
  readonly lost: AbortSignal;
  /** Renews no more, and leaves the lease to others, if it is still ours. */
  release(along?: Along): Promise<void>;
}

/** What goes with a lease. */
interface Along {
  readonly keys?: readonly string[];
  readonly entry?: { readonly set: string; readonly member: string };
}

export interface LeaseRequest {
  readonly key: string;
  /** For the message to others. */
  readonly who: string;
  readonly signal?: AbortSignal | undefined;
  /** What to say when it is another's: whose, or undefined where it was ours before. */
  readonly refusal: (holder: string | undefined) => CurvatureError;
  /** Is called after each renewal. */
  readonly onRenewed?: () => Promise<unknown>;
}

/** @throws CurvatureError the refusal, when a living coordinator has the lease; ERR_IO */
export async function takeLease(
  { client, place }: RedisConnection,
  { key, who, signal, refusal, onRenewed }: LeaseRequest,
): Promise<Lease> {
  const token = `${who} ${randomUUID()}`;
  const call = (script: string): Promise<unknown> => client.eval(script, 1, key, token, 1000 * leaseSeconds);
  for (let least = Number.POSITIVE_INFINITY; ; ) {
    const answer = await call(claimScript).catch((error: unknown) => {
      throw redisError(place, error);
    });
    if (!Array.isArray(answer)) break;
    const [holder, left] = answer;
    const milliseconds = Number(left);
    // One that has no end (below 0) was put there by hand.
    if (milliseconds > least || milliseconds < 0) throw refusal(String(holder).split(" ")[0]);
    least = milliseconds;
    await wait(100, undefined, { ...(signal && { signal }) });
  }
  const lost = new AbortController();
  const timer = setInterval(() => {
    // A Redis that is away is the connection's matter.
    call(renewScript).then(
      (ours) => (ours === 1 ? onRenewed?.().catch(() => undefined) : lost.abort(refusal(undefined))),
      () => undefined,
    );
  }, 1000 * renewSeconds);
  timer.unref();
  return {
    lost: lost.signal,
    release: async ({ keys = [], entry } = {}) => {
      clearInterval(timer);
      if (client.status !== "ready") return;
      const words = entry === undefined ? [] : [entry.set, entry.member];
      await client.eval(releaseScript, 1 + keys.length, key, ...keys, token, ...words).catch(() => undefined);
    },
  };
}
