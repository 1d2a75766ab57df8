/**
 * What a worker is at: looked after every second. Redis learns that these units are not abandoned, and the worker whether
 * their coordinator has called them off.
 */
import type { RedisConnection } from "./connection.js";
import { extendQueueKeys } from "./expiry.js";
import { calledOffKey, expirySeconds, jobKey, sweepKey } from "./names.js";

interface UnderWay {
  readonly job: string;
  readonly sweep: string;
  readonly off: AbortController;
}

const lookSeconds = 1;

export class UnitsUnderWay {
  private readonly units = new Set<UnderWay>();
  private readonly timer: ReturnType<typeof setInterval>;

  constructor(
    private readonly connection: RedisConnection,
    private readonly version: string,
  ) {
    this.timer = setInterval(() => {
      // A Redis that is away is the connection's matter, and nobody can be asked.
      if (this.units.size > 0 && connection.client.status === "ready")
        this.look(this.units).catch(() => undefined);
    }, 1000 * lookSeconds);
  }

  /** Does the work, with a signal that is aborted when the unit has been called off, perhaps before it began. */
  async during<T>(job: string, sweep: string, work: (calledOff: AbortSignal) => Promise<T>): Promise<T> {
    const one = { job, sweep, off: new AbortController() };
    this.units.add(one);
    try {
      await this.look([one]);
      return await work(one.off.signal);
    } finally {
      this.units.delete(one);
    }
  }

  close(): void {
    clearInterval(this.timer);
  }

  private async look(units: Iterable<UnderWay>): Promise<void> {
    const { client } = this.connection;
    extendQueueKeys(this.connection, this.version).catch(() => undefined);
    await Promise.all(
      Array.from(units, async ({ job, sweep, off }) => {
        client.expire(sweepKey(sweep), expirySeconds).catch(() => undefined);
        client.expire(jobKey(this.version, job), expirySeconds).catch(() => undefined);
        if ((await client.sismember(calledOffKey(sweep), job)) === 1) off.abort();
      }),
    );
  }
}
