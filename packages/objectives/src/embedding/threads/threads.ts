/** What threads do for embeddings, as those see it who have work for them. Whoever makes them loads their code. */
import { CurvatureError, type DenseMatrix, type PairKernel, shown } from "@curvature/linalg";
import type { NeighborLists } from "../affinity/neighbor-lists.js";
import type { EntropicAffinities } from "../affinity/row-fits.js";
import type { ModelSettings } from "../options.js";
import type { EnergyTerm } from "../pair-sum.js";

export interface SearchThreads {
  /** The k nearest other points of each; undefined where the threads fail, and the caller is to do it by himself. */
  search(Y: DenseMatrix, k: number): Generator<number, NeighborLists | undefined, void>;
}

export interface AffinityThreads {
  /** The entropic affinities of such lists; undefined as above. */
  affinities(
    lists: NeighborLists,
    perplexity: number,
  ): Generator<number, EntropicAffinities | undefined, void>;
}

/** What a kernel's sum over all pairs is made of. */
export interface KernelSumShape extends Pick<ModelSettings, "dimensions" | "gradient" | "theta"> {
  readonly kernel: PairKernel;
  readonly points: number;
}

export interface SumThreads {
  /** The same sum, evaluated by another thread while the caller's does something else, wherever it is asked early enough. */
  elsewhere(shape: KernelSumShape, own: EnergyTerm): EnergyTerm;
}

export interface EmbeddingThreads extends SearchThreads, AffinityThreads, SumThreads {
  /** How many there are to be, the caller's included: 1 where there is no way to have more. */
  readonly count: number;
  /** How many were started for any work so far, the caller's included; none that has failed. */
  readonly started: number;
  /** Why the caller's thread has to do it all, or has had to: then results are the same, and take longer. */
  readonly warnings: readonly string[];
  /** Ends the threads; a process may exit without it. */
  close(): void;
}

/** @throws CurvatureError ERR_ARGUMENT for what has no such method */
export function checkThreads<T extends SearchThreads | AffinityThreads | SumThreads>(
  threads: T | undefined,
  method: keyof T & string,
): void {
  if (threads === undefined || typeof threads?.[method] === "function") return;
  const expected = "threads of embeddingThreads, or nothing";
  throw new CurvatureError("ERR_ARGUMENT", `threads must be ${expected}; received ${shown(threads)}.`, {
    path: "threads",
    expected,
    received: threads,
  });
}
