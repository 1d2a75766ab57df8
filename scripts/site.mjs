/**
 * `npm run demo`: builds what is not built yet and serves the site on this machine: the pages, and the demo in `demo/`.
 *
 * Usage: npm run demo [-- --port 4173]
 */
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { serveFolder } from "./serve.ts";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { values } = parseArgs({ options: { port: { type: "string", default: "4173" } } });
const wanted = Number(values.port);
if (!Number.isInteger(wanted) || wanted < 0 || wanted > 65535) {
  process.stderr.write(`--port must be a whole number from 0 to 65535; received ${values.port}.\n`);
  process.exit(64);
}

process.stderr.write("Building the site (a minute the first time)\n");
const build = spawnSync(
  "pnpm",
  ["exec", "turbo", "run", "pages", "--filter=@curvature/site", "--output-logs=errors-only"],
  { cwd: root, stdio: ["ignore", "ignore", "inherit"], shell: process.platform === "win32" },
);
if (build.status !== 0) {
  process.stderr.write("The build failed; run `pnpm exec turbo run pages` to see why.\n");
  process.exit(1);
}

const folder = join(root, "apps/site/dist");
const served = await serveFolder(folder, { port: wanted, isIsolated: true }).catch((error) => {
  if (error.code !== "EADDRINUSE") throw error;
  return serveFolder(folder, { isIsolated: true }); // the port is taken: any other will do
});
process.stdout.write(`The site is at ${served.url}, the demo at ${served.url}demo/ (Ctrl-C ends it)\n`);
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(0));
