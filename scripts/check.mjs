/**
 * Everything that must hold before a change lands. `npm test`: build, types, lint, unused code, and the tests without a
 * tag. `npm run test:full`, which is `check full`: what takes long, the tests with the tag `full` among it.
 * Builds and types may come from a cache; tests are always run, and counted. After the build the tests run beside the
 * other checks, whose output is printed when each is done.
 */
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const cache = join(root, "node_modules", ".cache");
const report = join(cache, "vitest-report.json");

const isFull = process.argv[2] === "full";
const build = ["build", "turbo", "run", "build", "--output-logs=errors-only"];
const tests = [
  "tests",
  "vitest",
  "run",
  "--reporter=default",
  "--reporter=json",
  `--outputFile.json=${report}`,
  `--tags-filter=${isFull ? "full" : "!full"}`,
];
const quick = [
  ["types", "node", "node_modules/typescript-7/bin/tsc", "--noEmit"],
  ["lint", "biome", "ci", "--error-on-warnings", "."],
  ["unused code", "knip", "--no-progress"],
];
const long = [
  ["lint with types", "eslint", "--max-warnings=0", "."],
  ["packages", "node", "scripts/check-packages.mjs"],
  ["command lines", "node", "scripts/command-lines.mjs"],
];

const failures = [];
const times = [];

/** Runs one check; its output goes straight through, or is kept and printed at its end. */
function check([name, command, ...args], isQuiet) {
  const started = performance.now();
  const child = spawn("pnpm", ["exec", command, ...args], {
    cwd: root,
    stdio: isQuiet ? ["ignore", "pipe", "pipe"] : ["ignore", "inherit", "inherit"],
    shell: process.platform === "win32",
  });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (data) => output.push(data));
  return new Promise((resolve) => {
    child.on("close", (status) => {
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      times.push(`${name} ${seconds} s`);
      if (status !== 0) failures.push(name);
      if (isQuiet)
        process.stdout.write(`── ${name}: ${status === 0 ? "ok" : "FAILED"}\n${Buffer.concat(output)}`);
      resolve(status === 0);
    });
  });
}

async function checkOthers() {
  for (const step of isFull ? long : quick) await check(step, true);
}

function testCounts() {
  try {
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, "utf8"));
    return { passed: numPassedTests, failed: numFailedTests };
  } catch {
    return { passed: 0, failed: 0 };
  }
}

mkdirSync(cache, { recursive: true });
rmSync(report, { force: true });
if (await check(build, true)) await Promise.all([check(tests, false), checkOthers()]);

const { passed, failed } = testCounts();
process.stdout.write(`\n${times.join(" · ")}\n`);
if (failures.length > 0) process.stdout.write(`Failed: ${failures.join(", ")}\n`);
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exit(failures.length > 0 || passed === 0 ? 1 : 0);
