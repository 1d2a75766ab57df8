/** What affinities take of memory, so that too much is refused before any of it is had. */
import { CurvatureError } from "@curvature/linalg";

/** Bytes. */
const MOST = 2 ** 32;

/**
 * Bytes that each neighbour of a point takes while joint affinities are made: 12 (an index and a number) in the lists, in
 * the conditional affinities and in their transpose, and 24 in the joint ones, which have up to twice as many entries. The
 * search before takes 24, and so do the conditional affinities with the lists, or 36 where threads make them.
 */
export const bytesPerNeighbor = 60;

/**
 * @param bytes - of each point: 8 for an entry of a full matrix, `bytesPerNeighbor` for a neighbour
 * @param advice - what to do
 * @throws CurvatureError ERR_MEMORY above 4 GiB, with how much it would be
 */
export function checkMemory(where: string, points: number, bytes: number, advice: string): void {
  const total = points * bytes;
  if (total <= MOST) return;
  throw new CurvatureError(
    "ERR_MEMORY",
    `${points} points take ${total} bytes (${(total / 2 ** 30).toPrecision(3)} GiB), more than 4 GiB. ${advice}`,
    { where, path: "points", expected: "at most 4 GiB", received: total },
  );
}
