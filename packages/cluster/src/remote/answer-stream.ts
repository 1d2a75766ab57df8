/** The answers to one coordinator, read from Redis as they come; what has been read is removed there. */
import type { RedisConnection } from "../redis/connection.js";
import { decodeFrame, type Frame } from "./frames.js";
import { streamsIn } from "./redis-names.js";

export interface AnswerStreamOptions {
  /** The stream's key. */
  readonly key: string;
  readonly epoch: number;
  readonly onAnswer: (frame: Frame) => void;
  /** Called for bytes that are no answer. */
  readonly warn: ((sentence: string) => void) | undefined;
}

export class AnswerStream {
  private readonly reader;
  private lastId = "0";
  private isOver = false;

  constructor(
    private readonly connection: RedisConnection,
    private readonly options: AnswerStreamOptions,
  ) {
    this.reader = connection.client.duplicate();
    this.reader.on("error", () => undefined); // the other connection has the same trouble, and says so
  }

  /** Whether nothing can come any more. */
  get isBroken(): boolean {
    return this.reader.status === "end";
  }

  /** From a stream that was made anew. */
  rewind(): void {
    this.lastId = "0";
  }

  /** Until it is closed. */
  async read(): Promise<void> {
    const { key } = this.options;
    while (!this.isOver) {
      const words = ["COUNT", 64, "BLOCK", 2000, "STREAMS", key, this.lastId];
      const entries = streamsIn(await this.reader.callBuffer("XREAD", ...words)).get(key) ?? [];
      if (entries.length === 0) continue;
      this.lastId = entries[entries.length - 1].id;
      this.connection.client.xdel(key, ...entries.map(({ id }) => id)).catch(() => undefined);
      for (const { frame } of entries) this.take(frame);
    }
  }

  close(): void {
    this.isOver = true;
    this.reader.disconnect();
  }

  private take(bytes: Uint8Array): void {
    const { epoch, onAnswer, warn } = this.options;
    let frame: Frame;
    try {
      frame = decodeFrame(bytes);
    } catch (error) {
      // The question stays open, and is asked again when it is found missing.
      warn?.(error instanceof Error ? error.message : String(error));
      return;
    }
    if (frame.epoch === epoch) onAnswer(frame);
  }
}
