/** How long a thread may stay in one call. The machine may be busy, so mostly the processor's time counts. */
const processorSeconds = 10;
/** For a call that waits for what never comes. */
const clockSeconds = 300;

export class Patience {
  private processor = used();
  private clock = performance.now();

  /** The thread gave a sign of life. */
  renew(): void {
    this.processor = used();
    this.clock = performance.now();
  }

  /** What the thread took without a sign of life, once that is too much. */
  get lost(): string | undefined {
    if (used() - this.processor > processorSeconds)
      return `no end after ${processorSeconds} s of the processor`;
    if (performance.now() - this.clock > 1000 * clockSeconds) return `no end after ${clockSeconds} s`;
    return undefined;
  }
}

/** Seconds of the processor that this process took, with all its threads. */
function used(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
