/**
 * npm run soak: embeds, fits, ordinal maps and manifolds in one process, with checkpoints, over and over; what is in
 * use after each collection of garbage must not grow.
 *
 *   --hours <h>   default 2; 0.006 is about 20 seconds
 *
 * Prints the state every minute (every tenth of the time if that is shorter); exits 1 if the line through the samples
 * rises by more than noise does.
 */
import { growth, type Sample, sample, soakRound } from "../test/reliability/soak.ts";
import { commandOptions, refuse } from "./command-options.ts";

const options = commandOptions(import.meta.url, { hours: "2" });
const hours = Number(options.hours);
if (!(hours > 0 && hours <= 1000))
  refuse(`--hours must be a number above 0 and up to 1000; received "${options.hours}".`);
if (globalThis.gc === undefined) throw new Error("Start it with node --expose-gc, as npm run soak does.");

const milliseconds = 3.6e6 * hours;
const began = performance.now();
const samples: Sample[] = [];
const telling = Math.min(60_000, milliseconds / 10);
const mega = (bytes: number): string => (bytes / 2 ** 20).toFixed(1);
for (let rounds = 1, told = 0; performance.now() - began < milliseconds; rounds++) {
  await soakRound();
  const elapsed = performance.now() - began;
  const now = await sample();
  // a bounded number of them, since they take memory too
  if (elapsed > (samples.length * milliseconds) / 400) samples.push(now);
  if (elapsed - told < telling) continue;
  told = elapsed;
  const sizes = `heap ${mega(now.heapBytes)}, arrays ${mega(now.arrayBytes)}, resident ${mega(now.residentBytes)} MiB`;
  console.log(`${(elapsed / 1000).toFixed(0)} s, ${rounds} rounds: ${sizes}, ${now.handles} handles`);
}
let isGood = true;
for (const { name, first, rise, isTooMuch } of growth(samples)) {
  console.log(`${name}: from ${first.toFixed(0)}, rise ${rise.toFixed(1)}${isTooMuch ? ", TOO MUCH" : ""}`);
  if (isTooMuch) isGood = false;
}
console.log(`${samples.length} samples, ${isGood ? "nothing grows" : "something grows"}`);
process.exitCode = isGood ? 0 : 1;
