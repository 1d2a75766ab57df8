/**
 * npm run faults: the command under kill -9 and failing file systems.
 *
 *   --kills <n>       over all commands, as many for each of them, rounded up; default 500
 *   --seed <s>        default 1
 *   --every <n>       of the file system's calls and errors, one in n is tried; default 1
 *   --command <text>  only this command
 *
 * Exits 1 if anything was torn, lost, different or unclear.
 */
import { commandRuns } from "../test/reliability/commands.ts";
import { faultCases, tryFault, undisturbed } from "../test/reliability/io-faults.ts";
import { interrupted, kill } from "../test/reliability/kills.ts";
import { commandOptions, matching, wholeNumber } from "./command-options.ts";

const options = commandOptions(import.meta.url, { kills: "500", seed: "1", every: "1", command: "" });
const kills = wholeNumber("kills", options.kills, 0, 1_000_000);
const seed = wholeNumber("seed", options.seed, 0, 2 ** 20 - 1);
const every = wholeNumber("every", options.every, 1, 1_000_000);
const runs = matching(commandRuns, "command", options.command);
let failures = 0;

for (const run of runs) {
  const report = await kill(run, Math.ceil(kills / runs.length), seed);
  failures += report.faults.length;
  const when = `${report.early} before the first checkpoint, ${report.late} after the end`;
  console.log(`${run.name}: ${report.kills} kills (${when}), ${report.faults.length} faults`);
  for (const fault of report.faults) console.log(`  ${fault}`);
}
for (const run of runs) {
  const expected = await undisturbed(run);
  for (const checkpoint of [undefined, await interrupted(run)]) {
    const cases = (await faultCases(run, checkpoint)).filter((_, k) => k % every === 0);
    let found = 0;
    for (const given of cases) {
      const wrong = await tryFault(given, expected);
      found += wrong.length;
      for (const what of wrong) console.log(`  ${what}`);
    }
    failures += found;
    const name = checkpoint === undefined ? run.name : `${run.name}, resumed`;
    console.log(`${name}: ${cases.length} faults of the file system, ${found} taken badly`);
  }
}
console.log(`${failures} failures`);
process.exitCode = failures === 0 ? 0 : 1;
