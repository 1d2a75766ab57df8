/** A thread's side of principal components. */
import { GramWork, storedRows } from "../dense/gram-work.js";
import type { GramTask } from "../dense/principal-threads.js";
import { enableSimd } from "../simd/index.js";
import { SharedUnits } from "./units.js";

/** Given to the script by whoever starts it. */
declare const data: { readonly task: GramTask; readonly units: Int32Array; readonly first: Int32Array };

enableSimd();
const { task, units, first } = data;
const work = new GramWork(task, storedRows(task.A, task.columns));
new SharedUnits(units).serve((unit) => work.do(unit - first[0]));
