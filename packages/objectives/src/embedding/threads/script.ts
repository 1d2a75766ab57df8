/** `@curvature/objectives/thread.js`: what threads run of this package, for pages that serve it themselves. */
import type { ThreadKernels, ThreadTask } from "@curvature/linalg/threads";
import { serveTask } from "./serve-task.js";
import type { Task } from "./task.js";

self.onmessage = ({ data: task }: MessageEvent<ThreadTask<"embedding", Task & ThreadKernels>>) => {
  serveTask(task.data);
  self.close();
};
