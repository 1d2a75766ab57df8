// @module-tag full
/** The built package: threads help the package's own sums, as ES modules and as CommonJS, and let the process end. */
import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { expect, test } from "vitest";

const folder = resolve(import.meta.dirname, "../..");

/** What the workers have a part in is seen from how often the caller's thread has been the one to count a block. */
const program = `
const N = 3000;
const x = Float64Array.from({ length: N }, (_, n) => (n * 7919) % 101);
const y = Float64Array.from({ length: N }, (_, n) => (n * 104729) % 103);
const pairs = new linalg.PlanePairs("gaussian", N);
const sum = () => {
  const [fx, fy] = [new Float64Array(N), new Float64Array(N)];
  return [pairs.forces(x, y, fx, fy), ...fx, ...fy].join();
};
const alone = sum();
let ownBlocks = 0;
const add = Atomics.add;
Atomics.add = (...parts) => {
  ownBlocks++;
  return add(...parts);
};
const threads = startThreads(2, N);
const look = () => {
  if (threads.ready === 0) return setTimeout(look, 5);
  const same = sum() === alone;
  console.log(threads.count, same, ownBlocks > 0, threads.warnings.length);
  // not closed: the process ends all the same
};
look();`;

function output(inputType: string, imports: string): string {
  const flags = ["--input-type", inputType, "--eval", imports + program];
  return execFileSync(process.execPath, flags, { cwd: folder, encoding: "utf8", timeout: 300_000 }).trim();
}

test("as ES modules", () => {
  const imports =
    'import * as linalg from "@curvature/linalg"; import { startThreads } from "@curvature/linalg/threads";';
  expect(output("module", imports)).toBe("2 true true 0");
});

test("as CommonJS", () => {
  const imports =
    'const linalg = require("@curvature/linalg"); const { startThreads } = require("@curvature/linalg/threads");';
  expect(output("commonjs", imports)).toBe("2 true true 0");
});
