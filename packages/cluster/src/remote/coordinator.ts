/**
 * The coordinator's side of a remote sum behind Redis.
 *
 * Questions go into a stream that workers read as one consumer group; answers come back in another. A stream keeps what
 * a reader has taken until that reader confirms it, so nothing depends on anybody's staying alive:
 *
 *   a worker dies          its entries stay pending; when it has given Redis no sign of life for `deadAfterSeconds` they are
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
import {
  CurvatureError,
  integerFrom,
  type OptionsOf,
  optionTable,
  positive,
  type SettingsOf,
  shown,
} from "@curvature/linalg";
import { BackPressure } from "../redis/back-pressure.js";
import { isFull, type RedisConnection, redisError } from "../redis/connection.js";
import { type Lease, takeLease } from "../redis/lease.js";
import { AnswerStream } from "./answer-stream.js";
import type { Frame, Part } from "./frames.js";
import { QuestionStream } from "./question-stream.js";
import { checkName, expirySeconds, group, keysOf, registry, type SumKeys } from "./redis-names.js";
import { RemoteWorkers } from "./remote-workers.js";
import type { RemotePoint, Transport, TransportListener } from "./transport.js";

/** How a coordinator treats its workers. */
export const coordinatorOptions = optionTable({
  /** Seconds without a single worker after which open questions end in an error. */
  patienceSeconds: positive.default(60),
  /** Seconds after which a silent worker is taken for dead. */
  deadAfterSeconds: positive.default(5),
  /** Into how many tasks for each evaluation that workers can make at once questions about one point are cut. */
  tasksPerSlot: integerFrom(1).default(2),
});
export type CoordinatorOptions = OptionsOf<typeof coordinatorOptions>;

/** What is evaluated, and for whom. */
export interface SumTask {
  /** One coordinator at a time may use it. */
  readonly name: string;
  /** What a worker builds the sum from: plain JSON with references to data, never code and never the data. */
  readonly description: unknown;
  /** Of the program: workers of another one are refused, since their bits may differ. */
  readonly version: string;
  /** Called with a sentence about workers that take no part, and about waiting. */
  readonly warn?: (sentence: string) => void;
}

const TICK_SECONDS = 1;
/** A Redis that is full for so long is given up. */
const FULL_SECONDS = 5;

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
  const settings = coordinatorOptions.resolve("coordinate", options);
  const keys = keysOf(checkName(task.name));
  const description = JSON.stringify(task.description);
  if (description === undefined)
    throw new CurvatureError("ERR_ARGUMENT", "the description must be plain JSON.", {
      where: "coordinate",
      path: "description",
      received: task.description,
    });
  const { client, place } = connection;
  const lease = await takeLease(connection, {
    key: keys.lease,
    who: "coordinator",
    refusal: (holder) => (holder === undefined ? takenOver(task.name) : atWork(task.name, place)),
  });
  try {
    const before = Number(await client.hget(keys.base, "epoch")) || 0;
    const old = keys.of(before);
    await client.unlink(old.points, old.tasks, old.answers);
    const sum = { ...task, description, keys, epoch: before + 1 };
    const coordinator = new Coordinator(connection, lease, sum, settings);
    await coordinator.publish();
    return coordinator;
  } catch (error) {
    await lease.release();
    throw redisError(place, error);
  }
}

const atWork = (name: string, place: string): CurvatureError =>
  new CurvatureError(
    "ERR_OPTION",
    `A coordinator named ${name} is at work at ${place}. Wait for it, or take another name.`,
    { path: "name", received: name },
  );

const takenOver = (name: string): CurvatureError =>
  new CurvatureError(
    "ERR_IO",
    `Another coordinator named ${name} has taken over while this one was cut off. Go on with that one.`,
    { path: "name" },
  );

/** What workers have to know. */
interface PublishedSum extends SumTask {
  readonly description: string;
  readonly keys: SumKeys;
  readonly epoch: number;
}

class Coordinator implements Transport {
  private readonly questions: QuestionStream;
  private readonly answers: AnswerStream;
  private readonly workers: RemoteWorkers;
  private readonly backPressure: BackPressure;
  private readonly streams;
  private listener: TransportListener | undefined;
  private timer: ReturnType<typeof setInterval> | undefined;
  private isTicking = false;
  private isOver = false;

  constructor(
    private readonly connection: RedisConnection,
    private readonly lease: Lease,
    private readonly sum: PublishedSum,
    private readonly settings: SettingsOf<typeof coordinatorOptions>,
  ) {
    const { keys, epoch, warn } = sum;
    const { patienceSeconds } = settings;
    this.streams = keys.of(epoch);
    const trouble = (error: unknown): void => this.trouble(error);
    this.questions = new QuestionStream(connection, { keys: this.streams, epoch, trouble });
    const onAnswer = (frame: Frame): void => this.receive(frame);
    this.answers = new AnswerStream(connection, { key: this.streams.answers, epoch, onAnswer, warn });
    this.workers = new RemoteWorkers(connection, { tasks: this.streams.tasks, patienceSeconds, warn });
    this.backPressure = new BackPressure(connection, FULL_SECONDS);
  }

  get width(): number {
    return Math.max(1, this.workers.capacity);
  }

  start(listener: TransportListener): void {
    this.listener = listener;
    for (const lost of [this.connection.lost, this.lease.lost]) {
      if (lost.aborted) this.end(lost.reason);
      lost.addEventListener("abort", () => this.end(lost.reason), { once: true });
    }
    if (this.isOver) return;
    const tick = (): void => void this.tick().catch((error: unknown) => this.trouble(error));
    this.timer = setInterval(tick, 1000 * TICK_SECONDS);
    tick();
    this.answers.read().catch((error: unknown) => this.trouble(error));
  }

  /** All that workers have to know, again whenever Redis has lost it. */
  async publish(): Promise<void> {
    const { client } = this.connection;
    const { tasks, answers } = this.streams;
    const { keys, epoch, description, version, name } = this.sum;
    this.answers.rewind();
    await client.hset(keys.base, { epoch, description, version });
    for (const stream of [tasks, answers]) {
      await client.xgroup("CREATE", stream, group, "0", "MKSTREAM").catch((error: unknown) => {
        if (!/BUSYGROUP/.test(String(error))) throw error;
      });
    }
    await client.sadd(registry, name);
    await this.keep();
    this.questions.sendAll();
  }

  submit(point: RemotePoint, wantsGradient: boolean, parts: readonly Part[]): void {
    if (this.isOver) return;
    if (this.questions.isEmpty) this.workers.seen();
    const tasks = Math.min(parts.length, this.settings.tasksPerSlot * this.width);
    this.questions.submit(point, wantsGradient, parts, tasks);
  }

  forget(point: RemotePoint): void {
    if (!this.isOver) this.questions.forget(point);
  }

  private receive(frame: Frame): void {
    if (frame.kind === "refusal") this.workers.refused(frame.worker, frame.reason);
    if (frame.kind !== "value" && frame.kind !== "failure") return;
    this.workers.seen();
    this.questions.answered(frame.ask);
    if (frame.kind === "value") this.listener?.answered(frame.ask, frame.value, frame.gradient);
    else this.listener?.failed(frame.ask, frame.worker, frame.reason, false);
  }

  /** What has to be looked after from time to time. */
  private async tick(): Promise<void> {
    if (this.isTicking || this.isOver) return;
    this.isTicking = true;
    try {
      if (!(await this.keep())) await this.publish();
      await this.questions.askAnew(this.settings.deadAfterSeconds, (ask, worker) => {
        const reason = "its worker died of it, or was cut off, each time";
        this.listener?.failed(ask, worker, reason, true);
      });
      await this.workers.count(!this.questions.isEmpty);
      // A full Redis takes no answers either, and nobody would ever say so.
      if (!this.questions.isEmpty) await this.backPressure.check(this.questions.wasRefused);
    } finally {
      this.isTicking = false;
    }
  }

  /**
   * Gives a sign of life for all that is in Redis.
   *
   * @returns whether it is there: an expiry that finds no key tells that Redis came back without it
   */
  private async keep(): Promise<boolean> {
    const { tasks, answers, points } = this.streams;
    const pipeline = this.connection.client.pipeline();
    // Points are there only while there are some; the list of sums is not ours alone.
    const keys = [this.sum.keys.base, tasks, answers, points, registry];
    for (const key of keys) pipeline.expire(key, expirySeconds);
    const replies = await pipeline.exec();
    return !replies?.slice(0, 3).some(([, isThere]) => isThere === 0);
  }

  /** What passes by itself is left to the next look. */
  private trouble(error: unknown): void {
    const { place } = this.connection;
    const isPassing =
      !(error instanceof CurvatureError) &&
      (isFull(error) || /NOGROUP|Connection is closed|LOADING/.test(String(error)));
    if (!isPassing || this.answers.isBroken) this.end(redisError(place, error));
  }

  private end(error: unknown): void {
    if (this.isOver) return;
    this.isOver = true;
    clearInterval(this.timer);
    this.answers.close();
    this.listener?.lost(error instanceof Error ? error : new Error(shown(error)));
  }

  /** Leaves nothing behind, if the name is still ours. The connection is the caller's. */
  async close(): Promise<void> {
    this.isOver = true;
    clearInterval(this.timer);
    this.answers.close();
    const { points, tasks, answers } = this.streams;
    // The epoch stays: what is on its way to this one must not be taken for the next one's.
    await this.lease.release({
      keys: [points, tasks, answers],
      entry: { set: registry, member: this.sum.name },
    });
  }
}
