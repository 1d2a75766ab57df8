/** One face for the decompressors of the platforms: what is written to one comes out of it expanded. */
export interface Decompressor {
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
