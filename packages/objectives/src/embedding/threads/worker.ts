/** A thread's side. */
import { enableSimd } from "@curvature/linalg/simd";
import { type SearchTask, SharedSearch } from "./shared-search.js";
import { type SumTask, serveSum } from "./sum-elsewhere.js";

/** Given to the script by whoever starts it. */
declare const data: SearchTask | SumTask;

enableSimd();
if (data.kind === "search") new SharedSearch(data).serve();
else serveSum(data);
