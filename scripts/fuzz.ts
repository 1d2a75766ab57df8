/**
 * npm run fuzz: mutated and random inputs for every parser and every reader of snapshots, checkpoints and models, and
 * random problems for the claims of linear solvers and for decompositions of matrices.
 *
 *   --inputs <n>            inputs for each reader; default 1,000,000
 *   --seed <s>              default 1; the same seed makes the same inputs
 *   --target <text>         only readers whose name contains it
 *   --replay <seed:index>   one input alone (with --target), its bytes on standard output where it has any
 *
 * Prints a line for each reader, and for its first 20 failures seed and index; exits 1 if there was one.
 */
import { fuzz } from "../test/reliability/fuzz.ts";
import { generatorOf } from "../test/reliability/fuzz-target.ts";
import { targets } from "../test/reliability/fuzz-targets.ts";
import { commandOptions, matching, refuse, wholeNumber } from "./command-options.ts";

const options = commandOptions(import.meta.url, { inputs: "1000000", seed: "1", target: "", replay: "" });
const chosen = matching(targets, "target", options.target);

async function replay(place: string): Promise<boolean> {
  const words = place.split(":");
  if (words.length !== 2) refuse(`--replay must be a seed and an index, 1:300; received "${place}".`);
  const [seed, index] = words.map((text) => wholeNumber("replay", text, 0, 2 ** 32 - 1));
  let isGood = true;
  for (const target of chosen) {
    const input = target.make(generatorOf(seed, index));
    const began = performance.now();
    const end = await input.read().catch((error: unknown) => error);
    const seconds = ((performance.now() - began) / 1000).toFixed(3);
    process.stdout.write(`${target.name} ${place}, ${seconds} s: `);
    console.log(end);
    if (input.bytes !== undefined) console.log(JSON.stringify(Buffer.from(input.bytes).toString("latin1")));
    if (input.data !== undefined) console.dir(input.data, { depth: 8 });
    if (typeof end !== "string") isGood = false;
  }
  return isGood;
}

async function all(): Promise<boolean> {
  const seed = wholeNumber("seed", options.seed, 0, 2 ** 20 - 1);
  const to = wholeNumber("inputs", options.inputs, 1, 2 ** 31 - 1);
  let failures = 0;
  let tried = 0;
  for (const { name, oneIn } of chosen) {
    // a thread for each: one that dies takes no other with it
    await fuzz(
      { targets: [name], seed, from: 0, to: to * oneIn },
      ({ target, accepted, refused, microsecondsEach, findings, failures: failed, summary }) => {
        tried += accepted + refused + failed;
        failures += failed;
        const cost = `${microsecondsEach.toFixed(0)} µs each`;
        console.log(`${target}: ${accepted} accepted, ${refused} refused, ${failed} failed, ${cost}`);
        for (const line of summary) console.log(`  ${line}`);
        for (const { index, what } of findings)
          console.log(
            `  --target "${target}" --replay ${seed}:${index}\n    ${what.split("\n").slice(0, 4).join("\n    ")}`,
          );
      },
    );
  }
  console.log(`${chosen.length} readers, ${tried} inputs, ${failures} failures (seed ${seed})`);
  return failures === 0;
}

process.exitCode = (await (options.replay === "" ? all() : replay(options.replay))) ? 0 : 1;
