/**
 * The same seed and data give the same bits under this Node, with SIMD and without, and in full under every other one that this
 * machine has and on lanes of 256 bits, and the same as recorded in `fixtures/hashes.txt`. Results are part of the contract: whoever changes
 * them on purpose writes the file anew (`node test/hash-runs.mjs > test/fixtures/hashes.txt`, after a build) and says so in a
 * changeset, once there has been a release.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "..");

/** Every Node on the PATH, the one that called `npm test`, and this one; one per version. */
function nodes(): Map<string, string> {
  const name = process.platform === "win32" ? "node.exe" : "node";
  const onPath = (process.env["PATH"] ?? "").split(delimiter).map((folder) => join(folder, name));
  const found = new Map<string, string>();
  for (const candidate of [process.execPath, process.env["CURVATURE_CALLER_NODE"] ?? "", ...onPath]) {
    if (!existsSync(candidate)) continue;
    const path = realpathSync(candidate);
    const version = execFileSync(path, ["--version"], { encoding: "utf8" }).trim();
    if (Number(version.slice(1).split(".")[0]) >= 20 && !found.has(version)) found.set(version, path);
  }
  return found;
}

/** V8 joins lanes of 128 bits to such of 256, from the first call on. */
const WIDE = ["--experimental-wasm-revectorize", "--no-liftoff"];

/** Whether this Node can join lanes on this machine: from 24 on, where AVX2 is there. */
function hasWideLanes(path: string, version: string): boolean {
  const options = execFileSync(path, ["--v8-options"], { encoding: "utf8" });
  return (
    Number(version.slice(1).split(".")[0]) >= 24 &&
    options.includes("wasm-revectorize") &&
    /\bAVX2=1\b/.test(options)
  );
}

const script = join(root, "test", "hash-runs.mjs");
const recorded = readFileSync(join(root, "test", "fixtures", "hashes.txt"), "utf8");
const printed = (path: string, ...words: readonly string[]): string =>
  execFileSync(path, words, { encoding: "utf8" });

test("whole runs of every solver hash as recorded", () => {
  expect(printed(process.execPath, script, "simd")).toBe(recorded);
});

test("and without SIMD", { tags: ["full"] }, () => {
  expect(printed(process.execPath, script)).toBe(recorded);
});

test("all of them are recorded", () => {
  expect(recorded.trim().split("\n").length).toBe(32);
});

test("they hash alike under every other Node, and on lanes of 256 bits", { tags: ["full"] }, () => {
  const hashes = new Map<string, string>();
  for (const [version, path] of nodes()) {
    if (version !== process.version) {
      hashes.set(version, printed(path, script));
      hashes.set(`${version} with SIMD`, printed(path, script, "simd"));
    }
    if (hasWideLanes(path, version))
      hashes.set(`${version} with SIMD on 256 bits`, printed(path, ...WIDE, script, "simd"));
  }
  process.stdout.write(`same bits on Node ${[...hashes.keys()].join(", ")}\n`);
  for (const [version, lines] of hashes) expect(lines, `Node ${version}`).toBe(recorded);
});

/** Calls of kernels whose innermost loops have pairs of lanes side by side. */
const joined = [
  ["multiply", "multiply(A, A)"],
  ["DenseCholesky", "new DenseCholesky(A)"],
  ["symmetricEigen", "symmetricEigen(A)"],
  ["nearestNeighbors", "nearestNeighbors(A, 5)"],
];

test.each(joined)("V8 joins the lanes of %s", { tags: ["full"] }, (name, call) => {
  const program = `
    import { DenseCholesky, multiply, symmetricEigen, zeros } from "@curvature/linalg";
    import { enableSimd } from "@curvature/linalg/simd";
    import { nearestNeighbors } from "@curvature/objectives/embedding";
    const A = zeros(100, 100);
    for (let k = 0; k < A.data.length; k++) A.data[k] = k % 101 === 0 ? k + 1 : 0.01;
    enableSimd();
    ${call};`;
  const from = ["--input-type=module", "--eval", program];
  for (const [version, path] of nodes()) {
    if (!hasWideLanes(path, version)) continue;
    const trace = execFileSync(path, [...WIDE, "--trace-wasm-revectorize", ...from], {
      cwd: join(root, "packages", "optim-spectral"),
      encoding: "utf8",
    });
    expect(trace, `${name}, Node ${version}`).toMatch(/Decide to vectorize, [1-9]\d* revectorizable nodes/);
  }
});
