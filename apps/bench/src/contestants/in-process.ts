/**
 * Runs one contestant of npm as a user's script would; see `measured.ts`, whose child this is:
 * `node in-process.ts contestant points rows columns seed map`.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { contestants } from "./index.ts";

const [key, pointsFile, rows, columns, seed, mapFile] = process.argv.slice(2);
const [N, D] = [Number(rows), Number(columns)];
const flat = new Float64Array(new Uint8Array(readFileSync(pointsFile)).buffer);
const points = Array.from({ length: N }, (_, i) => [...flat.subarray(i * D, (i + 1) * D)]);
const { embed, ...contestant } = await contestants[key]();
const started = performance.now();
const map = await embed(points, Number(seed));
const seconds = (performance.now() - started) / 1000;
writeFileSync(mapFile, new Uint8Array(new Float64Array(map.flat()).buffer));
const megabytes = process.resourceUsage().maxRSS / 1024;
process.stdout.write(JSON.stringify({ ...contestant, seconds, megabytes }));
