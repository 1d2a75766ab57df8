/**
 * The worker's side behind Redis: looks for sums, builds those that it can, and answers questions about them until it is
 * told to stop. It holds nothing that anybody would miss: what it was at when it dies is asked of another.
 */
import { redisError } from "../redis/connection.js";
import { answerTask } from "./answer-task.js";
import { decodeFrame } from "./frames.js";
import { type Joined, JoinedSums, type JoinOptions } from "./joined-sums.js";
import { consumerName, type Entry, group, streamsIn } from "./redis-names.js";

export interface ServeOptions extends JoinOptions {
  /** The worker's name in messages, such as its host and process; made distinct here. */
  readonly name: string;
  /** Tasks at a time. If evaluations are no promises, 1 is right. */
  readonly capacity: number;
  readonly signal: AbortSignal;
}

const LOOK_EVERY = 1000;
const HEARTBEAT = 1000;
const RETRY = 250;

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
  private readonly sums: JoinedSums;
  private readonly heartbeat: ReturnType<typeof setInterval>;
  private readonly worker: string;
  private active = 0;
  private freed: () => void = () => undefined;
  private lastLook = Number.NEGATIVE_INFINITY;
  private readonly stop: () => void;

  constructor(private readonly options: ServeOptions) {
    const { connection, name, capacity, signal } = options;
    this.worker = `${name} (${crypto.randomUUID().slice(0, 8)})`;
    this.sums = new JoinedSums(options, this.worker);
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
      if (this.sums.all.length === 0 || performance.now() - this.lastLook > LOOK_EVERY) await this.look();
      if (this.active >= capacity) {
        await new Promise<void>((done) => {
          this.freed = done;
        });
        continue;
      }
      if (this.sums.all.length === 0) await pause(RETRY);
      else await this.take(capacity - this.active);
    }
  }

  private async look(): Promise<void> {
    this.lastLook = performance.now();
    await this.sums.look();
  }

  /** Waits for tasks of any of the sums, a second at most, and begins with them. */
  private async take(most: number): Promise<void> {
    const sums = this.sums.all;
    const names = sums.map(({ keys }) => keys.tasks);
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
    for (const joined of sums) {
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
    const { keys, busy, epoch, sum, points } = joined;
    busy.add(id);
    try {
      const task = decodeFrame(frame);
      if (task.kind !== "task" || task.epoch !== epoch) {
        await client.multi().xack(keys.tasks, group, id).xdel(keys.tasks, id).exec();
        return;
      }
      const x = await points.point(task.point);
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

  /** Says by Redis's clock that what is being worked on is in good hands. */
  private beat(): void {
    const { client } = this.options.connection;
    if (client.status !== "ready") return;
    for (const { keys, busy } of this.sums.all) {
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
    await this.sums.close();
  }
}

const pause = (milliseconds: number): Promise<void> =>
  new Promise((done) => {
    setTimeout(done, milliseconds);
  });
