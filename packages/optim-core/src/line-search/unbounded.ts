/**
 * What lets an objective seem to be unbounded below.
 */
import type { EndingTest } from "../solver.js";

/** Steps so many times as long as the first trial and as the point, along a slope that stays, are taken for endless. */
const ENDLESS = 1e10;

export const bottomless = (value: number): EndingTest | undefined =>
  value === Number.NEGATIVE_INFINITY ? { name: "value", value, limit: -Number.MAX_VALUE } : undefined;

/**
 * @param alpha - of a step that has not ended the fall
 * @param first - the α that it has grown from
 * @param length - ‖p‖
 * @param size - ‖x‖; 0 says nothing of the scale, and 1 stands in its place
 */
export function endless(alpha: number, first: number, length: number, size: number): EndingTest | undefined {
  const limit = ENDLESS * (size || 1);
  return alpha >= ENDLESS * first && alpha * length >= limit
    ? { name: "step length", value: alpha * length, limit }
    : undefined;
}
