/**
 * The event loop's turn, and work that ends with it.
 */

/**
 * Gives the event loop its turn. A promise alone would not do it: timers, input and drawing wait until no
 * microtask is left, so this waits for a task of its own, by the quickest means that the platform has.
 */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof setImmediate === "function") {
      setImmediate(resolve);
    } else if (typeof MessageChannel === "function") {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        port1.close();
        resolve();
      };
      port2.postMessage(null);
    } else {
      setTimeout(resolve, 0);
    }
  });
}

/**
 * Does some work, then gives the event loop its turn.
 *
 * @param work - is not interrupted; it may return a promise
 * @throws whatever the work throws; the signal's reason if it is aborted before
 */
export async function asTask<T>(work: () => T | Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  throwIfAborted(signal);
  const value = await work();
  await nextTask();
  return value;
}

/** As the method of that name, which old engines' signals do not have. @throws the signal's reason if it is aborted */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true)
    throw signal.reason ?? new DOMException("This operation was aborted.", "AbortError");
}

export function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}
