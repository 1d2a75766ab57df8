import { isPromise } from "@curvature/optim-core";

/**
 * Waits for a promise that may never settle.
 *
 * @returns what it comes to, or undefined as soon as the signal is aborted; then nobody waits for it any more
 */
export async function untilAborted<T>(
  work: T | Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T | undefined> {
  if (!isPromise(work) || !(signal instanceof AbortSignal)) return work;
  let stop = (): void => undefined;
  const aborted = new Promise<undefined>((resolve) => {
    stop = () => resolve(undefined);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop);
  });
  Promise.resolve(work).catch(() => undefined); // its rejection may come after the signal
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
