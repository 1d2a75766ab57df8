/**
 * In a thread that does many runs: the last file that was read, as it was read, so that the next run on the same bytes need
 * not read them again. One file, since it may be as large as memory allows.
 */
import type { DataReference } from "@curvature/cluster";

/** What makes content of a file. */
type Reader<T> = (...words: never[]) => Promise<T>;

interface Kept<T> {
  readonly sha256: string;
  readonly reader: Reader<T>;
  readonly options: string;
  readonly content: Promise<T>;
}

export class InputCache {
  private hashes: ReadonlyMap<string, string> = new Map();
  private last: Kept<unknown> | undefined;

  /** Names the files of the next run. What is made of them must not be written into. */
  expect(files: readonly string[], references: readonly DataReference[]): void {
    this.hashes = new Map(files.map((file, k) => [file, references[k].sha256]));
  }

  /**
   * @param reader - by which the content is made; another one makes something else
   * @param read - reads the file, unless it was the last one
   */
  async get<T>(path: string, reader: Reader<T>, options: object, read: () => Promise<T>): Promise<T> {
    const sha256 = this.hashes.get(path);
    if (sha256 === undefined) return read();
    const { name: _, ...asked } = { name: "", ...options }; // where it lies is no matter
    const wanted = JSON.stringify(asked);
    const { last } = this;
    const isSame = last?.sha256 === sha256 && last.options === wanted;
    if (isSame && isMadeBy(last, reader)) return last.content;
    this.last = undefined; // two files need not fit into the memory
    const content = read();
    this.last = { sha256, reader, options: wanted, content };
    content.catch(() => {
      if (this.last?.content === content) this.last = undefined;
    });
    return content;
  }
}

const isMadeBy = <T>(kept: Kept<unknown>, reader: Reader<T>): kept is Kept<T> => kept.reader === reader;
