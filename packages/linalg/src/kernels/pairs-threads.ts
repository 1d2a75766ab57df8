/** Threads that take over sums over all pairs, where someone has started them: `@curvature/linalg/threads` does. */
import type { Coordinates, PairKernel } from "./pairs.js";

export interface PairThreads {
  /** Whether a sum over so many points is to be had from them, and sooner. */
  serves(points: number): boolean;
  /** S, and with arrays the forces; undefined where they fail, and the caller is to do it by himself. */
  compute(
    kernel: PairKernel,
    x: Coordinates,
    y: Coordinates,
    fx?: Float64Array,
    fy?: Float64Array,
  ): number | undefined;
}

const started: PairThreads[] = [];

/** The function that is returned takes them out of use. */
export function usePairThreads(threads: PairThreads): () => void {
  started.push(threads);
  return () => {
    const place = started.indexOf(threads);
    if (place >= 0) started.splice(place, 1);
  };
}

export function threadsFor(points: number): PairThreads | undefined {
  for (let k = 0; k < started.length; k++) if (started[k].serves(points)) return started[k];
  return undefined;
}
