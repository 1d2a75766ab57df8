/**
 * The executor that hands units to a pool of workers, through a queue of BullMQ in Redis. A coordinator may die at any moment;
 * the next one with the same plan finds what has been done.
 *
 * Events of the queue say when to look; every few seconds all that is missing is looked at anyhow, and what a Redis has
 * lost (it was restarted without its last second) is handed over again.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { callable, flag, type OptionsOf, object, optionTable, text } from "@curvature/linalg";
import { Queue, QueueEvents } from "bullmq";
import type { Executor, UnitEnd, UnitOfWork } from "../executor.js";
import { planHash } from "../plan.js";
import { type ConnectOptions, connect, type RedisConnection, redisError } from "./connection.js";
import { checkSweepName, prefix, queueName } from "./names.js";
import { joinPool, type Membership, usualName } from "./pool.js";
import { PoolMonitor } from "./pool-monitor.js";
import { claimSweep, type SweepClaim } from "./sweep-claim.js";
import { SweepJobs } from "./sweep-jobs.js";

const bullmqExecutorOptions = optionTable({
  /** The same name and the same plan are the same sweep, which goes on. Left out: made from the plan. */
  name: text,
  /** Of the program that the workers run: all must have the same. */
  version: text.default(""),
  /** Drops what a sweep of this name has left, whatever its plan, and begins anew. */
  discard: flag.default(false),
  connection: object<ConnectOptions>("an object"),
  /** Called for what is no error: no worker is there, one of them has not got the data. */
  onNotice: callable<(sentence: string) => void>(),
});
export type BullmqExecutorOptions = OptionsOf<typeof bullmqExecutorOptions> & { readonly version: string };

/**
 * Connects to Redis and joins the pool there.
 *
 * @param url - see `connect`
 * @throws CurvatureError ERR_OPTION, ERR_IO: see `connect`; ERR_IO for a pool of another version
 */
export async function bullmqExecutor(url: string, options: BullmqExecutorOptions): Promise<Executor> {
  const { name, version, discard, onNotice, ...settings } = bullmqExecutorOptions.resolve(
    "bullmqExecutor",
    options,
  );
  if (name !== undefined) checkSweepName(name);
  const connection = await connect(url, settings.connection);
  const who = usualName();
  try {
    const id = `coordinator-${randomUUID()}`;
    const membership = await joinPool(connection, { id, kind: "coordinator", name: who, version });
    return new BullmqExecutor(connection, membership, {
      version,
      name,
      discard,
      notice: onNotice ?? (() => undefined),
    });
  } catch (error) {
    await connection.close();
    throw error;
  }
}

interface Settings {
  readonly version: string;
  readonly name: string | undefined;
  readonly discard: boolean;
  readonly notice: (sentence: string) => void;
}

/** About so many: Redis trims whole blocks. */
const mostEvents = 100;
/** How often all that is missing is looked at, for events that were missed. */
const lookSeconds = 2;
/** How often a sign of life is given for all units. */
const extendEverySeconds = 3600;

class BullmqExecutor implements Executor {
  private readonly queue: Queue;
  private readonly events: QueueEvents;
  private jobs: SweepJobs | undefined;
  private claim: SweepClaim | undefined;
  private isOver = false;

  constructor(
    private readonly connection: RedisConnection,
    private readonly membership: Membership,
    private readonly settings: Settings,
  ) {
    const common = { connection: connection.client, prefix };
    // Each event holds its unit's result once more; who has missed one looks all the same.
    const streams = { events: { maxLen: mostEvents } };
    this.queue = new Queue(queueName(settings.version), { ...common, streams });
    this.events = new QueueEvents(queueName(settings.version), common);
    // Failures show where they matter: in the command that fails, and by `connection.lost`.
    this.queue.on("error", () => undefined);
    this.events.on("error", () => undefined);
  }

  async *run(
    units: readonly UnitOfWork[],
    signal?: AbortSignal,
    whole: readonly UnitOfWork[] = units,
  ): AsyncGenerator<UnitEnd> {
    signal?.throwIfAborted();
    const { version, discard, notice } = this.settings;
    const plan = planHash(whole, version);
    const sweep = this.settings.name ?? `${whole[0]?.command ?? "sweep"}-${plan.slice(0, 12)}`;
    await this.claim?.release(this.isOver);
    this.isOver = false;
    this.claim = await claimSweep(this.connection, { sweep, plan, who: usualName(), discard, signal });
    const jobs = new SweepJobs(this.connection, this.queue, { version, sweep, plan, units, whole });
    this.jobs = jobs;
    const monitor = new PoolMonitor(this.connection, sweep, notice);
    const stops = [this.connection.lost, this.claim.lost, ...(signal === undefined ? [] : [signal])];
    const stop = AbortSignal.any(stops);
    const extending = setInterval(() => void jobs.extend().catch(() => undefined), 1000 * extendEverySeconds);
    const bell = new Bell(this.events, stop);
    try {
      if (discard) await jobs.discard();
      await jobs.begin();
      for (let looked = Number.NEGATIVE_INFINITY; jobs.missing.size > 0; ) {
        stop.throwIfAborted();
        const every = Math.max(1000 * lookSeconds, jobs.missing.size);
        const isAll = performance.now() - looked > every;
        if (isAll) looked = performance.now();
        const rung = bell.taken().filter((id) => jobs.missing.has(id));
        for await (const end of jobs.ended(isAll ? [...jobs.missing.keys()] : rung)) {
          monitor.unitEnded();
          yield end;
        }
        if (isAll && jobs.missing.size > 0) await monitor.check();
        if (jobs.missing.size > 0) await bell.rings(every);
      }
    } catch (error) {
      // Where that fails, the units go on, and the reason to stop is still what is reported.
      if (signal?.aborted && !this.connection.lost.aborted) await jobs.callOff().catch(() => undefined);
      if (stop.aborted) stop.throwIfAborted();
      throw redisError(this.connection.place, error);
    } finally {
      clearInterval(extending);
      bell.close();
    }
  }

  async forget(): Promise<void> {
    await this.jobs?.forget().catch((error: unknown) => {
      throw redisError(this.connection.place, error);
    });
    this.isOver = true;
  }

  async close(): Promise<void> {
    await this.claim?.release(this.isOver);
    await this.membership.leave();
    await Promise.allSettled([this.events.close(), this.queue.close()]);
    await this.connection.close();
  }
}

/** Rings when a unit of the queue ends, whosever it is, and when it is time to stop. */
class Bell {
  private readonly due = new Set<string>();
  private wake = (): void => undefined;
  private readonly onEnd = ({ jobId }: { readonly jobId: string }): void => {
    this.due.add(jobId);
    this.wake();
  };

  constructor(
    private readonly events: QueueEvents,
    private readonly stop: AbortSignal,
  ) {
    events.on("completed", this.onEnd);
    events.on("failed", this.onEnd);
    stop.addEventListener("abort", () => this.wake());
  }

  /** Those that it has rung for since. */
  taken(): string[] {
    const ids = [...this.due];
    this.due.clear();
    return ids;
  }

  /** Ends when it rings, or has rung since, or after so many milliseconds. */
  async rings(milliseconds: number): Promise<void> {
    if (this.due.size > 0 || this.stop.aborted) return;
    const rest = new AbortController();
    this.wake = () => rest.abort();
    await wait(milliseconds, undefined, { signal: rest.signal }).catch(() => undefined);
    this.wake = () => undefined;
  }

  close(): void {
    this.events.off("completed", this.onEnd);
    this.events.off("failed", this.onEnd);
  }
}
