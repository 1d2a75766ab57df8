/** What is called what in Redis, and for how long it stays. Everything begins with `curvature:`. */
import { createHash } from "node:crypto";
import { CurvatureError } from "@curvature/linalg";

export const prefix = "curvature";

/** What a sweep leaves in Redis goes so long after the last sign of life of its coordinator, and of workers at its units. */
export const expirySeconds = 7 * 86_400;

/** One queue for all sweeps of a version: workers need not know which sweeps there are. */
export const queueName = (version: string): string => `units-${version.replaceAll(":", "_")}`;

const queueKey = (version: string, name: string): string => `${prefix}:${queueName(version)}:${name}`;

/**
 * The queue's own keys, which BullMQ writes. Not among them: `stalled-check`, whose expiry says when dead workers are looked
 * for again.
 */
export const queueKeys = (version: string): readonly string[] =>
  ["wait", "active", "completed", "failed", "stalled", "marker", "events", "meta", "id"].map((name) =>
    queueKey(version, name),
  );

/** What BullMQ says of the units, with their results. */
export const eventsKey = (version: string): string => queueKey(version, "events");

/** A unit with its end. */
export const jobKey = (version: string, id: string): string => queueKey(version, id);

export const membersKey = `${prefix}:members`;
export const memberInfoKey = `${prefix}:member-info`;

/** The hash of a sweep's plan. */
export const sweepKey = (sweep: string): string => `${prefix}:sweep:${sweep}`;
export const leaseKey = (sweep: string): string => `${sweepKey(sweep)}:lease`;
/** Which workers have not got the data of a sweep, and what they say. */
export const declinedKey = (sweep: string): string => `${sweepKey(sweep)}:declined`;
/** Jobs of a sweep that nobody wants any more, though they are under way. */
export const calledOffKey = (sweep: string): string => `${sweepKey(sweep)}:called-off`;

/** The same unit of the same sweep has the same job, so that handing it over twice does nothing. */
export function jobId(sweep: string, plan: string, unit: string): string {
  return createHash("sha256")
    .update(JSON.stringify([sweep, plan, unit]))
    .digest("hex")
    .slice(0, 40);
}

/** @throws CurvatureError ERR_OPTION */
export function checkSweepName(name: string): string {
  if (/^[A-Za-z0-9][\w.-]{0,99}$/.test(name)) return name;
  throw new CurvatureError(
    "ERR_OPTION",
    `A sweep's name must be made of up to 100 letters, digits, points, hyphens and underscores; received ${JSON.stringify(name.slice(0, 60))}.`,
    { path: "name" },
  );
}
