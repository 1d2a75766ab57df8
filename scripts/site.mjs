/**
 * `npm run demo`: builds what is not built yet and serves the demo site on this machine.
 *
 * Usage: npm run demo [-- --port 4173]
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
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

process.stderr.write("Building the site\n");
const build = spawnSync(
  "pnpm",
  ["exec", "turbo", "run", "build", "--filter=@curvature/demo...", "--output-logs=errors-only"],
  { cwd: root, stdio: ["ignore", "ignore", "inherit"], shell: process.platform === "win32" },
);
if (build.status !== 0) {
  process.stderr.write("The build failed; run `node scripts/go.mjs build` to see why.\n");
  process.exit(1);
}

const folder = join(root, "apps/demo/dist");
// The build empties the folder, so that a reference that is there is of the sources as they are.
if (!existsSync(join(folder, "api/index.html"))) {
  process.stderr.write("Writing the API reference\n");
  const written = spawnSync(process.execPath, [join(root, "scripts/api.mjs")], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (written.status !== 0)
    process.stderr.write("The API reference has faults, see above; the site is served.\n");
}
const served = await serveFolder(folder, { port: wanted, isIsolated: true }).catch((error) => {
  if (error.code !== "EADDRINUSE") throw error;
  return serveFolder(folder, { isIsolated: true }); // the port is taken: any other will do
});
process.stdout.write(`The demo is at ${served.url} (Ctrl-C ends it)\n`);
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(0));
