/** Gzip by the platform's `DecompressionStream`: everywhere but in Node, and there before its version 20.16. */
import type { Decompressor } from "./gzip-engine.js";

export function webEngine(): Decompressor {
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
