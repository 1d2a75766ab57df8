/**
 * Everything that must hold before a change lands: build, types, lint, tests, packages. Builds may come from
 * turbo's cache; tests are always run, and counted.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const report = join(root, "node_modules", ".vitest-report.json");
const steps = [
  ["build", ["turbo", "run", "build", "--output-logs=errors-only"]],
  ["types", ["tsc", "--noEmit"]],
  ["lint", ["biome", "ci", "--error-on-warnings", "."]],
  ["lint with types", ["eslint", "--max-warnings=0", "."]],
  ["unused code", ["knip"]],
  ["packages", ["node", "scripts/check-packages.mjs"]],
  ["tests", ["vitest", "run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`]],
];

const failures = [];
const times = [];
rmSync(report, { force: true });
for (const [name, [command, ...args]] of steps) {
  process.stdout.write(`\n── ${name}: ${command} ${args.filter((a) => !a.includes(report)).join(" ")}\n`);
  const started = performance.now();
  const result = spawnSync("pnpm", ["exec", command, ...args], {
    cwd: root,
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  times.push(`${name} ${((performance.now() - started) / 1000).toFixed(1)} s`);
  if (result.status !== 0) {
    failures.push(name);
    if (name === "build") break;
  }
}

process.stdout.write(`\n${times.join(" · ")}\n`);
const { passed, failed } = testCounts();
if (failures.length > 0) process.stdout.write(`Failed: ${failures.join(", ")}\n`);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exit(failures.length > 0 || passed === 0 ? 1 : 0);

function testCounts() {
  try {
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, "utf8"));
    return { passed: numPassedTests, failed: numFailedTests };
  } catch {
    return { passed: 0, failed: 0 };
  }
}
