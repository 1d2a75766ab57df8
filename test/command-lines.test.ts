/** Every twelfth of the command lines whose outputs are recorded; all of them: `npm run command-lines`. */
import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { expect, test } from "vitest";

test("command lines write what they wrote before", () => {
  const script = resolve(import.meta.dirname, "../scripts/command-lines.mjs");
  const { stdout, stderr, status } = spawnSync(process.execPath, [script, "--every", "12"], {
    encoding: "utf8",
  });
  expect(stdout + stderr).toMatch(/^(\d+) of \1 command lines as recorded$/m);
  expect(status).toBe(0);
});
