/** A worker for `sweep.ts`: node sweep-worker.ts <url> <folder> <version> <module of its thread> */
import { serveUnits } from "@curvature/cluster/redis";

const [url, data, version, module] = process.argv.slice(2);
const stop = new AbortController();
process.once("SIGTERM", () => stop.abort());
await serveUnits(url, {
  data,
  version,
  module: new URL(module),
  concurrency: 1,
  signal: stop.signal,
  onEvent: (event) => event.type === "joined" && process.stdout.write("joined\n"),
});
process.exit(0);
