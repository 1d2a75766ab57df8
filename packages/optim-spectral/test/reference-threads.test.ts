/**
 * The built package: the threads that `embed` starts help the sums of the copy of linalg that it uses, as ES modules and
 * as CommonJS, and let the process end.
 */
import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { expect, test } from "vitest";

const folder = resolve(import.meta.dirname, "..");

/** A block that this thread has had a hand in is counted by an `Atomics.add` of its own. */
const program = `
let ownBlocks = 0;
const add = Atomics.add;
Atomics.add = (...parts) => {
  ownBlocks++;
  return add(...parts);
};
const data = Float64Array.from({ length: 3600 }, (_, k) => (k * 7919) % 1009);
const options = { gradient: "exact", perplexity: 5, maxEvaluations: 5 };
const mapOf = async (threads) => {
  const { embedding } = await embed({ rows: 900, columns: 4, data }, { ...options, threads });
  return embedding.data.join();
};
(async () => {
  const one = await mapOf(1);
  const blocksOfOne = ownBlocks;
  console.log((await mapOf(2)) === one, blocksOfOne, ownBlocks > 0);
})();`;

function output(inputType: string, imports: string): string {
  const flags = ["--input-type", inputType, "--eval", imports + program];
  return execFileSync(process.execPath, flags, { cwd: folder, encoding: "utf8", timeout: 300_000 }).trim();
}

test("as ES modules", () => {
  expect(output("module", 'import { embed } from "@curvature/optim-spectral";')).toBe("true 0 true");
});

test("as CommonJS", () => {
  expect(output("commonjs", 'const { embed } = require("@curvature/optim-spectral");')).toBe("true 0 true");
});
