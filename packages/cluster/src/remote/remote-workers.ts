/** Who evaluates for a coordinator: how many there are, who takes no part and why, and how long nobody is waited for. */
import { CurvatureError } from "@curvature/linalg";
import type { RedisConnection } from "../redis/connection.js";
import { capacityOf, consumersIn, group } from "./redis-names.js";

/** A worker that has nothing to do gives a sign of life every second. */
const ALIVE_SECONDS = 4;
/** How long the pool may be empty before a warning. */
const WARN_SECONDS = 3;

export interface RemoteWorkersOptions {
  /** The stream of questions. */
  readonly tasks: string;
  /** Seconds without a worker after which it is all over. */
  readonly patienceSeconds: number;
  readonly warn: ((sentence: string) => void) | undefined;
}

export class RemoteWorkers {
  /** How many evaluations can be made at once. */
  capacity = 0;
  private readonly refusals = new Map<string, string>();
  /** When a worker was last seen, or nobody was needed. */
  private lastSeen = performance.now();
  private hasWarned = false;

  constructor(
    private readonly connection: RedisConnection,
    private readonly options: RemoteWorkersOptions,
  ) {}

  /** A worker has answered, or nobody was needed until now. */
  seen(): void {
    this.lastSeen = performance.now();
  }

  refused(worker: string, reason: string): void {
    if (!this.refusals.has(worker)) this.options.warn?.(`${worker} takes no part: ${reason}`);
    this.refusals.set(worker, reason);
  }

  /** @throws CurvatureError ERR_IO when somebody has been needed for too long, and nobody was there */
  async count(isNeeded: boolean): Promise<void> {
    const { client, place } = this.connection;
    const { tasks, patienceSeconds, warn } = this.options;
    const consumers = consumersIn(await client.callBuffer("XINFO", "CONSUMERS", tasks, group));
    const alive = consumers.filter(({ idleSeconds }) => idleSeconds < ALIVE_SECONDS);
    this.capacity = alive.reduce((sum, { name }) => sum + capacityOf(name), 0);
    if (alive.length > 0 || !isNeeded) {
      this.seen();
      return;
    }
    const seconds = (performance.now() - this.lastSeen) / 1000;
    if (seconds > patienceSeconds) throw this.nobody();
    if (seconds <= WARN_SECONDS || this.hasWarned) return;
    this.hasWarned = true;
    warn?.(`No worker takes part at ${place}; waiting for one.`);
  }

  private nobody(): CurvatureError {
    const { place } = this.connection;
    const reasons = [...this.refusals]
      .map(([worker, reason]) => ` ${worker} takes no part: ${reason}`)
      .join("");
    return new CurvatureError(
      "ERR_IO",
      `For ${this.options.patienceSeconds} seconds no worker has taken part at ${place}.${reasons} Start one: npx @curvature/cli worker --redis ${place} --data <folder>.`,
      { path: "redis" },
    );
  }
}
