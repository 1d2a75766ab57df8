import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

/** The full forms are run by hand, and rarely: their programs must start all the same, under Node's own reading of types. */
const programs: readonly (readonly [program: string, args: readonly string[], says: RegExp])[] = [
  ["faults.ts", ["--kills", "0", "--command", "nothing"], /--command: no name contains "nothing"/],
  ["fuzz.ts", ["--inputs", "20", "--target", "npy"], /^1 readers, 20 inputs, 0 failures/m],
  ["extremes.ts", ["--package", "nothing"], /--package: no name contains "nothing"/],
  ["soak.ts", ["--hours", "0"], /--hours must be a number above 0/],
];

test.for(programs)("scripts/%s starts", ([program, args, says]) => {
  const script = fileURLToPath(new URL(`../../scripts/${program}`, import.meta.url));
  const { stdout, stderr } = spawnSync(process.execPath, [script, ...args], { encoding: "utf8" });
  expect(stdout + stderr).toMatch(says);
});
