/**
 * The units of one sweep as jobs of the queue. The queue is the truth: a job's id is a hash of sweep, plan and unit, its
 * result is what the worker that held the job's lock wrote there, and this side only looks.
 */
import { Job, type Queue } from "bullmq";
import { mostTries, type UnitEnd, type UnitOfWork } from "../executor.js";
import { isRecord } from "../unit-check.js";
import type { RedisConnection } from "./connection.js";
import { dropExpiredJobs, extendJobKeys, extendQueueKeys } from "./expiry.js";
import { calledOffKey, declinedKey, eventsKey, expirySeconds, jobId } from "./names.js";

const batch = 500;

export interface SweepUnits {
  readonly version: string;
  readonly sweep: string;
  /** The plan's hash. */
  readonly plan: string;
  /** Those that have not ended yet. */
  readonly units: readonly UnitOfWork[];
  /** All of the plan. */
  readonly whole: readonly UnitOfWork[];
}

export class SweepJobs {
  /** What has not ended yet, by its job. */
  readonly missing: Map<string, UnitOfWork>;
  private readonly all: ReadonlySet<string>;
  private readonly version: string;
  private readonly sweep: string;

  constructor(
    private readonly connection: RedisConnection,
    private readonly queue: Queue,
    { version, sweep, plan, units, whole }: SweepUnits,
  ) {
    this.version = version;
    this.sweep = sweep;
    this.missing = new Map(units.map((unit) => [jobId(sweep, plan, unit.id), unit]));
    this.all = new Set(whole.map(({ id }) => jobId(sweep, plan, id)));
  }

  /** Hands over all that is missing; what is there already stays as it is. */
  async begin(): Promise<void> {
    const { client } = this.connection;
    await dropExpiredJobs(this.connection, this.queue);
    await client.del(declinedKey(this.sweep));
    await inBatches([...this.all], (ids) => client.srem(calledOffKey(this.sweep), ...ids));
    await this.handOver([...this.missing.values()], [...this.missing.keys()]);
  }

  /** Gives a sign of life, for workers that are away for longer than Redis keeps what nobody asks for. */
  async extend(): Promise<void> {
    await extendJobKeys(this.connection, this.version, [...this.all]);
  }

  private async handOver(units: readonly UnitOfWork[], ids: readonly string[]): Promise<void> {
    const { sweep } = this;
    const jobs = units.map((unit, k) => ({
      name: unit.command,
      data: { sweep, unit },
      opts: { jobId: ids[k], attempts: mostTries, removeOnComplete: false, removeOnFail: false },
    }));
    await inBatches(jobs, (some) => this.queue.addBulk([...some]));
    await extendJobKeys(this.connection, this.version, ids);
    await extendQueueKeys(this.connection, this.version);
  }

  /** Those of the candidates that have ended; those that Redis has lost are handed over again. */
  async *ended(candidates: readonly string[]): AsyncGenerator<UnitEnd> {
    const lost: string[] = [];
    for (let k = 0; k < candidates.length; k += batch) {
      const ids = candidates.slice(k, k + batch);
      const jobs = await Promise.all(ids.map((id) => Job.fromId(this.queue, id)));
      for (const [i, job] of jobs.entries()) {
        const unit = this.missing.get(ids[i]);
        if (unit === undefined) continue;
        const end = job === undefined ? undefined : await endOf(job, unit.id);
        if (job === undefined) lost.push(ids[i]);
        else if (end !== undefined && this.missing.delete(ids[i])) yield end;
      }
    }
    const units = lost.map((id) => this.missing.get(id)).filter((unit) => unit !== undefined);
    if (units.length > 0) await this.handOver(units, lost);
  }

  /** Takes back what nobody has begun, and has workers stop what is under way. What has ended is there for a later run. */
  async callOff(): Promise<void> {
    await inBatches([...this.missing.keys()], async (ids) => {
      const isUnderWay = await Promise.all(
        ids.map(async (id) => {
          const state = await this.queue.getJobState(id);
          if (state === "active") return true;
          return state === "waiting" || state === "delayed" ? (await this.queue.remove(id)) === 0 : false;
        }),
      );
      await this.stopAtWorkers(ids.filter((_, k) => isUnderWay[k]));
    });
  }

  /** Removes all jobs of this sweep's name; what is under way for another plan is stopped. */
  async discard(): Promise<void> {
    const found: Job[] = [];
    const underWay: string[] = [];
    for (const state of ["wait", "delayed", "prioritized", "completed", "failed", "active"] as const) {
      for (let k = 0; ; k += batch) {
        const jobs = await this.queue.getJobs([state], k, k + batch - 1);
        for (const job of jobs) {
          if (job?.data?.sweep !== this.sweep) continue;
          if (state !== "active") found.push(job);
          else if (job.id !== undefined && !this.all.has(job.id)) underWay.push(job.id);
        }
        if (jobs.length < batch) break;
      }
    }
    for (const job of found) await job.remove();
    await this.stopAtWorkers(underWay);
  }

  /** Drops all ends, and the queue's events, which hold results, too: they are kept elsewhere. */
  async forget(): Promise<void> {
    await inBatches([...this.all], (ids) => Promise.all(ids.map((id) => this.queue.remove(id))));
    const { client } = this.connection;
    await client.del(declinedKey(this.sweep), calledOffKey(this.sweep));
    await client.xtrim(eventsKey(this.version), "MAXLEN", 0);
  }

  private async stopAtWorkers(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const key = calledOffKey(this.sweep);
    await this.connection.client
      .multi()
      .sadd(key, ...ids)
      .expire(key, expirySeconds)
      .exec();
  }
}

async function inBatches<T>(
  items: readonly T[],
  work: (some: readonly T[]) => Promise<unknown>,
): Promise<void> {
  for (let k = 0; k < items.length; k += batch) await work(items.slice(k, k + batch));
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
