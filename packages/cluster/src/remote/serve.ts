/**
 * The worker's side behind Redis: looks for sums, builds those that it can, and answers questions about them until it is
 * told to stop. It holds nothing that anybody would miss: what it was at when it dies is asked of another.
 */
import { CurvatureError, shown } from "@curvature/linalg";
import type { SumOfFunctions } from "@curvature/optim-core";
import { type RedisConnection, redisError } from "../redis/connection.js";
import { answerTask, type Task } from "./answer-task.js";
import { decodeFrame, encodeFrame } from "./frames.js";
import { consumerName, type Entry, group, keysOf, registry, type SumKeys, streamsIn } from "./redis-names.js";

/** A sum with what is to be let go of when its run is over. */
export interface ServedSum extends SumOfFunctions {
  close?(): Promise<void>;
}

export interface ServeOptions {
  readonly connection: RedisConnection;
  /** The worker's name in messages, such as its host and process; made distinct here. */
  readonly name: string;
  /** Of the program; must be the coordinator's. */
  readonly version: string;
  /** Tasks at a time. If evaluations are no promises, 1 is right. */
  readonly capacity: number;
  /** The sum that a description means. What it throws is the reason why this worker takes no part. */
  readonly build: (description: unknown) => Promise<ServedSum>;
  readonly signal: AbortSignal;
  /** Hears of sums that begin and end. */
  readonly note?: (sentence: string) => void;
}

/** Points of a sum that are kept for further tasks. */
const POINTS_KEPT = 4;
const LOOK_EVERY = 1000;
const HEARTBEAT = 1000;
const RETRY = 250;

interface Joined {
  readonly name: string;
  readonly epoch: number;
  readonly keys: ReturnType<SumKeys["of"]>;
  readonly sum: ServedSum;
  readonly points: Map<number, Promise<Float64Array>>;
  /** Entries that are being worked on. */
  readonly busy: Set<string>;
}

/**
 * Serves until the signal is aborted; what is being evaluated then is left to others.
 *
 * @throws CurvatureError (the promise rejects) ERR_IO if Redis is lost
 */
export async function serveSubfunctions(options: ServeOptions): Promise<void> {
  const worker = new SubfunctionWorker(options);
  try {
    await worker.serve();
  } catch (error) {
    if (!options.signal.aborted) throw redisError(options.connection.place, error);
  } finally {
    await worker.close();
  }
}

class SubfunctionWorker {
  private readonly reader;
  private readonly consumer: string;
  private readonly joined = new Map<string, Joined>();
  /** Sums that are being built, or were refused: name and epoch. */
  private readonly known = new Set<string>();
  private readonly heartbeat: ReturnType<typeof setInterval>;
  private readonly worker: string;
  private active = 0;
  private freed: () => void = () => undefined;
  private lastLook = Number.NEGATIVE_INFINITY;
  private readonly stop: () => void;

  constructor(private readonly options: ServeOptions) {
    const { connection, name, capacity, signal } = options;
    this.worker = `${name} (${crypto.randomUUID().slice(0, 8)})`;
    this.consumer = consumerName(this.worker, capacity);
    this.reader = connection.client.duplicate();
    this.reader.on("error", () => undefined);
    this.heartbeat = setInterval(() => this.beat(), HEARTBEAT);
    this.stop = () => {
      this.reader.disconnect();
      this.freed();
    };
    signal.addEventListener("abort", this.stop);
    connection.lost.addEventListener("abort", this.stop);
    if (signal.aborted) this.stop();
  }

  async serve(): Promise<void> {
    const { capacity, signal, connection } = this.options;
    while (!signal.aborted) {
      connection.lost.throwIfAborted();
      if (this.joined.size === 0 || performance.now() - this.lastLook > LOOK_EVERY) await this.look();
      if (this.active >= capacity) {
        await new Promise<void>((done) => {
          this.freed = done;
        });
        continue;
      }
      if (this.joined.size === 0) await pause(RETRY);
      else await this.take(capacity - this.active);
    }
  }

  /** Which sums there are whose coordinator is alive. */
  private async look(): Promise<void> {
    const { client } = this.options.connection;
    this.lastLook = performance.now();
    const alive = new Set<string>();
    for (const name of await client.smembers(registry)) {
      const keys = keysOf(name);
      const [epoch, description, version] = await client
        .hmget(keys.base, "epoch", "description", "version")
        .catch((error: unknown) => {
          // One bad entry, of something else than a coordinator, is no matter of the other sums.
          if (/WRONGTYPE/.test(String(error))) return ["", null, null];
          throw error;
        });
      if (epoch === null) await client.srem(registry, name); // long dead: its coordinator wrote the epoch first
      if (epoch === null || description === null || (await client.exists(keys.lease)) === 0) continue;
      const which = `${name} ${epoch}`;
      alive.add(which);
      if (this.known.has(which)) continue;
      this.known.add(which);
      await this.join(which, name, Number(epoch), description, version ?? "");
    }
    for (const [which, joined] of this.joined) if (!alive.has(which)) await this.leave(which, joined);
    // A sum that comes back is joined, or refused, anew.
    for (const which of this.known) if (!alive.has(which)) this.known.delete(which);
  }

  private async join(
    which: string,
    name: string,
    epoch: number,
    description: string,
    version: string,
  ): Promise<void> {
    const keys = keysOf(name).of(epoch);
    try {
      if (version !== this.options.version)
        throw new Error(
          `it is of version ${this.options.version}, and the coordinator of ${version}; install the same one`,
        );
      const sum = await this.options.build(JSON.parse(description));
      this.joined.set(which, { name, epoch, keys, sum, points: new Map(), busy: new Set() });
      this.options.note?.(`Takes part in ${name}: ${sum.count} subfunctions of ${sum.dimension} parameters.`);
    } catch (error) {
      const reason = error instanceof Error ? error.message : shown(error);
      const frame = encodeFrame({ kind: "refusal", epoch, worker: this.worker, reason });
      await this.options.connection.client.xadd(
        keys.answers,
        "NOMKSTREAM",
        "*",
        "frame",
        Buffer.from(frame.buffer),
      );
      this.options.note?.(`Takes no part in ${name}: ${reason}`);
    }
  }

  private async leave(which: string, joined: Joined): Promise<void> {
    this.joined.delete(which);
    this.options.note?.(`${joined.name} has ended.`);
    await joined.sum.close?.();
  }

  /** Waits for tasks of any of the sums, a second at most, and begins with them. */
  private async take(most: number): Promise<void> {
    const sums = [...this.joined];
    const names = sums.map(([, { keys }]) => keys.tasks);
    let reply: unknown;
    try {
      reply = await this.reader.callBuffer(
        "XREADGROUP",
        "GROUP",
        group,
        this.consumer,
        "COUNT",
        most,
        "BLOCK",
        LOOK_EVERY,
        "STREAMS",
        ...names,
        ...names.map(() => ">"),
      );
    } catch (error) {
      if (!/NOGROUP|no such key|UNBLOCKED/i.test(String(error))) throw error;
      await this.look(); // one of them has ended, or Redis has lost it and its coordinator will write it again
      await pause(RETRY);
      return;
    }
    const streams = streamsIn(reply);
    for (const [, joined] of sums) {
      for (const entry of streams.get(joined.keys.tasks) ?? []) {
        this.active++;
        this.work(joined, entry)
          .catch(() => undefined) // asked of another when we do not confirm it
          .finally(() => {
            this.active--;
            this.freed();
          });
      }
    }
  }

  private async work(joined: Joined, { id, frame }: Entry): Promise<void> {
    const { client } = this.options.connection;
    const { keys, busy, epoch, sum } = joined;
    busy.add(id);
    try {
      const task = decodeFrame(frame);
      if (task.kind !== "task" || task.epoch !== epoch) {
        await client.multi().xack(keys.tasks, group, id).xdel(keys.tasks, id).exec();
        return;
      }
      const x = await this.pointOf(joined, task);
      let open = task.parts.length;
      const delivered: Promise<void>[] = [];
      await answerTask(sum, task, x, this.worker, (answer) => {
        open--;
        delivered.push(this.deliver(joined, Buffer.from(answer.buffer), open === 0 ? id : undefined));
      });
      await Promise.all(delivered);
    } finally {
      busy.delete(id);
    }
  }

  /** The last answer of a task goes in together with its confirmation: both are known, or neither. */
  private async deliver({ keys }: Joined, answer: Buffer, id: string | undefined): Promise<void> {
    const { client } = this.options.connection;
    for (;;) {
      const transaction = client.multi().xadd(keys.answers, "NOMKSTREAM", "*", "frame", answer);
      if (id !== undefined) transaction.xack(keys.tasks, group, id).xdel(keys.tasks, id);
      try {
        await transaction.exec();
        return;
      } catch (error) {
        // A full Redis has room again when the coordinator has read what is there.
        if (!/\bOOM\b|EXECABORT/.test(String(error)) || this.options.signal.aborted) throw error;
        await pause(RETRY);
      }
    }
  }

  private pointOf(joined: Joined, { point }: Task): Promise<Float64Array> {
    const { points } = joined;
    const known = points.get(point);
    if (known !== undefined) return known;
    const fetched = this.fetchPoint(joined, point);
    points.set(point, fetched);
    fetched.catch(() => points.delete(point));
    for (const old of points.keys()) {
      if (points.size <= POINTS_KEPT) break;
      points.delete(old);
    }
    return fetched;
  }

  private async fetchPoint({ keys, name }: Joined, point: number): Promise<Float64Array> {
    const bytes = await this.options.connection.client.hgetBuffer(keys.points, String(point));
    const frame = bytes === null ? undefined : decodeFrame(bytes);
    if (frame?.kind === "point") return frame.x;
    throw new CurvatureError("ERR_IO", `Point ${point} of ${name} is not there.`, { path: "point" });
  }

  /** Says by Redis's clock that what is being worked on is in good hands. */
  private beat(): void {
    const { client } = this.options.connection;
    if (client.status !== "ready") return;
    for (const [, { keys, busy }] of this.joined) {
      if (busy.size === 0) continue;
      client
        .callBuffer("XCLAIM", keys.tasks, group, this.consumer, 0, ...busy, "JUSTID")
        .catch(() => undefined);
    }
  }

  async close(): Promise<void> {
    clearInterval(this.heartbeat);
    const { signal, connection } = this.options;
    signal.removeEventListener("abort", this.stop);
    connection.lost.removeEventListener("abort", this.stop);
    this.reader.disconnect();
    for (const [, { sum }] of this.joined) await sum.close?.();
  }
}

const pause = (milliseconds: number): Promise<void> =>
  new Promise((done) => {
    setTimeout(done, milliseconds);
  });
