/**
 * What goes between the page and a worker. One worker does one job and ends:
 *
 *   page → worker   parts of large data, then start, then abort (at most once) and ready (the page has drawn the last
 *                   progress)
 *   worker → page   phase, progress, warning; last of all result or error
 *
 * Progress flows at the pace of the page: a worker posts the next one only when the page is ready for it, and in
 * between keeps what must not be lost. All messages are plain data; large arrays are transferred.
 */
export type ToWorker =
  | { readonly type: "part"; readonly part: Float64Array }
  | { readonly type: "start"; readonly task: string; readonly input: unknown }
  | { readonly type: "abort" }
  | { readonly type: "ready" };

export type FromWorker<Progress, Result> =
  | { readonly type: "phase"; readonly phase: string }
  | { readonly type: "progress"; readonly progress: Progress }
  | { readonly type: "warning"; readonly sentence: string }
  | { readonly type: "result"; readonly result: Result }
  | { readonly type: "error"; readonly sentence: string };

/** Plain data, and the buffers in it that move instead of being copied. */
export interface Parcel<T> {
  readonly content: T;
  readonly transfer: readonly Transferable[];
}

/** What a task is given to talk with. */
export interface Channel<Progress> {
  readonly signal: AbortSignal;
  /** The large data that came before the input; to be taken once. */
  takeData(): Float64Array;
  /** What is being done, in a word or two: "neighbours", "optimisation". */
  phase(phase: string): void;
  /** Whether the page waits for progress: tasks need not prepare what would be thrown away. */
  readonly isWanted: boolean;
  /** Posts progress at once; call it when `isWanted`. */
  progress(parcel: Parcel<Progress>): void;
  warning(sentence: string): void;
}

/** The work itself: input is plain data, so is the result. */
export interface Task<Input, Progress, Result> {
  run(input: Input, channel: Channel<Progress>): Promise<Parcel<Result>>;
}
