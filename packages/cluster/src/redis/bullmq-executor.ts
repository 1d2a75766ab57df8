/**
 * The executor that hands units to a pool of workers, through a queue of BullMQ in Redis. The queue is the truth: a unit is
 * a job whose id is a hash of the unit, its result is what the worker that held the job's lock wrote there, and this side
 * only looks. A coordinator may die at any moment; the next one with the same plan finds what has been done.
 *
 * Events of the queue say when to look; every few seconds all that is missing is looked at anyhow, and what a Redis has
 * lost (it was restarted without its last second) is handed over again.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { CurvatureError, checkOptions, flag, optional, text } from "@curvature/linalg";
import { Job, Queue, QueueEvents } from "bullmq";
import { type Executor, mostTries, type UnitEnd, type UnitOfWork } from "../executor.js";
import { planHash } from "../plan.js";
import { isRecord } from "../unit-check.js";
import {
  type ConnectOptions,
  connect,
  isFull,
  type RedisConnection,
  redisError,
  tryRoom,
} from "./connection.js";
import { type Lease, takeLease } from "./lease.js";
import { checkSweepName, declinedKey, jobId, prefix, queueName } from "./names.js";
import { joinPool, livingMembers, type Membership, usualName } from "./pool.js";

export interface BullmqExecutorOptions {
  /** The same name and the same plan are the same sweep, which goes on. Default: made from the plan. */
  readonly name?: string;
  /** Of the program that the workers run: all must have the same. */
  readonly version: string;
  /** Drops what a sweep of this name has left, whatever its plan, and begins anew. Default: false. */
  readonly discard?: boolean;
  readonly connection?: ConnectOptions;
  /** Hears of what is no error: no worker is there, one of them has not got the data. */
  readonly onNotice?: (sentence: string) => void;
}

/**
 * Connects to Redis and joins the pool there.
 *
 * @param url - see `connect`
 * @throws CurvatureError ERR_OPTION, ERR_IO: see `connect`; ERR_IO for a pool of another version
 */
export async function bullmqExecutor(url: string, options: BullmqExecutorOptions): Promise<Executor> {
  const { connection: patience, onNotice, ...given } = options;
  const { name, version, discard } = checkOptions<
    Pick<BullmqExecutorOptions, "name" | "version"> & { readonly discard: boolean }
  >(
    "bullmqExecutor",
    given,
    { version: "", discard: false },
    { name: optional(text), version: text, discard: flag },
  );
  if (name !== undefined) checkSweepName(name);
  const connection = await connect(url, patience);
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

/** How often all that is missing is looked at, for events that were missed. */
const lookSeconds = 2;
/** How long an empty pool is borne in silence. */
const emptySeconds = 5;
/** A Redis without room, where nothing has ended for so long, is given up: what is in the queue stays, for a later run. */
const fullSeconds = 20;
const batch = 500;

class BullmqExecutor implements Executor {
  private readonly queue: Queue;
  private readonly events: QueueEvents;
  private readonly jobs = new Set<string>();
  private lease: Lease | undefined;
  private sweep = "";
  private over = false;

  constructor(
    private readonly connection: RedisConnection,
    private readonly membership: Membership,
    private readonly settings: Settings,
  ) {
    const common = { connection: connection.client, prefix };
    this.queue = new Queue(queueName(settings.version), common);
    this.events = new QueueEvents(queueName(settings.version), common);
    // What breaks is heard of where it matters: in the command that fails, and by `connection.lost`.
    this.queue.on("error", () => undefined);
    this.events.on("error", () => undefined);
  }

  async *run(
    units: readonly UnitOfWork[],
    signal?: AbortSignal,
    whole: readonly UnitOfWork[] = units,
  ): AsyncGenerator<UnitEnd> {
    signal?.throwIfAborted();
    const plan = planHash(whole, this.settings.version);
    this.sweep = this.settings.name ?? `${whole[0]?.command ?? "sweep"}-${plan.slice(0, 12)}`;
    const { discard } = this.settings;
    this.lease = await takeLease(this.connection, {
      sweep: this.sweep,
      plan,
      who: usualName(),
      discard,
      signal,
    });
    const missing = new Map(units.map((unit) => [jobId(this.sweep, plan, unit.id), unit]));
    for (const { id } of whole) this.jobs.add(jobId(this.sweep, plan, id));
    const stops = [this.connection.lost, this.lease.lost, ...(signal === undefined ? [] : [signal])];
    const stop = AbortSignal.any(stops);
    const due = new Set<string>();
    let wake = (): void => undefined;
    const onEnd = ({ jobId: id }: { readonly jobId: string }): void => {
      due.add(id);
      wake();
    };
    this.events.on("completed", onEnd);
    this.events.on("failed", onEnd);
    stop.addEventListener("abort", () => wake());
    const watch = new Watch(this.connection, this.sweep, this.settings.notice);
    try {
      await this.connection.client.del(declinedKey(this.sweep));
      if (discard) await this.dropSweep();
      await this.handOver(missing);
      for (let looked = Number.NEGATIVE_INFINITY; missing.size > 0; ) {
        stop.throwIfAborted();
        const every = Math.max(1000 * lookSeconds, missing.size);
        const all = performance.now() - looked > every;
        if (all) looked = performance.now();
        const candidates = all ? [...missing.keys()] : [...due].filter((id) => missing.has(id));
        due.clear();
        for await (const { id, end } of this.ended(candidates, missing)) {
          missing.delete(id);
          watch.heard();
          yield end;
        }
        if (all && missing.size > 0) await watch.look();
        if (missing.size === 0 || due.size > 0) continue;
        const rest = new AbortController();
        wake = () => rest.abort();
        if (stop.aborted) wake();
        await wait(every, undefined, { signal: rest.signal }).catch(() => undefined);
        wake = () => undefined;
      }
    } catch (error) {
      if (signal?.aborted && !this.connection.lost.aborted) await this.cancel(missing);
      if (stop.aborted) stop.throwIfAborted();
      throw redisError(this.connection.place, error);
    } finally {
      this.events.off("completed", onEnd);
      this.events.off("failed", onEnd);
    }
  }

  async forget(): Promise<void> {
    try {
      const ids = [...this.jobs];
      for (let k = 0; k < ids.length; k += batch) {
        await Promise.all(ids.slice(k, k + batch).map((id) => this.queue.remove(id)));
      }
      await this.connection.client.del(declinedKey(this.sweep));
    } catch (error) {
      throw redisError(this.connection.place, error);
    }
    this.jobs.clear();
    this.over = true;
  }

  async close(): Promise<void> {
    await this.lease?.release(this.over);
    await this.membership.leave();
    await Promise.allSettled([this.events.close(), this.queue.close()]);
    await this.connection.close();
  }

  /** Removes all jobs of the sweep but those that are under way: their ends are nobody's. */
  private async dropSweep(): Promise<void> {
    const found: Job[] = [];
    for (const state of ["wait", "delayed", "prioritized", "completed", "failed"] as const) {
      for (let k = 0; ; k += batch) {
        const jobs = await this.queue.getJobs([state], k, k + batch - 1);
        for (const job of jobs) if (job?.data?.sweep === this.sweep) found.push(job);
        if (jobs.length < batch) break;
      }
    }
    for (const job of found) await job.remove();
  }

  private async handOver(units: ReadonlyMap<string, UnitOfWork>): Promise<void> {
    const { sweep } = this;
    const jobs = [...units].map(([id, unit]) => ({
      name: unit.command,
      data: { sweep, unit },
      opts: { jobId: id, attempts: mostTries, removeOnComplete: false, removeOnFail: false },
    }));
    for (let k = 0; k < jobs.length; k += batch) await this.queue.addBulk(jobs.slice(k, k + batch));
  }

  /** Those of the candidates that have ended; those that Redis has lost are handed over again. */
  private async *ended(
    candidates: readonly string[],
    missing: ReadonlyMap<string, UnitOfWork>,
  ): AsyncGenerator<{ readonly id: string; readonly end: UnitEnd }> {
    const lost = new Map<string, UnitOfWork>();
    for (let k = 0; k < candidates.length; k += batch) {
      const ids = candidates.slice(k, k + batch);
      const jobs = await Promise.all(ids.map((id) => Job.fromId(this.queue, id)));
      for (const [i, job] of jobs.entries()) {
        const unit = missing.get(ids[i]);
        if (unit === undefined) continue;
        const end = job === undefined ? undefined : await endOf(job, unit.id);
        if (job === undefined) lost.set(ids[i], unit);
        else if (end !== undefined) yield { id: ids[i], end };
      }
    }
    if (lost.size > 0) await this.handOver(lost);
  }

  /** Takes back what nobody has begun. What is under way runs to its end, and is there for a later run. */
  private async cancel(missing: ReadonlyMap<string, UnitOfWork>): Promise<void> {
    await Promise.allSettled([...missing.keys()].map((id) => this.queue.remove(id)));
  }
}

async function endOf(job: Job, id: string): Promise<UnitEnd | undefined> {
  if (job.finishedOn === undefined) return undefined;
  const state = await job.getState();
  if (state === "failed") {
    return {
      id,
      status: "failed",
      reason: job.failedReason ?? "unknown",
      tries: Math.max(1, job.attemptsMade),
    };
  }
  const value: unknown = job.returnvalue;
  if (state !== "completed" || !isRecord(value)) return undefined;
  return { id, status: "done", result: value["result"], seconds: Number(value["seconds"]) };
}

/** Whether there is somebody who can do the work, and room for the results. */
class Watch {
  private readonly told = new Set<string>();
  private readonly since = performance.now();
  private fullSince: number | undefined;

  constructor(
    private readonly connection: RedisConnection,
    private readonly sweep: string,
    private readonly notice: (sentence: string) => void,
  ) {}

  /** @throws CurvatureError ERR_IO when every worker has said that it has not got the data, or Redis is full and nothing ends */
  async look(): Promise<void> {
    await this.lookForRoom();
    const members = await livingMembers(this.connection);
    const workers = members.filter(({ kind }) => kind === "worker");
    const declined = await this.connection.client.hgetall(declinedKey(this.sweep));
    if (workers.length === 0 && performance.now() - this.since > 1000 * emptySeconds) {
      this.tell(
        `No worker is at ${this.connection.place}; start one there: curvature worker --redis <url> --data <folder>.`,
      );
    }
    const saying = workers.filter(({ id }) => Object.hasOwn(declined, id));
    for (const { id, name } of saying) this.tell(`The worker ${name} cannot do these units. ${declined[id]}`);
    if (workers.length > 0 && saying.length === workers.length) {
      const { id, name } = saying[0];
      throw new CurvatureError("ERR_IO", `No worker has the data. ${name} says: ${declined[id]}`, {
        path: "data",
      });
    }
  }

  /**
   * A full Redis takes the results of short units still, but no worker's word that it is alive: long units would be begun
   * again and again, and nobody told.
   */
  private async lookForRoom(): Promise<void> {
    const { client, place } = this.connection;
    try {
      await tryRoom(client);
      this.fullSince = undefined;
    } catch (error) {
      this.fullSince ??= performance.now();
      if (!isFull(error) || performance.now() - this.fullSince > 1000 * fullSeconds) throw error;
      this.tell(redisError(place, error).message);
    }
  }

  /** A unit has ended. */
  heard(): void {
    this.fullSince = undefined;
  }

  private tell(sentence: string): void {
    if (this.told.has(sentence)) return;
    this.told.add(sentence);
    this.notice(sentence);
  }
}
