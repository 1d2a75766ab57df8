/** The experiment on a GPU, where there is none: its first look on an adapter in software, and its refusal. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { withoutDevice } from "../../../packages/webgpu/test/device.ts";

const runner = fileURLToPath(new URL("../src/run.ts", import.meta.url));
const bench = (words: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  spawnSync(process.execPath, ["--no-warnings", runner, "gpu/maps", ...words], {
    encoding: "utf8",
    env: { ...process.env, ...env },
  });

test.skipIf(withoutDevice)(
  "a first look says that it is one of an adapter in software, and compares bits",
  { tags: ["full"] },
  () => {
    const { status, stdout } = bench(["--quick"]);
    expect(stdout).toMatch(/On SwiftShader, which imitates a GPU on the processor: seconds mean nothing/);
    expect(stdout).toContain("the bits of drawn-60: the same twice.");
    for (const row of ["GPU, warm", "processor", "repulsion, tiles", "Chebyshev, 8 steps"])
      expect(stdout).toContain(`| ${row} |`);
    expect(status).toBe(0);
  },
);

test("a run without a GPU is left out with a sentence, before anything is measured", {
  tags: ["full"],
}, () => {
  const { status, stdout, stderr } = bench([], { VK_DRIVER_FILES: "/no-such-driver.json" });
  expect(stderr).toMatch(/gpu\/maps measures on a GPU alone\. WebGPU finds no adapter\./);
  expect(stdout).not.toContain("# Maps on a GPU");
  expect(status).toBe(2);
});
