/** A thread's side. */
import { enableSimd } from "@curvature/linalg/simd";
import type { ThreadKernels } from "@curvature/linalg/threads";
import { serveFits } from "./shared-fits.js";
import { SharedSearch } from "./shared-search.js";
import { serveSum } from "./sum-elsewhere.js";
import type { Task } from "./task.js";

export function serveTask(task: Task & ThreadKernels): void {
  enableSimd({ module: task.kernels });
  if (task.kind === "search") new SharedSearch(task).serve();
  else if (task.kind === "affinities") serveFits(task);
  else serveSum(task);
}
