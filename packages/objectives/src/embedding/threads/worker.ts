/** A thread's side. */
import { enableSimd } from "@curvature/linalg/simd";
import { serveFits } from "./shared-fits.js";
import { SharedSearch } from "./shared-search.js";
import { serveSum } from "./sum-elsewhere.js";
import type { Task } from "./task.js";

/** Given to the script by whoever starts it. */
declare const data: Task;

enableSimd();
if (data.kind === "search") new SharedSearch(data).serve();
else if (data.kind === "affinities") serveFits(data);
else serveSum(data);
