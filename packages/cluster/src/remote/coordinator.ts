/**
 * The coordinator's side of a remote sum behind Redis.
 *
 * Questions go into a stream that workers read as one consumer group; answers come back in another. A stream keeps what
 * a reader has taken until that reader confirms it, so nothing depends on anybody's staying alive:
 *
 *   a worker dies          its entries stay pending; when Redis has not heard of it for `deadAfterSeconds` they are
 *                          asked anew, and a question that three workers died of is given up
 *   the coordinator dies   its lease runs out; the next of this name has a higher epoch and keys of its own, and what
 *                          still comes for the old one goes nowhere. What it has to know lies in the run's checkpoint
 *   Redis restarts         connections wait for it. What it has lost (its last second, or all) is noticed by comparing
 *                          what is outstanding with what is there, and is written again
 *
 * All times are measured by Redis's clock (idle times, expiry) or by one machine's own, never one against another.
 * Why streams and not jobs of BullMQ: an evaluation may take a millisecond, and a job costs several scripts in Redis
 * and a text for its data; `docs/remote-subfunctions.md` has both measured.
 */
import { CurvatureError, checkOptions, integerFrom, positive, shown } from "@curvature/linalg";
import { isFull, type RedisConnection, redisError } from "../redis/connection.js";
import { decodeFrame, encodeFrame, type Part } from "./frames.js";
import {
  capacityOf,
  checkName,
  consumersIn,
  entriesIn,
  group,
  keepSeconds,
  keysOf,
  leaseSeconds,
  pendingIn,
  registry,
  type SumKeys,
  streamsIn,
  workerOf,
} from "./redis-names.js";
import { mostTries } from "./remote-sum.js";
import type { RemotePoint, Transport, TransportListener } from "./transport.js";

export interface CoordinatorOptions {
  /** Seconds without a single worker after which open questions end in an error. Default 60. */
  readonly patienceSeconds?: number;
  /** Seconds after which a silent worker is taken for dead. Default 5. */
  readonly deadAfterSeconds?: number;
  /** Into how many tasks for each free place questions about one point are cut. Default 2. */
  readonly tasksPerPlace?: number;
}

export const coordinatorDefaults: Required<CoordinatorOptions> = Object.freeze({
  patienceSeconds: 60,
  deadAfterSeconds: 5,
  tasksPerPlace: 2,
});

/** What is evaluated, and for whom. */
export interface SumTask {
  /** One coordinator at a time may use it. */
  readonly name: string;
  /** What a worker builds the sum from: plain JSON with references to data, never code and never the data. */
  readonly description: unknown;
  /** Of the program: workers of another one are refused, since their bits may differ. */
  readonly version: string;
  /** Hears of workers that take no part, and of waiting. */
  readonly warn?: (sentence: string) => void;
}

const TICK_SECONDS = 1;
/** A worker that has nothing to do is heard of every second. */
const ALIVE_SECONDS = 4;
/** A Redis without room for so long is given up. */
const FULL_SECONDS = 5;

/** Questions that went out together. */
interface Sent {
  readonly point: RemotePoint;
  readonly wantsGradient: boolean;
  parts: readonly Part[];
  id: string | undefined;
  deaths: number;
  /** Looks at which it was not in the stream. */
  missing: number;
}

/**
 * Takes the name and makes the sum known to workers.
 *
 * @throws CurvatureError ERR_OPTION for another coordinator of this name; ERR_IO
 */
export async function coordinate(
  connection: RedisConnection,
  task: SumTask,
  options?: CoordinatorOptions,
): Promise<Transport> {
  const settings = checkOptions("coordinate", options, coordinatorDefaults, {
    patienceSeconds: positive,
    deadAfterSeconds: positive,
    tasksPerPlace: integerFrom(1),
  });
  const keys = keysOf(checkName(task.name));
  const description = JSON.stringify(task.description);
  if (description === undefined)
    throw new CurvatureError("ERR_ARGUMENT", "coordinate: the description must be plain JSON.", {
      path: "description",
      received: task.description,
    });
  try {
    const token = crypto.randomUUID();
    await takeLease(connection, task.name, keys, token);
    const { client } = connection;
    const before = Number(await client.hget(keys.base, "epoch")) || 0;
    const old = keys.of(before);
    await client.unlink(old.points, old.tasks, old.answers);
    const epoch = before + 1;
    await client.hset(keys.base, { epoch, description, version: task.version });
    const coordinator = new Coordinator(connection, keys, { ...task, description }, token, epoch, settings);
    await coordinator.publish();
    return coordinator;
  } catch (error) {
    throw redisError(connection.place, error);
  }
}

/** A lease that a dead coordinator left runs out; one that is renewed while we look belongs to a living one. */
async function takeLease(
  { client, place }: RedisConnection,
  name: string,
  keys: SumKeys,
  token: string,
): Promise<void> {
  let left = Number.POSITIVE_INFINITY;
  for (;;) {
    if ((await client.set(keys.lease, token, "PX", 1000 * leaseSeconds, "NX")) === "OK") return;
    const now = await client.pttl(keys.lease);
    if (now > left)
      throw new CurvatureError(
        "ERR_OPTION",
        `A coordinator named ${name} is at work at ${place}. Wait for it, or take another name.`,
        { path: "name", received: name },
      );
    left = now;
    await new Promise((done) => setTimeout(done, 200));
  }
}

/** 1: it was ours. 2: it was gone, and is ours again. 0: it is another's. */
const renewLease = `
local owner = redis.call("GET", KEYS[1])
if owner == ARGV[1] then redis.call("PEXPIRE", KEYS[1], ARGV[2]) return 1 end
if owner then return 0 end
redis.call("SET", KEYS[1], ARGV[1], "PX", ARGV[2])
return 2`;

class Coordinator implements Transport {
  private readonly reader;
  private readonly streams;
  private readonly sent = new Set<Sent>();
  private readonly sentOf = new Map<number, Sent>();
  private readonly published = new Set<number>();
  private readonly refusals = new Map<string, string>();
  private listener: TransportListener | undefined;
  private timer: ReturnType<typeof setInterval> | undefined;
  private isTicking = false;
  private isOver = false;
  /** The last answer that was read. */
  private lastId = "0";
  private places = 0;
  /** When a worker was last seen, or nobody was needed, and what was said of it. */
  private lastSeen = performance.now();
  private hasWarned = false;
  /** Since when there has been no room for what had to be written. */
  private fullSince: number | undefined;
  private wasRefused = false;

  constructor(
    private readonly connection: RedisConnection,
    private readonly keys: SumKeys,
    private readonly task: SumTask & { readonly description: string },
    private readonly token: string,
    private readonly epoch: number,
    private readonly settings: Required<CoordinatorOptions>,
  ) {
    this.reader = connection.client.duplicate();
    this.reader.on("error", () => undefined); // the other connection has the same trouble, and says so
    this.streams = keys.of(epoch);
  }

  get width(): number {
    return Math.max(1, this.places);
  }

  start(listener: TransportListener): void {
    this.listener = listener;
    const { lost } = this.connection;
    lost.addEventListener("abort", () => this.end(lost.reason), { once: true });
    this.timer = setInterval(() => {
      this.tick().catch((error: unknown) => this.trouble(error));
    }, 1000 * TICK_SECONDS);
    this.tick().catch((error: unknown) => this.trouble(error));
    this.read().catch((error: unknown) => this.trouble(error));
  }

  /** All that workers have to know, again whenever Redis has lost it. */
  async publish(): Promise<void> {
    const { client } = this.connection;
    const { base } = this.keys;
    const { tasks, answers } = this.streams;
    const { description, version, name } = this.task;
    this.published.clear();
    this.lastId = "0";
    await client.hset(base, { epoch: this.epoch, description, version });
    for (const stream of [tasks, answers]) {
      await client.xgroup("CREATE", stream, group, "0", "MKSTREAM").catch((error: unknown) => {
        if (!/BUSYGROUP/.test(String(error))) throw error;
      });
    }
    await client.sadd(registry, name);
    for (const sent of this.sent) this.send(sent);
  }

  submit(point: RemotePoint, wantsGradient: boolean, parts: readonly Part[]): void {
    if (this.isOver) return;
    if (this.sent.size === 0) this.lastSeen = performance.now();
    const tasks = Math.min(parts.length, this.settings.tasksPerPlace * this.width);
    for (let k = 0; k < tasks; k++) {
      const own = parts.slice(
        Math.floor((k * parts.length) / tasks),
        Math.floor(((k + 1) * parts.length) / tasks),
      );
      const sent: Sent = { point, wantsGradient, parts: own, id: undefined, deaths: 0, missing: 0 };
      this.sent.add(sent);
      for (const { ask } of own) this.sentOf.set(ask, sent);
      this.send(sent);
    }
  }

  /** With the point, if Redis does not have it. */
  private send(sent: Sent): void {
    const { client } = this.connection;
    const { epoch } = this;
    const { point, wantsGradient, parts } = sent;
    const pipeline = client.pipeline();
    if (!this.published.has(point.id)) {
      this.published.add(point.id);
      const frame = encodeFrame({ kind: "point", epoch, point: point.id, x: point.x });
      pipeline.hset(this.streams.points, String(point.id), asBuffer(frame));
    }
    const frame = encodeFrame({ kind: "task", epoch, point: point.id, wantsGradient, parts });
    pipeline.xadd(this.streams.tasks, "NOMKSTREAM", "*", "frame", asBuffer(frame));
    sent.missing = 0;
    pipeline.exec().then(
      (replies) => {
        const error = replies?.find(([failure]) => failure !== null)?.[0];
        const id: unknown = replies?.at(-1)?.[1];
        if (typeof id === "string") sent.id = id;
        this.wasRefused = error !== undefined && error !== null && isFull(error);
        if (error === undefined || error === null) return;
        this.published.delete(point.id); // it may have been the point that was not taken: all is sent again
        this.trouble(error);
      },
      (error: unknown) => this.trouble(error),
    );
  }

  forget({ id }: RemotePoint): void {
    if (!this.published.delete(id) || this.isOver) return;
    this.connection.client.hdel(this.streams.points, String(id)).catch(() => undefined);
  }

  private async read(): Promise<void> {
    const { answers } = this.streams;
    while (!this.isOver) {
      const reply = await this.reader.callBuffer(
        "XREAD",
        "COUNT",
        64,
        "BLOCK",
        2000,
        "STREAMS",
        answers,
        this.lastId,
      );
      const entries = streamsIn(reply).get(answers) ?? [];
      if (entries.length === 0) continue;
      this.lastId = entries[entries.length - 1].id;
      this.connection.client.xdel(answers, ...entries.map(({ id }) => id)).catch(() => undefined);
      for (const { frame } of entries) this.hear(frame);
    }
  }

  private hear(bytes: Uint8Array): void {
    let frame: ReturnType<typeof decodeFrame>;
    try {
      frame = decodeFrame(bytes);
    } catch (error) {
      // The question stays open, and is asked again when it is found missing.
      this.task.warn?.(error instanceof Error ? error.message : String(error));
      return;
    }
    if (frame.epoch !== this.epoch) return;
    if (frame.kind === "refusal") {
      const { worker, reason } = frame;
      if (!this.refusals.has(worker)) this.task.warn?.(`${worker} takes no part: ${reason}`);
      this.refusals.set(worker, reason);
      return;
    }
    if (frame.kind !== "value" && frame.kind !== "failure") return;
    this.lastSeen = performance.now();
    this.close1(frame.ask);
    if (frame.kind === "value") this.listener?.answered(frame.ask, frame.value, frame.gradient);
    else this.listener?.failed(frame.ask, frame.worker, frame.reason, false);
  }

  /** The question has its answer. */
  private close1(ask: number): void {
    const sent = this.sentOf.get(ask);
    if (sent === undefined) return;
    this.sentOf.delete(ask);
    sent.parts = sent.parts.filter((part) => part.ask !== ask);
    if (sent.parts.length === 0) this.sent.delete(sent);
  }

  /** What has to be looked after from time to time. */
  private async tick(): Promise<void> {
    if (this.isTicking || this.isOver) return;
    this.isTicking = true;
    try {
      await this.keepLease();
      await this.askAnew();
      await this.countWorkers();
      await this.checkRoom();
    } finally {
      this.isTicking = false;
    }
  }

  private async keepLease(): Promise<void> {
    const { client } = this.connection;
    const { lease, base } = this.keys;
    const { tasks, answers, points } = this.streams;
    const kept = Number(await client.eval(renewLease, 1, lease, this.token, 1000 * leaseSeconds));
    if (kept === 0) {
      this.end(
        new CurvatureError(
          "ERR_IO",
          `Another coordinator named ${this.task.name} has taken over while this one was cut off. Go on with that one.`,
          { path: "name" },
        ),
      );
      return;
    }
    const pipeline = client.pipeline();
    for (const key of [base, tasks, answers, points]) pipeline.expire(key, keepSeconds);
    const replies = await pipeline.exec();
    // An expiry that finds no key tells that Redis came back without it. Points are there only while there are some.
    if (replies?.slice(0, 3).some(([, isThere]) => isThere === 0)) await this.publish();
  }

  /** Questions whose worker died, and those that Redis has lost. */
  private async askAnew(): Promise<void> {
    const { client } = this.connection;
    const { tasks } = this.streams;
    const dead = pendingIn(
      await client.callBuffer(
        "XPENDING",
        tasks,
        group,
        "IDLE",
        1000 * this.settings.deadAfterSeconds,
        "-",
        "+",
        1000,
      ),
    );
    const known = new Map([...this.sent].map((sent) => [sent.id, sent]));
    for (const { id, consumer } of dead) {
      await client.multi().xack(tasks, group, id).xdel(tasks, id).exec();
      const sent = known.get(id);
      if (sent === undefined) continue;
      sent.deaths++;
      if (sent.deaths < mostTries) {
        this.published.delete(sent.point.id);
        this.send(sent);
        continue;
      }
      const { parts } = sent;
      for (const { ask } of parts) {
        this.close1(ask);
        this.listener?.failed(
          ask,
          workerOf(consumer),
          "its worker died of it, or was cut off, each time",
          true,
        );
      }
    }
    if (this.sent.size === 0) return;
    const there = new Set(entriesIn(await client.callBuffer("XRANGE", tasks, "-", "+")).map(({ id }) => id));
    for (const sent of this.sent) {
      if (sent.id === undefined || !there.has(sent.id)) sent.missing++;
      else sent.missing = 0;
      // At the first look its answer may have been on its way.
      if (sent.missing < 3) continue;
      this.published.delete(sent.point.id);
      this.send(sent);
    }
  }

  private async countWorkers(): Promise<void> {
    const { client } = this.connection;
    const { tasks } = this.streams;
    const { patienceSeconds } = this.settings;
    const consumers = consumersIn(await client.callBuffer("XINFO", "CONSUMERS", tasks, group));
    const alive = consumers.filter(({ idleSeconds }) => idleSeconds < ALIVE_SECONDS);
    this.places = alive.reduce((sum, { name }) => sum + capacityOf(name), 0);
    if (alive.length > 0 || this.sent.size === 0) {
      this.lastSeen = performance.now();
      return;
    }
    const seconds = (performance.now() - this.lastSeen) / 1000;
    if (seconds > patienceSeconds) this.end(this.nobody());
    else if (seconds > 3 && !this.hasWarned) {
      this.hasWarned = true;
      this.task.warn?.(`No worker takes part at ${this.connection.place}; waiting for one.`);
    }
  }

  private nobody(): CurvatureError {
    const { place } = this.connection;
    const reasons = [...this.refusals]
      .map(([worker, reason]) => ` ${worker} takes no part: ${reason}`)
      .join("");
    return new CurvatureError(
      "ERR_IO",
      `For ${this.settings.patienceSeconds} seconds no worker has taken part at ${place}.${reasons} Start one: curvature worker --redis ${place} --data <folder>.`,
      { path: "redis" },
    );
  }

  /** A full Redis takes no answers either, and nobody would ever say so. It may only be full for a moment. */
  private async checkRoom(): Promise<void> {
    if (this.sent.size === 0) return;
    const { client, place } = this.connection;
    const refusal: unknown = await client.set(`${this.keys.base}:room`, "", "PX", 1).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (refusal !== undefined && !isFull(refusal)) throw redisError(place, refusal);
    if (refusal === undefined && !this.wasRefused) {
      this.fullSince = undefined;
      return;
    }
    this.fullSince ??= performance.now();
    const isLasting = performance.now() - this.fullSince > 1000 * FULL_SECONDS;
    if (isLasting) this.end(redisError(place, refusal ?? new Error("OOM")));
  }

  /** What passes by itself is left to the next look. */
  private trouble(error: unknown): void {
    if (this.isOver || isFull(error) || /NOGROUP|Connection is closed|LOADING/.test(String(error))) {
      if (!this.isOver && this.reader.status === "end") this.end(redisError(this.connection.place, error));
      return;
    }
    this.end(redisError(this.connection.place, error));
  }

  private end(error: unknown): void {
    if (this.isOver) return;
    this.isOver = true;
    clearInterval(this.timer);
    this.reader.disconnect();
    this.listener?.lost(error instanceof Error ? error : new Error(shown(error)));
  }

  /** Leaves nothing behind, if the name is still ours. The connection is the caller's. */
  async close(): Promise<void> {
    const wasOver = this.isOver;
    this.isOver = true;
    clearInterval(this.timer);
    this.reader.disconnect();
    if (wasOver || this.connection.client.status !== "ready") return;
    const { client } = this.connection;
    const { points, tasks, answers } = this.streams;
    try {
      if ((await client.get(this.keys.lease)) !== this.token) return;
      // The epoch stays: what is on its way to this one must not be taken for the next one's.
      await client
        .multi()
        .unlink(points, tasks, answers, this.keys.lease)
        .srem(registry, this.task.name)
        .exec();
    } catch {
      // It runs out by itself.
    }
  }
}

/** The same bytes as ioredis wants to have them. */
function asBuffer(frame: Uint8Array<ArrayBuffer>): Buffer {
  return Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength);
}
