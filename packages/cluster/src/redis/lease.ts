/**
 * One coordinator for a sweep: whoever holds the lease, a key that Redis itself lets expire. A coordinator that was killed
 * renews no more, and its successor waits for the lease to run out; a living one renews, which the newcomer sees.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { CurvatureError } from "@curvature/linalg";
import { type RedisConnection, redisError } from "./connection.js";
import { leaseKey, sweepKey } from "./names.js";

const leaseSeconds = 6;
const renewSeconds = 1.5;

/**
 * Takes a free lease and enters the plan, or says why not: {"plan", its hash} or {"held", by whom, for so many ms more}.
 * A sweep that is over has no entry.
 */
const claimScript = `
local plan = redis.call("GET", KEYS[2])
local holder = redis.call("GET", KEYS[1])
if plan and plan ~= ARGV[3] and ARGV[4] ~= "discard" then return {"plan", plan} end
if holder and holder ~= ARGV[1] then return {"held", holder, redis.call("PTTL", KEYS[1])} end
redis.call("SET", KEYS[1], ARGV[1], "PX", ARGV[2])
redis.call("SET", KEYS[2], ARGV[3])
return {"ours"}
`;

/** 1 if the lease is ours, also if a Redis that was restarted has forgotten it. */
const renewScript = `
local holder = redis.call("GET", KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call("SET", KEYS[1], ARGV[1], "PX", ARGV[2])
redis.call("SET", KEYS[2], ARGV[3])
return 1
`;

const releaseScript = `
if redis.call("GET", KEYS[1]) == ARGV[1] then redis.call("DEL", KEYS[1]) end
if ARGV[2] == "over" then redis.call("DEL", KEYS[2]) end
`;

export interface Lease {
  /** Aborted, with a `CurvatureError`, when another coordinator has taken over. */
  readonly lost: AbortSignal;
  /** @param over - whether the sweep itself is over and need not be remembered */
  release(over: boolean): Promise<void>;
}

export interface Claim {
  readonly sweep: string;
  /** The plan's hash. */
  readonly plan: string;
  /** For the message to others. */
  readonly who: string;
  /** Whether another plan that was begun under this name is dropped. */
  readonly discard: boolean;
  readonly signal: AbortSignal | undefined;
}

/**
 * @throws CurvatureError ERR_IO when a living coordinator has the lease, ERR_OPTION when the sweep has another plan
 */
export async function takeLease(connection: RedisConnection, claim: Claim): Promise<Lease> {
  const { client, place } = connection;
  const { sweep, plan, who, discard, signal } = claim;
  const token = `${who} ${randomUUID()}`;
  const call = async (script: string, ...words: readonly (string | number)[]): Promise<unknown> =>
    client.eval(script, 2, leaseKey(sweep), sweepKey(sweep), ...words).catch((error: unknown) => {
      throw redisError(place, error);
    });
  for (let least = Number.POSITIVE_INFINITY; ; ) {
    const answer = await call(claimScript, token, 1000 * leaseSeconds, plan, discard ? "discard" : "");
    const [word, holder, left] = Array.isArray(answer) ? answer : [];
    if (word === "ours") break;
    if (word === "plan") throw otherPlan(sweep, place);
    const milliseconds = Number(left);
    // One that has no end (below 0) was put there by hand.
    if (milliseconds > least || milliseconds < 0) throw alreadyLed(sweep, place, String(holder));
    least = milliseconds;
    await wait(100, undefined, { ...(signal && { signal }) });
  }
  const lost = new AbortController();
  const timer = setInterval(() => {
    call(renewScript, token, 1000 * leaseSeconds, plan).then(
      (ours) => ours === 1 || lost.abort(alreadyLed(sweep, place, undefined)),
      () => undefined, // a Redis that is away is the connection's matter
    );
  }, 1000 * renewSeconds);
  timer.unref();
  return {
    lost: lost.signal,
    release: async (over) => {
      clearInterval(timer);
      if (client.status === "ready")
        await call(releaseScript, token, over ? "over" : "").catch(() => undefined);
    },
  };
}

function alreadyLed(sweep: string, place: string, holder: string | undefined): CurvatureError {
  const who = holder === undefined ? "another coordinator" : `the coordinator ${holder.split(" ")[0]}`;
  return new CurvatureError(
    "ERR_IO",
    `The sweep ${sweep} at ${place} is led by ${who}; wait for it, or give this one another name.`,
    { path: "name", received: sweep },
  );
}

function otherPlan(sweep: string, place: string): CurvatureError {
  return new CurvatureError(
    "ERR_OPTION",
    `The sweep ${sweep} at ${place} was begun with another plan (other settings, data or version); give this one another name, or discard the other.`,
    { path: "name", received: sweep },
  );
}
