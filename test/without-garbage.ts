/** Files of tests share a process, and some measure how much memory is in use: each begins without the garbage of those before. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

// The memory of typed arrays is freed by a thread, which only the next collection waits for.
globalThis.gc = (() => {
  collect();
  collect();
}) as typeof globalThis.gc;
globalThis.gc?.();
