/** Work outside a run: the seconds that it took, the abort signal, and the event loop's turn after it. */
import { nextTask } from "./event-loop.js";

/** Work and the seconds that it took. */
export interface Timed<T> {
  readonly value: T;
  readonly seconds: number;
}

/**
 * Does some work, then gives the event loop its turn.
 *
 * @param work - is not interrupted; it may return a promise
 * @throws whatever the work throws; the signal's reason if it is aborted before
 */
export async function timed<T>(
  work: () => T | Promise<T>,
  signal: AbortSignal | undefined,
): Promise<Timed<T>> {
  throwIfAborted(signal);
  const startedAt = performance.now();
  const value = await work();
  const seconds = (performance.now() - startedAt) / 1000;
  await nextTask();
  return { value, seconds };
}

/** As the method of that name, which old engines' signals do not have. @throws the signal's reason if it is aborted */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true)
    throw signal.reason ?? new DOMException("This operation was aborted.", "AbortError");
}
