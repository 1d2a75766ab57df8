/**
 * `npm run bench -- <experiment>`: builds what is not built yet and runs experiments; see apps/bench/README.md.
 */
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

const build = spawnSync(
  "pnpm",
  ["exec", "turbo", "run", "build", "--filter=@curvature/bench^...", "--output-logs=errors-only"],
  { cwd: root, stdio: ["ignore", "ignore", "inherit"], shell: process.platform === "win32" },
);
if (build.status !== 0) {
  process.stderr.write("The build failed; run `node scripts/go.mjs build` to see why.\n");
  process.exit(1);
}
const runner = join(root, "apps/bench/src/run.ts");
const { status } = spawnSync(process.execPath, [runner, ...process.argv.slice(2)], { stdio: "inherit" });
process.exit(status ?? 1);
