import { spawnSync } from "node:child_process";
import { cpus, loadavg, release, type as system, totalmem } from "node:os";
import { enableSimd } from "@curvature/linalg/simd";

/** Experiments run as the command does. */
const isSimd = enableSimd();

/** What a table must say about where it was measured, with the load of the last minute: more than its own is a busy machine. */
export function machine(): string {
  const [cpu] = cpus();
  return `${cpus().length} x ${cpu.model}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${system()} ${release()}, Node ${process.versions.node}${isSimd ? " with SIMD" : ""}, load average ${loadavg()[0].toFixed(1)}`;
}

/** What was measured: the commit, and whether the code beside it was changed. */
export function commit(): string {
  const git = (...words: string[]): string =>
    spawnSync("git", words, { cwd: import.meta.dirname, encoding: "utf8" }).stdout?.trim() ?? "";
  const hash = git("rev-parse", "--short=10", "HEAD");
  if (hash === "") return "no commit known";
  return `commit ${hash}${git("status", "--porcelain", "--", ":/packages", ":/apps") === "" ? "" : " with changes"}`;
}
