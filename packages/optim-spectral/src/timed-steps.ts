import { type Timed, timed } from "@curvature/optim-core";

/**
 * A phase that goes in steps: between two of them the event loop has its turn, and an aborted signal ends it.
 *
 * @param onShare - hears of what the steps yield
 * @throws whatever a step throws; the signal's reason if it is aborted before the last
 */
export async function timedSteps<T>(
  steps: Iterator<number, T, void>,
  signal: AbortSignal | undefined,
  onShare: (share: number) => void,
): Promise<Timed<T>> {
  let seconds = 0;
  try {
    for (;;) {
      const step = await timed(() => steps.next(), signal);
      seconds += step.seconds;
      if (step.value.done === true) return { value: step.value.value, seconds };
      onShare(step.value.value);
    }
  } finally {
    steps.return?.(); // threads that have a part in the steps hear that they are over
  }
}
