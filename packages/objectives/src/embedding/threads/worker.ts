/** What `program.ts` becomes. */
import { serveTask } from "./serve-task.js";
import type { Task } from "./task.js";

/** Given to the script by whoever starts it. */
declare const data: Task;

serveTask(data);
