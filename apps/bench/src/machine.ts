import { cpus, loadavg, totalmem } from "node:os";
import { enableSimd } from "@curvature/linalg/simd";

/** Experiments run as the command does. */
const isSimd = enableSimd();

/** What a table must say about where it was measured, with the load of the last minute: more than its own is a busy machine. */
export function machine(): string {
  const [cpu] = cpus();
  return `${cpus().length} x ${cpu.model}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}${isSimd ? " with SIMD" : ""}, load average ${loadavg()[0].toFixed(1)}`;
}
