// @module-tag full
/** The built package: the sub-path and the package share one table of kernels, as ES modules and as CommonJS. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";

const folder = resolve(import.meta.dirname, "../..");

/** Whether a product looks at the module's memory tells whether it is in use. */
const program = `
let views = 0;
const { prototype } = WebAssembly.Memory;
const { get } = Object.getOwnPropertyDescriptor(prototype, "buffer");
Object.defineProperty(prototype, "buffer", { get() { views++; return get.call(this); } });
const used = () => {
  const before = views;
  const A = { rows: 90, columns: 90, data: new Float64Array(8100).fill(1) };
  linalg.multiply(A, A);
  return views > before;
};
const answers = [used(), simd.enableSimd(), used(), simd.enableSimd(), used()];
simd.disableSimd();
answers.push(used());
console.log(answers.join(" "));`;

function output(inputType: string, imports: string): string {
  const flags = ["--input-type", inputType, "--eval", imports + program];
  return execFileSync(process.execPath, flags, { cwd: folder, encoding: "utf8" }).trim();
}

/** Off; turned on, used; turned on again, used; off. */
const expected = "false true true true true false";

test("as ES modules", () => {
  const imports =
    'import * as linalg from "@curvature/linalg"; import * as simd from "@curvature/linalg/simd";';
  expect(output("module", imports)).toBe(expected);
});

test("as CommonJS", () => {
  const imports =
    'const linalg = require("@curvature/linalg"); const simd = require("@curvature/linalg/simd");';
  expect(output("commonjs", imports)).toBe(expected);
});

test("an engine without WebAssembly stays with TypeScript", () => {
  const imports =
    'const linalg = require("@curvature/linalg"); const simd = require("@curvature/linalg/simd"); WebAssembly.Module = undefined;';
  expect(output("commonjs", imports)).toBe("false false false false false false");
});

test("the sub-path is small, and the package has nothing of it", () => {
  const read = (name: string): string => readFileSync(join(folder, "dist", name), "utf8");
  const chunks = (name: string): string[] =>
    [...read(name).matchAll(/from "\.{1,2}\/(chunk-[^"]+)"/g)].map(([, chunk]) => chunk);
  const own = chunks("index.js");
  const added = ["simd/index.js", ...chunks("simd/index.js").filter((chunk) => !own.includes(chunk))];
  const bytes = added.map((name) => gzipSync(read(name)).length).reduce((sum, size) => sum + size, 0);
  const start = "(}/}A};"; // of every module, as assembly/build.mjs writes it
  const text = added.flatMap((name) => read(name).match(/\(}\/}A};[#-~]+/) ?? []).join("");
  const module = gzipSync(text).length;
  process.stdout.write(`SIMD adds ${bytes} bytes of gzip, not minified; of them the module ${module}\n`);
  expect(module).toBeGreaterThan(1000);
  expect(module).toBeLessThan(9_100);
  expect(bytes).toBeLessThan(17_900);
  for (const name of ["index.js", "index.cjs", ...own]) expect(read(name)).not.toContain(start);
});
