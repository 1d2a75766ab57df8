import { spawnSync } from "node:child_process";
import { redisProgram } from "../../../../../packages/cluster/test/redis-server.ts";

/** "7.0.15", asked of the program that the measurements start. */
export function redisVersion(): string {
  const { stdout } = spawnSync(redisProgram, ["--version"], { encoding: "utf8" });
  return /\bv=(\S+)/.exec(stdout ?? "")?.[1] ?? "of unknown version";
}
