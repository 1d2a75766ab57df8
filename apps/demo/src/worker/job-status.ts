/** A job as its view tells of it. */
import type { Ending } from "./job.js";

export type JobStatus =
  | { readonly kind: "running"; readonly phase: string }
  | { readonly kind: "done" }
  /** By the user: what was there is kept. */
  | { readonly kind: "stopped" }
  | { readonly kind: "failed"; readonly sentence: string };

export const starting: JobStatus = { kind: "running", phase: "starting the worker" };

interface Conclusion<R> {
  readonly status: JobStatus;
  /** Of a job that came to its end, or gave what it had when it was stopped. */
  readonly answer: R | undefined;
}

/** What has come of a job. */
export function conclusionOf<P, R>(ending: Ending<P, R>): Conclusion<R> {
  switch (ending.kind) {
    case "done":
      return { status: { kind: "done" }, answer: ending.result };
    case "cancelled":
      return { status: { kind: "stopped" }, answer: ending.result };
    case "ended":
      return { status: { kind: "stopped" }, answer: undefined };
    case "failed":
      return { status: { kind: "failed", sentence: ending.error.message }, answer: undefined };
    case "crashed":
      return {
        status: { kind: "failed", sentence: `The worker has broken down. ${ending.message}` },
        answer: undefined,
      };
  }
}
