/** What `program.ts` becomes. */
import type { ThreadKernels } from "@curvature/linalg/threads";
import { serveTask } from "./serve-task.js";
import type { Task } from "./task.js";

/** Given to the script by whoever starts it. */
declare const data: Task & ThreadKernels;

serveTask(data);
