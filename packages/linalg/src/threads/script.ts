/** `@curvature/linalg/thread.js`: what threads run of this package, for pages that serve it themselves. */
import { instantiated } from "../simd/instance.js";
import type { ThreadTask } from "./host.js";
import type { PairsTask } from "./pool.js";
import { type PrincipalTask, servePrincipal } from "./serve-principal.js";
import { bytesFor, serve, worker } from "./work.js";
import type { ThreadKernels } from "./worker-pool.js";

function servePairs({ module, shared }: PairsTask): void {
  const exports = instantiated(module, bytesFor(shared.capacity));
  if (exports === undefined) throw new Error("there is no memory for it");
  serve(worker(exports, shared), shared);
}

type Tasks = ThreadTask<"pairs", PairsTask> | ThreadTask<"principal", PrincipalTask & ThreadKernels>;

self.onmessage = ({ data: task }: MessageEvent<Tasks>) => {
  if (task.name === "pairs") servePairs(task.data);
  else servePrincipal(task.data);
  self.close();
};
