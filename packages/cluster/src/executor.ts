/**
 * Work that is described by data alone, and who does it: threads of this machine or a pool of workers behind Redis.
 * A unit names a command, its settings, a seed and the data by path and hash: never code, never the data themselves.
 */

/** A file by its place relative to a data folder, with forward slashes, and the SHA-256 of its bytes in hexadecimal digits. */
export interface DataReference {
  readonly path: string;
  readonly sha256: string;
}

/** One run: everything that decides its result. Plain JSON. */
export interface UnitOfWork {
  /** Distinct within a sweep, the same whenever the sweep is planned again. */
  readonly id: string;
  /** A name that the worker knows, such as "embed". */
  readonly command: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly seed: number;
  readonly data: readonly DataReference[];
}

/** How a unit ended. `result` is plain JSON, what the command of the unit answers. */
export type UnitEnd =
  | { readonly id: string; readonly status: "done"; readonly result: unknown; readonly seconds: number }
  | { readonly id: string; readonly status: "failed"; readonly reason: string; readonly tries: number };

export interface Executor {
  /**
   * Runs all units, as many at a time as there are workers, and yields each one's end once, as it comes. A unit that
   * fails is tried again, three times in all. Ends when all have ended; aborting the signal cancels what waits and
   * throws its reason.
   *
   * @param plan - all units of the plan that these are the rest of, by which an executor that remembers knows it again;
   *   default: these
   */
  run(
    units: readonly UnitOfWork[],
    signal?: AbortSignal,
    plan?: readonly UnitOfWork[],
  ): AsyncIterable<UnitEnd>;
  /** Says that the ends of the last run are kept elsewhere now: an executor that holds them for a later run drops them. */
  forget(): Promise<void>;
  /** Lets go of threads and connections. */
  close(): Promise<void>;
}

/** How often a unit is tried. */
export const mostTries = 3;

/** Units that one process works at together, at most: each has a thread. */
export const mostAtATime = 1024;
