/** Threads, while a map is made. Nobody loads their code who does not ask for them. */
import type { PrincipalThreads } from "@curvature/linalg";
import type { EmbeddingThreads } from "@curvature/objectives/embedding/threads";
import type { EmbedSettings } from "./embed-settings.js";

export interface MapThreads {
  /** The most that were started for any phase so far, the caller's included; none that has failed. */
  readonly started: number;
  /** For the search for neighbours and for sums that are not over pairs; undefined where those take no time. */
  readonly shared: EmbeddingThreads | undefined;
  /** For principal components, where the settings ask for some. */
  readonly components: PrincipalThreads | undefined;
  readonly warnings: readonly string[];
  close(): void;
}

/** Points below which a search or a sum that is not over pairs takes less time than starting a thread. */
const FEWEST = 2000;

/** What they cannot help is done by one thread: the other phases take little time, or are not of this form. */
export async function threadsFor(settings: EmbedSettings, points: number): Promise<MapThreads> {
  const { threads, gradient, dimensions, method, repulsion, neighbors, pca, initialization } = settings;
  const isOfPairs = gradient === "exact" || gradient === "single";
  const sumsAllPairs =
    isOfPairs && dimensions === 2 && !["sne", "laplacian"].includes(method) && repulsion !== "distance";
  const hasOtherWork = points >= FEWEST && (neighbors !== "all" || !isOfPairs);
  const pairs =
    threads !== 1 && sumsAllPairs
      ? (await import("@curvature/linalg/threads")).startThreads(threads, points)
      : undefined;
  const shared =
    threads !== 1 && hasOtherWork
      ? (await import("@curvature/objectives/embedding/threads")).embeddingThreads(threads)
      : undefined;
  const components =
    threads !== 1 && (pca !== undefined || initialization === "pca")
      ? (await import("@curvature/linalg/threads")).principalThreads(threads)
      : undefined;
  const all = [components, shared, pairs].filter((some) => some !== undefined);
  return {
    ...{ shared, components },
    get started() {
      return Math.max(1, ...all.map(({ started }) => started));
    },
    get warnings() {
      return [...new Set(all.flatMap(({ warnings }) => warnings))];
    },
    close() {
      shared?.close();
      pairs?.close();
    },
  };
}
