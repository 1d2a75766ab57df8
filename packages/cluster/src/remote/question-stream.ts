/**
 * A coordinator's questions in Redis: which are outstanding, and that each of them is asked again when its worker died or
 * Redis has lost it.
 */
import { isFull, type RedisConnection } from "../redis/connection.js";
import { encodeFrame, type Part } from "./frames.js";
import { type EpochKeys, entriesIn, group, pendingIn, workerOf } from "./redis-names.js";
import { mostTries } from "./remote-sum.js";
import type { RemotePoint } from "./transport.js";

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

export interface QuestionStreamOptions {
  readonly keys: EpochKeys;
  readonly epoch: number;
  /** Called for what could not be written. */
  readonly trouble: (error: unknown) => void;
}

export class QuestionStream {
  private readonly sent = new Set<Sent>();
  private readonly sentOf = new Map<number, Sent>();
  /** Points that Redis has. */
  private readonly published = new Set<number>();
  /** Whether Redis was too full for the last of them. */
  wasRefused = false;

  constructor(
    private readonly connection: RedisConnection,
    private readonly options: QuestionStreamOptions,
  ) {}

  get isEmpty(): boolean {
    return this.sent.size === 0;
  }

  /** @param tasks - into how many pieces the questions are cut */
  submit(point: RemotePoint, wantsGradient: boolean, parts: readonly Part[], tasks: number): void {
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

  /** The question has its answer. */
  answered(ask: number): void {
    const sent = this.sentOf.get(ask);
    if (sent === undefined) return;
    this.sentOf.delete(ask);
    sent.parts = sent.parts.filter((part) => part.ask !== ask);
    if (sent.parts.length === 0) this.sent.delete(sent);
  }

  forget({ id }: RemotePoint): void {
    if (!this.published.delete(id)) return;
    this.connection.client.hdel(this.options.keys.points, String(id)).catch(() => undefined);
  }

  /** To a Redis that has nothing. */
  sendAll(): void {
    this.published.clear();
    for (const sent of this.sent) this.send(sent);
  }

  /** With the point, if Redis does not have it. */
  private send(sent: Sent): void {
    const { keys, epoch, trouble } = this.options;
    const { point, wantsGradient, parts } = sent;
    const pipeline = this.connection.client.pipeline();
    if (!this.published.has(point.id)) {
      this.published.add(point.id);
      const frame = encodeFrame({ kind: "point", epoch, point: point.id, x: point.x });
      pipeline.hset(keys.points, String(point.id), asBuffer(frame));
    }
    const frame = encodeFrame({ kind: "task", epoch, point: point.id, wantsGradient, parts });
    pipeline.xadd(keys.tasks, "NOMKSTREAM", "*", "frame", asBuffer(frame));
    sent.missing = 0;
    pipeline.exec().then((replies) => {
      const error = replies?.find(([failure]) => failure !== null)?.[0];
      const id: unknown = replies?.at(-1)?.[1];
      if (typeof id === "string") sent.id = id;
      this.wasRefused = error !== undefined && error !== null && isFull(error);
      if (error === undefined || error === null) return;
      this.published.delete(point.id); // it may have been the point that was not taken: all is sent again
      trouble(error);
    }, trouble);
  }

  /**
   * Asks anew what a dead worker had, and what Redis has lost.
   *
   * @param givenUp - called with a question that as many workers died of as it may be tried
   */
  async askAnew(deadAfterSeconds: number, givenUp: (ask: number, worker: string) => void): Promise<void> {
    await this.askOfOthers(deadAfterSeconds, givenUp);
    if (!this.isEmpty) await this.askWhatIsLost();
  }

  private async askOfOthers(
    deadAfterSeconds: number,
    givenUp: (ask: number, worker: string) => void,
  ): Promise<void> {
    const { client } = this.connection;
    const { tasks } = this.options.keys;
    const silent = ["IDLE", 1000 * deadAfterSeconds, "-", "+", 1000];
    const dead = pendingIn(await client.callBuffer("XPENDING", tasks, group, ...silent));
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
      for (const { ask } of sent.parts) {
        this.answered(ask);
        givenUp(ask, workerOf(consumer));
      }
    }
  }

  private async askWhatIsLost(): Promise<void> {
    const { client } = this.connection;
    const { tasks } = this.options.keys;
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
}

/** The same bytes as ioredis wants to have them. */
function asBuffer(frame: Uint8Array<ArrayBuffer>): Buffer {
  return Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength);
}
