// @module-tag full
/** Content security policies in a browser: each refusal names the directive that would allow it. */
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Served, serveFolder } from "../../../scripts/serve.js";
import { bundle } from "../../../test/bundle.js";
import { site } from "./browser.js";

const at = site();

/** What the page's worker does. */
const program = `
import { enableSimd, simdRefusal } from "@curvature/linalg/simd";
import { setThreadScripts, startThreads } from "@curvature/linalg/threads";
import { embed } from "@curvature/optim-spectral";

const simd = enableSimd();
if (location.search === "?scripts") setThreadScripts({ linalg: "linalg.js", objectives: new URL("objectives.js", location.href) });
const threads = startThreads(2, 1500);
const from = performance.now();
(async function whenKnown() {
  const { ready, warnings } = threads;
  if (ready === 0 && warnings.length === 0 && performance.now() - from < 20_000) return setTimeout(whenKnown, 5);
  const data = Float64Array.from({ length: 8000 }, (_, k) => (k * 7919) % 1009);
  const map = await embed({ rows: 2000, columns: 4, data }, { gradient: "fft", perplexity: 5, maxEvaluations: 5, threads: 2 });
  const mapWarnings = map.warnings.map(({ message }) => message).filter((message) => /thread/.test(message));
  self.postMessage({ simd, refusal: simdRefusal(), ready, warnings: [...warnings], mapWarnings });
})();
`;

interface Answer {
  readonly simd: boolean;
  readonly refusal: string | undefined;
  readonly ready: number;
  readonly warnings: readonly string[];
  readonly mapWarnings: readonly string[];
}

let folder = "";
const served: Served[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "curvature-policy-"));
  const { text } = await bundle(program, join(import.meta.dirname, ".."), { format: "iife" });
  writeFileSync(join(folder, "program.js"), text);
  for (const name of ["linalg", "objectives"])
    copyFileSync(
      fileURLToPath(import.meta.resolve(`@curvature/${name}/thread.js`)),
      join(folder, `${name}.js`),
    );
  writeFileSync(join(folder, "index.html"), "<!doctype html><title>Policies</title>");
});

afterAll(async () => {
  for (const one of served) await one.close();
  rmSync(folder, { recursive: true, force: true });
});

async function answer(policy: string, search = ""): Promise<Answer> {
  const here = await serveFolder(folder, { isIsolated: true, policy });
  served.push(here);
  const page = await at().browser.newPage();
  await page.goto(here.url);
  const result = await page.evaluate(
    (program) =>
      new Promise<Answer>((resolve, reject) => {
        const worker = new Worker(program);
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = ({ message }) => reject(new Error(message));
      }),
    `program.js${search}`,
  );
  await page.close();
  return result;
}

test("scripts of the page's own alone: neither WebAssembly nor threads, which need it", async () => {
  const { simd, refusal, ready, warnings } = await answer("default-src 'self'");
  expect([simd, ready]).toEqual([false, 0]);
  expect(refusal).toMatch(/^WebAssembly may not be compiled here \(.+\); .* script-src 'wasm-unsafe-eval'$/);
  expect(warnings).toEqual([`The work is done by one thread, since ${refusal}.`]);
});

const forbidden =
  "Threads have been of less use than they could: a thread ended: a page's policy forbids it, and needs worker-src blob: or setThreadScripts.";

test("with 'wasm-unsafe-eval' SIMD; threads need worker-src blob:", async () => {
  expect(await answer("default-src 'self'; script-src 'self' 'wasm-unsafe-eval'")).toEqual({
    ...{ simd: true, refusal: undefined, ready: 0 },
    warnings: [forbidden],
    mapWarnings: [forbidden],
  });
});

const all = { simd: true, refusal: undefined, ready: 1, warnings: [], mapWarnings: [] };

test("with both all is there", async () => {
  const policy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:";
  expect(await answer(policy)).toEqual(all);
});

test("and so it is without blob: where the page serves the threads' scripts", async () => {
  expect(await answer("default-src 'self'; script-src 'self' 'wasm-unsafe-eval'", "?scripts")).toEqual(all);
});
