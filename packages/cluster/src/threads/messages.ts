/** What goes between a pool and its threads. */
import type { UnitOfWork } from "../executor.js";

export interface ToThread {
  readonly unit: UnitOfWork;
  /** The unit's data as files of this machine, in the same order, their bytes looked at. */
  readonly files: readonly string[];
}

export type FromThread =
  | { readonly type: "ready" }
  | { readonly type: "done"; readonly result: unknown; readonly seconds: number }
  | { readonly type: "failed"; readonly reason: string };
