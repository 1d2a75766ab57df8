/**
 * What becomes of an approximate search: its lists; or, where a caller leaves the choice and too few neighbours were
 * found, those of the exact one. Data without structure (independent normal numbers, for instance) has no lists in which
 * neighbours are likelier than elsewhere, and a search that looks into most of them takes as long as the exact one.
 */
import type { DenseMatrix } from "@curvature/linalg";
import type { SearchThreads } from "../threads/threads.js";
import { searchApproximately, searchOnTrial } from "./approximate-search.js";
import { searchAmong } from "./exact-search.js";
import type { FoundNeighbors } from "./neighbor-lists.js";

/** The recall below which "auto" is exact. */
const MIN_RECALL = 0.95;

export function* exactly(
  Y: DenseMatrix,
  k: number,
  threads?: SearchThreads,
): Generator<number, FoundNeighbors, void> {
  return { ...(yield* searchAmong(Y, k, threads)), search: "exact", recall: 1, abandonedRecall: undefined };
}

export function* approximately(
  Y: DenseMatrix,
  k: number,
  seed: number,
): Generator<number, FoundNeighbors, void> {
  const { lists, recall } = yield* searchApproximately(Y, k, seed);
  return { ...lists, search: "approximate", recall, abandonedRecall: undefined };
}

/** Approximately, and exactly if that finds less than `MIN_RECALL` of the neighbours or is not going to find more. */
export function* approximatelyIfWell(
  Y: DenseMatrix,
  k: number,
  seed: number,
  threads?: SearchThreads,
): Generator<number, FoundNeighbors, void> {
  const attempt = searchOnTrial(Y, k, seed);
  let done = 0;
  let next = attempt.next();
  for (; next.done !== true; next = attempt.next()) {
    done = next.value;
    yield done;
  }
  const { lists, recall } = next.value;
  if (lists !== undefined && recall >= MIN_RECALL)
    return { ...lists, search: "approximate", recall, abandonedRecall: undefined };
  const steps = searchAmong(Y, k, threads);
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done === true) return { ...step.value, search: "exact", recall: 1, abandonedRecall: recall };
    yield done + (1 - done) * step.value;
  }
}
