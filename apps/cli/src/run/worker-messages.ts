/**
 * What goes between the command and its worker: plain data.
 */
import type { Step } from "./log.js";

export type ToWorker = { readonly type: "abort" };

export type FromWorker<Result> =
  | { readonly type: "phase"; readonly phase: string; readonly share: number | undefined }
  | { readonly type: "step"; readonly step: Step }
  | { readonly type: "warning"; readonly sentence: string }
  | { readonly type: "note"; readonly sentence: string }
  | { readonly type: "result"; readonly result: Result }
  | { readonly type: "error"; readonly error: PlainError };

/** An error without its class, which does not survive the way between threads. */
export interface PlainError {
  readonly name: string;
  /** Set for errors of curvature. */
  readonly code: string | undefined;
  readonly message: string;
  readonly path: string | undefined;
  readonly expected: string | undefined;
  readonly received: string | number | boolean | undefined;
  readonly stack: string | undefined;
}
