/** Content security policies in a browser: what they refuse is told with the directive that allows it. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Served, serveFolder } from "../../../scripts/serve.js";
import { bundle } from "../../../test/bundle.js";
import { site } from "./browser.js";

const at = site();

/** What the page's worker does. */
const program = `
import { enableSimd, simdRefusal } from "@curvature/linalg/simd";
import { startThreads } from "@curvature/linalg/threads";

const simd = enableSimd();
const threads = startThreads(2, 1500);
const from = performance.now();
(function whenKnown() {
  const { ready, warnings } = threads;
  if (ready === 0 && warnings.length === 0 && performance.now() - from < 20_000) return setTimeout(whenKnown, 5);
  self.postMessage({ simd, refusal: simdRefusal(), ready, warnings: [...warnings] });
})();
`;

interface Answer {
  readonly simd: boolean;
  readonly refusal: string | undefined;
  readonly ready: number;
  readonly warnings: readonly string[];
}

let folder = "";
const served: Served[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "curvature-policy-"));
  const { text } = await bundle(program, join(import.meta.dirname, ".."), { format: "iife" });
  writeFileSync(join(folder, "program.js"), text);
  writeFileSync(join(folder, "index.html"), "<!doctype html><title>Policies</title>");
}, 60_000);

afterAll(async () => {
  for (const one of served) await one.close();
  rmSync(folder, { recursive: true, force: true });
});

async function answer(policy: string): Promise<Answer> {
  const here = await serveFolder(folder, { isIsolated: true, policy });
  served.push(here);
  const page = await at().browser.newPage();
  await page.goto(here.url);
  const result = await page.evaluate(
    () =>
      new Promise<Answer>((resolve, reject) => {
        const worker = new Worker("program.js");
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = ({ message }) => reject(new Error(message));
      }),
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

test("with 'wasm-unsafe-eval' SIMD; threads need worker-src blob:", async () => {
  expect(await answer("default-src 'self'; script-src 'self' 'wasm-unsafe-eval'")).toEqual({
    ...{ simd: true, refusal: undefined, ready: 0 },
    warnings: [
      "Threads have been of less use than they could: a thread ended: a page's policy forbids it, and needs worker-src blob:.",
    ],
  });
});

test("with both all is there", async () => {
  const policy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:";
  expect(await answer(policy)).toEqual({ simd: true, refusal: undefined, ready: 1, warnings: [] });
});
