/**
 * A worker of the pool: takes units from the queue, runs each in a process of its own, and writes their results there. It holds a
 * lock on what it works at and renews it; when it dies the lock runs out by Redis's clock, and another worker takes the unit.
 *
 * A process that is killed takes no other unit with it. The system may have killed it for the memory that others took, so its
 * unit is run once more, with nothing beside it: what dies then is to blame. So is a unit whose workers die while it is alone.
 *
 * A worker that has not got a unit's data puts the unit back, says which file is missing, and holds off for a while, so
 * that those who have the data get it. A unit that its coordinator has called off is stopped, and goes.
 */
import { randomUUID } from "node:crypto";
import { availableParallelism } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import {
  CurvatureError,
  callable,
  either,
  instance,
  integerFrom,
  type OptionsOf,
  object,
  optionTable,
  positive,
  text,
} from "@curvature/linalg";
import { type Job, UnrecoverableError, WaitingError, Worker } from "bullmq";
import { fileOf } from "../data.js";
import { mostAtATime, type UnitOfWork } from "../executor.js";
import { Turns } from "../threads/turns.js";
import { ProcessDeath, processRunner, UnitPool, type UnitResult } from "../threads/unit-pool.js";
import { checkUnit, isRecord } from "../unit-check.js";
import { type ConnectOptions, connect, type RedisConnection } from "./connection.js";
import { declinedKey, expirySeconds, jobKey, prefix, queueName } from "./names.js";
import { joinPool, usualName } from "./pool.js";
import { UnitsUnderWay } from "./units-under-way.js";

const serveUnitsOptions = optionTable({
  /** The folder that the units' paths are relative to. */
  data: text.default(""),
  /** The module that runs units: it calls `answerUnits`. */
  module: either(instance("a URL", URL), text),
  /** Of the program: a pool of another version is not joined. */
  version: text.default(""),
  /** Units at a time. Left out: one for each core. */
  concurrency: integerFrom(1, mostAtATime),
  /** For people. Left out: host and process. */
  name: text,
  /** A worker that is silent for so long is taken for dead, and its units go to others. */
  silentSeconds: positive.default(15),
  connection: object<ConnectOptions>("an object"),
  /** Ends the work: units under way are put back. */
  signal: instance("an AbortSignal", AbortSignal),
  onEvent: callable<(event: WorkerEvent) => void>(),
});
export type ServeUnitsOptions = OptionsOf<typeof serveUnitsOptions> & {
  readonly data: string;
  readonly module: URL | string;
  readonly version: string;
};

export type WorkerEvent =
  | { readonly type: "joined"; readonly place: string; readonly name: string }
  | { readonly type: "started"; readonly unit: string }
  | { readonly type: "done"; readonly unit: string; readonly seconds: number }
  | { readonly type: "failed"; readonly unit: string; readonly reason: string }
  | { readonly type: "called-off"; readonly unit: string }
  | { readonly type: "declined"; readonly unit: string; readonly reason: string };

/** A unit that so many workers have died of, whatever was beside it, is from then on run with nothing beside it. */
const suspectDeaths = 3;
/** A unit whose workers died so often while it was alone is what kills them, and not chance. */
const mostDeaths = 25;
/** Seconds to hold off when the data are missing: from, to. */
const firstHold = 1;
const lastHold = 10;
/** Bytes of a result, as JSON: Redis holds them all in memory. */
const mostBytes = 16 * 2 ** 20;

/**
 * Serves until the signal is aborted.
 *
 * @param url - see `connect`
 * @returns how many units it has done
 * @throws CurvatureError ERR_OPTION, ERR_IO: see `connect`; ERR_IO for a pool of another version, or a connection that was lost
 */
export async function serveUnits(url: string, options: ServeUnitsOptions): Promise<number> {
  const settings = serveUnitsOptions.resolve("serveUnits", options);
  const { data, version, concurrency = availableParallelism(), name = usualName() } = settings;
  const { silentSeconds, signal, onEvent } = settings;
  const connection = await connect(url, { ...settings.connection, ...(signal && { signal }) }).catch(
    (error: unknown) => {
      if (signal?.aborted) return undefined;
      throw error;
    },
  );
  if (connection === undefined) return 0;
  const id = `worker-${randomUUID()}`;
  try {
    const membership = await joinPool(connection, { id, kind: "worker", name, version });
    const server = new UnitServer(connection, id, {
      data,
      module: options.module,
      version,
      concurrency,
      silentSeconds,
      tell: onEvent,
    });
    onEvent?.({ type: "joined", place: connection.place, name });
    try {
      return await server.serve(signal);
    } finally {
      await membership.leave();
    }
  } finally {
    await connection.close();
  }
}

interface ServerSettings {
  readonly data: string;
  readonly module: URL | string;
  readonly version: string;
  readonly concurrency: number;
  readonly silentSeconds: number;
  readonly tell: ((event: WorkerEvent) => void) | undefined;
}

class UnitServer {
  private readonly pool: UnitPool;
  private readonly turns = new Turns();
  private readonly underWay: UnitsUnderWay;
  private readonly stop = new AbortController();
  private hold = firstHold;
  private done = 0;

  constructor(
    private readonly connection: RedisConnection,
    private readonly id: string,
    private readonly settings: ServerSettings,
  ) {
    this.pool = new UnitPool(() => processRunner(settings.module));
    this.underWay = new UnitsUnderWay(connection, settings.version);
  }

  async serve(signal: AbortSignal | undefined): Promise<number> {
    const { version, concurrency, silentSeconds } = this.settings;
    const { lost, client } = this.connection;
    const worker = new Worker(queueName(version), (job, token) => this.work(job, token ?? ""), {
      connection: client,
      prefix,
      concurrency,
      lockDuration: 1000 * silentSeconds,
      stalledInterval: 500 * silentSeconds,
      maxStalledCount: Number.MAX_SAFE_INTEGER, // who has been beside a unit that kills is not to blame
      runRetryDelay: 500,
    });
    worker.on("error", () => undefined); // a Redis that is away is waited for; `lost` says when that is over
    await new Promise<void>((done) => {
      for (const reason of [lost, ...(signal === undefined ? [] : [signal])]) {
        if (reason.aborted) done();
        reason.addEventListener("abort", () => done());
      }
    });
    this.stop.abort();
    this.underWay.close();
    await Promise.race([worker.close(lost.aborted), wait(4000, undefined, { ref: false })]);
    await this.pool.close();
    if (lost.aborted) throw lost.reason;
    return this.done;
  }

  private async work(job: Job, token: string): Promise<UnitResult> {
    const { unit, sweep } = given(job);
    return this.underWay.during(job.id ?? "", sweep, async (calledOff) => {
      if (calledOff.aborted) return this.drop(job, unit);
      let files: string[];
      try {
        files = await Promise.all(unit.data.map((reference) => fileOf(this.settings.data, reference)));
      } catch (error) {
        return this.decline(job, token, { unit, sweep, error });
      }
      await this.connection.client.hdel(declinedKey(sweep), this.id);
      this.hold = firstHold;
      return this.run(job, token, { unit, files, calledOff });
    });
  }

  private async run(
    job: Job,
    token: string,
    { unit, files, calledOff }: { unit: UnitOfWork; files: readonly string[]; calledOff: AbortSignal },
  ): Promise<UnitResult> {
    const { tell } = this.settings;
    tell?.({ type: "started", unit: unit.id });
    const signal = AbortSignal.any([this.stop.signal, calledOff]);
    try {
      const end = await this.tried(job, () => this.pool.run(unit, files, signal));
      checkSize(end.result);
      this.done += 1;
      tell?.({ type: "done", unit: unit.id, seconds: end.seconds });
      return end;
    } catch (error) {
      if (calledOff.aborted) return this.drop(job, unit);
      if (this.stop.signal.aborted) {
        await job.moveToWait(token);
        throw new WaitingError();
      }
      const reason = error instanceof Error ? error.message : String(error);
      tell?.({ type: "failed", unit: unit.id, reason });
      const isFinal = error instanceof ProcessDeath || error instanceof UnrecoverableError;
      throw isFinal ? new UnrecoverableError(reason) : new Error(reason, { cause: error });
    }
  }

  private async tried(job: Job, run: () => Promise<UnitResult>): Promise<UnitResult> {
    if (job.stalledCounter >= suspectDeaths) {
      return this.turns.alone(async () => {
        const key = jobKey(this.settings.version, job.id ?? "");
        const deaths = (await this.connection.client.hincrby(key, "alone", 1)) - 1;
        if (deaths >= mostDeaths)
          throw new UnrecoverableError(
            `${deaths} workers have died while they ran this unit and nothing else.`,
          );
        return run();
      });
    }
    try {
      return await this.turns.beside(run);
    } catch (error) {
      if (!(error instanceof ProcessDeath) || error.signal !== "SIGKILL") throw error;
      return await this.turns.alone(run).catch((again: unknown) => {
        throw again instanceof ProcessDeath ? new ProcessDeath(again.signal, true) : again;
      });
    }
  }

  /** Nobody wants the unit any more. */
  private drop(job: Job, unit: UnitOfWork): never {
    this.settings.tell?.({ type: "called-off", unit: unit.id });
    job.opts.removeOnFail = true;
    throw new UnrecoverableError("It was called off.");
  }

  /** Gives the unit back without a try being counted. */
  private async decline(
    job: Job,
    token: string,
    { unit, sweep, error }: { unit: UnitOfWork; sweep: string; error: unknown },
  ): Promise<never> {
    const reason = error instanceof Error ? error.message : String(error);
    this.settings.tell?.({ type: "declined", unit: unit.id, reason });
    await this.connection.client
      .multi()
      .hset(declinedKey(sweep), this.id, reason)
      .expire(declinedKey(sweep), expirySeconds)
      .exec();
    await job.moveToWait(token);
    const seconds = this.hold;
    this.hold = Math.min(2 * seconds, lastHold);
    await wait(1000 * seconds, undefined, { signal: this.stop.signal }).catch(() => undefined);
    throw new WaitingError();
  }
}

/** What came through the queue. What is no unit will be none the next time either. */
function given(job: Job): { readonly unit: UnitOfWork; readonly sweep: string } {
  const data: unknown = job.data;
  // It waited for longer than Redis keeps what nobody asks for: only its number was left.
  if (isRecord(data) && Object.keys(data).length === 0) job.opts.removeOnFail = true;
  try {
    if (isRecord(data) && typeof data["sweep"] === "string") {
      return { unit: checkUnit(data["unit"]), sweep: data["sweep"] };
    }
    throw new CurvatureError("ERR_ARGUMENT", "What came as a unit of work is none.");
  } catch (error) {
    throw new UnrecoverableError(error instanceof Error ? error.message : String(error));
  }
}

function checkSize(result: unknown): void {
  const bytes = JSON.stringify(result).length;
  if (bytes <= mostBytes) return;
  throw new Error(`The result has ${bytes} bytes, more than the ${mostBytes} that Redis is asked to hold.`);
}
