/**
 * Runs one contestant in a process of its own, as a user's script would: `node in-process.ts <contestant> <seed>`,
 * the points as JSON on stdin, `{ seconds, map, description }` as JSON on stdout. Loading the package is not
 * timed; everything from data to map is, cold.
 */
import { text } from "node:stream/consumers";
import { contestants } from "./index.ts";

const [name, seed] = process.argv.slice(2);
const points: number[][] = JSON.parse(await text(process.stdin));
const contestant = await contestants[name]();
const started = performance.now();
const map = await contestant.embed(points, Number(seed));
const seconds = (performance.now() - started) / 1000;
const { description, kind } = contestant;
process.stdout.write(JSON.stringify({ name: contestant.name, description, kind, seconds, map }));
