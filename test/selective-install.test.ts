/** One package with its dependencies' tarballs in an empty folder works as ESM, CommonJS and TypeScript. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { pack } from "../scripts/packed.ts";

const root = resolve(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "curvature-install-"));
const shell = process.platform === "win32";
const wanted = ["optim-spectral", "objectives", "optim-core", "linalg"];

const program = `
const { embed } = curvature;
const points = Array.from({ length: 30 }, (_, i) => [i % 5, Math.floor(i / 5), (i * 7) % 11]);
embed(points, { perplexity: 5, maxEvaluations: 10 }).then((result) => {
  if (result.embedding.rows !== 30) throw new Error("no map");
  console.log("map of " + result.embedding.rows);
});
`;

function node(file: string): string {
  return execFileSync(process.execPath, [file], { cwd: folder, encoding: "utf8" });
}

beforeAll(() => {
  const tarballs = wanted.map((name) => pack(join(root, "packages", name), folder));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "consumer", private: true }));
  const flags = ["--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
  execFileSync("npm", ["install", ...flags, ...tarballs], { cwd: folder, shell, stdio: "pipe" });
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("as an ES module", () => {
  writeFileSync(
    join(folder, "consumer.mjs"),
    `import * as curvature from "@curvature/optim-spectral";${program}`,
  );
  expect(node("consumer.mjs")).toContain("map of 30");
});

test("as CommonJS", () => {
  writeFileSync(
    join(folder, "consumer.cjs"),
    `const curvature = require("@curvature/optim-spectral");${program}`,
  );
  expect(node("consumer.cjs")).toContain("map of 30");
});

test.each(["node16", "bundler"])("as TypeScript with moduleResolution %s", (moduleResolution) => {
  writeFileSync(
    join(folder, "consumer.ts"),
    `import { embed } from "@curvature/optim-spectral";
     import type { DenseMatrix } from "@curvature/linalg";
     export const map: Promise<DenseMatrix> = embed([[0, 1], [1, 0], [1, 1]]).then((r) => r.embedding);
     // @ts-expect-error a misspelt option is a type error
     void embed([[0]], { perplexty: 5 });`,
  );
  const module = moduleResolution === "node16" ? "node16" : "esnext";
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({
      compilerOptions: { strict: true, noEmit: true, module, moduleResolution, target: "es2022", types: [] },
      files: ["consumer.ts"],
    }),
  );
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
  execFileSync(process.execPath, [tsc, "-p", "tsconfig.json"], { cwd: folder, stdio: "pipe" });
});

test("nothing else came along", () => {
  const installed = readdirSync(join(folder, "node_modules", "@curvature")).sort();
  expect(installed).toEqual([...wanted].sort());
  const linalg = JSON.parse(
    readFileSync(join(folder, "node_modules/@curvature/linalg/package.json"), "utf8"),
  );
  expect(linalg.scripts?.postinstall).toBeUndefined();
});
