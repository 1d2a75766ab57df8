/** The decompressors of the platform behind one face: what is written to one comes out of it expanded. */
import { nodeEngine } from "./gzip-node.js";

export interface GzipEngine {
  /** Most bytes for one `write`, such that what they expand to is bounded before anyone can look. */
  readonly writeBytes: number;
  /** Resolves as soon as more may come: false if no more will be taken. Never rejects. */
  write(bytes: Uint8Array<ArrayBuffer>): Promise<boolean>;
  /** After the last bytes. Never rejects. */
  end(): Promise<void>;
  /** The next expanded bytes, undefined after the last; rejects where the compressed ones are damaged or cut off. */
  read(): Promise<Uint8Array | undefined>;
  /** Gives up what is under way, so that every waiting `write` and `read` ends: a `read` with the cause. Never rejects. */
  cancel(cause?: unknown): Promise<void>;
}

export const gzipEngine = (): GzipEngine => nodeEngine() ?? webEngine();

function webEngine(): GzipEngine {
  const stream = new DecompressionStream("gzip");
  const writer = stream.writable.getWriter();
  const reader = stream.readable.getReader();
  return {
    // Some expand a piece whole before anyone can look: at 1032 : 1 this is 16 MiB.
    writeBytes: 1 << 14,
    write: (bytes) =>
      writer.write(bytes).then(
        () => true,
        () => false,
      ),
    end: () => writer.close().catch(() => undefined),
    read: async () => {
      const next = await reader.read();
      return next.done ? undefined : next.value;
    },
    cancel: (cause) => (cause === undefined ? reader.cancel() : writer.abort(cause)).catch(() => undefined),
  };
}
