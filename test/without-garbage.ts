/** Files of tests share a process, and some measure how much memory is in use: each begins without the garbage of those before. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
runInNewContext("gc()");
// Tests are as strict on memory as without: with a `gc` of their own they would ask for more.
setFlagsFromString("--no-expose-gc");
