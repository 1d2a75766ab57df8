/** Threads for exact sums over all pairs, while a map is made. Nobody loads their code who does not ask for them. */
import type { Threads } from "@curvature/linalg/threads";
import type { EmbedSettings } from "./embed-options.js";

const alone: Threads = { count: 1, ready: 0, warnings: [], close: () => undefined };

/** What they cannot help is done by one thread: the other sums take no time, or are not of this form. */
export async function threadsFor(
  { threads, gradient, dimensions, method, repulsion }: EmbedSettings,
  points: number,
): Promise<Threads> {
  const sumsAllPairs =
    gradient === "exact" && dimensions === 2 && method !== "sne" && repulsion !== "distance";
  if (threads === 1 || !sumsAllPairs) return alone;
  const { startThreads } = await import("@curvature/linalg/threads");
  return startThreads(threads, points);
}
