/**
 * npm run extremes: every public function with one argument, option or entry at a time replaced by an extreme one.
 *
 *   --package <text>   only packages whose name contains it
 *
 * Prints a line for each package, and each call that did not end in a CurvatureError or a result without a NaN; exits
 * 1 if there was one.
 */
import { packages } from "../test/reliability/calls/index.ts";
import { extremes } from "../test/reliability/extremes.ts";
import { commandOptions, matching } from "./command-options.ts";

const options = commandOptions(import.meta.url, { package: "" });
const known = Object.keys(packages).map((name) => ({ name }));
let tried = 0;
let failures = 0;
for (const { name } of matching(known, "package", options.package)) {
  const { refused, taken, findings } = await extremes({
    package: name,
    stride: 1,
    phase: 0,
  });
  tried += refused + taken + findings.length;
  failures += findings.length;
  console.log(`${name}: ${refused} refused, ${taken} taken, ${findings.length} failed`);
  for (const { where, what } of findings) console.log(`  ${where}\n    ${what.replaceAll("\n", "\n    ")}`);
}
console.log(`${tried} calls, ${failures} failures`);
process.exitCode = failures === 0 ? 0 : 1;
