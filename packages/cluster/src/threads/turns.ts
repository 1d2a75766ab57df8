/** Work that goes side by side, and work with nothing beside it. */
export class Turns {
  private readonly running = new Set<Promise<unknown>>();
  /** The last of those that are alone. */
  private last: Promise<unknown> = Promise.resolve();

  /** Waits for what is alone. */
  async beside<T>(work: () => Promise<T>): Promise<T> {
    for (let seen: unknown; seen !== this.last; ) {
      seen = this.last;
      await this.last;
    }
    const running = work();
    this.running.add(running);
    try {
      return await running;
    } finally {
      this.running.delete(running);
    }
  }

  /** Waits for all that is under way; what comes later waits for it. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.last.then(() => Promise.allSettled(this.running)).then(work);
    this.last = turn.catch(() => undefined);
    return turn;
  }
}
