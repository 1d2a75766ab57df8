/**
 * A sweep's name in Redis: one plan has it, and one coordinator at a time. A sweep that is over has no entry.
 */
import { CurvatureError } from "@curvature/linalg";
import { type RedisConnection, redisError } from "./connection.js";
import { takeLease } from "./lease.js";
import { expirySeconds, leaseKey, sweepKey } from "./names.js";

export interface SweepClaim {
  /** Aborted, with a `CurvatureError`, when another coordinator has taken over. */
  readonly lost: AbortSignal;
  /** @param isOver - whether the sweep itself is over and need not be remembered */
  release(isOver: boolean): Promise<void>;
}

export interface SweepRequest {
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
 * @throws CurvatureError ERR_IO when a living coordinator leads the sweep, ERR_OPTION when it has another plan
 */
export async function claimSweep(connection: RedisConnection, request: SweepRequest): Promise<SweepClaim> {
  const { client, place } = connection;
  const { sweep, plan, who, discard, signal } = request;
  const checkPlan = async (): Promise<void> => {
    const there = discard ? null : await client.get(sweepKey(sweep));
    if (there !== null && there !== plan) throw otherPlan(sweep, place);
  };
  const enterPlan = (): Promise<unknown> => client.set(sweepKey(sweep), plan, "EX", expirySeconds);
  try {
    await checkPlan(); // before anybody is waited for
    const lease = await takeLease(connection, {
      key: leaseKey(sweep),
      who,
      signal,
      refusal: (holder) => alreadyLed(sweep, place, holder),
      onRenewed: enterPlan,
    });
    try {
      await checkPlan();
      await enterPlan();
    } catch (error) {
      await lease.release();
      throw error;
    }
    return {
      lost: lease.lost,
      release: (isOver) => lease.release({ keys: isOver ? [sweepKey(sweep)] : [] }),
    };
  } catch (error) {
    signal?.throwIfAborted();
    throw redisError(place, error);
  }
}

function alreadyLed(sweep: string, place: string, holder: string | undefined): CurvatureError {
  const who = holder === undefined ? "another coordinator" : `the coordinator ${holder}`;
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
