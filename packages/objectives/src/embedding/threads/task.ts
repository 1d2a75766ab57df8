import type { FitTask } from "./shared-fits.js";
import type { SearchTask } from "./shared-search.js";
import type { SumTask } from "./sum-elsewhere.js";

/** What a thread is given to do. */
export type Task = SearchTask | FitTask | SumTask;
