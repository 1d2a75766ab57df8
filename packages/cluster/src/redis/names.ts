/** What is called what in Redis. Everything begins with `curvature:`. */
import { createHash } from "node:crypto";
import { CurvatureError } from "@curvature/linalg";

export const prefix = "curvature";

/** One queue for all sweeps of a version: workers need not know which sweeps there are. */
export const queueName = (version: string): string => `units-${version.replaceAll(":", "_")}`;

export const membersKey = `${prefix}:members`;
export const memberInfoKey = `${prefix}:member-info`;

export const sweepKey = (sweep: string): string => `${prefix}:sweep:${sweep}`;
export const leaseKey = (sweep: string): string => `${sweepKey(sweep)}:lease`;
/** Which workers have not got the data of a sweep, and what they say. */
export const declinedKey = (sweep: string): string => `${sweepKey(sweep)}:declined`;

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
