/** Threads in a browser: sums over all pairs by workers of a page that is cross-origin isolated, with Node's bits. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PlanePairs, RandomGenerator } from "@curvature/linalg";
import { build } from "vite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Served, serveFolder } from "../../../scripts/serve.js";
import { site } from "./browser.js";

const at = site();
const points = 1500;

/** What the page's worker does; the package comes with it in one file. */
const program = `
import { PlanePairs, RandomGenerator } from "@curvature/linalg";
import { startThreads } from "@curvature/linalg/threads";

const threads = startThreads(3, ${points});
const from = performance.now();
(function whenReady() {
  if (threads.count > 1 && threads.ready < threads.count - 1 && performance.now() - from < 20_000)
    return setTimeout(whenReady, 5);
  const random = new RandomGenerator(7);
  const [x, y] = [0, 1].map(() => Float64Array.from({ length: ${points} }, () => random.uniform()));
  const [fx, fy] = [new Float64Array(${points}), new Float64Array(${points})];
  const sum = new PlanePairs("student", ${points}).forces(x, y, fx, fy);
  const { count, ready, warnings } = threads;
  threads.close();
  self.postMessage({ count, ready, warnings: [...warnings], numbers: [sum, ...fx, ...fy] });
})();
`;

interface Answer {
  readonly count: number;
  readonly ready: number;
  readonly warnings: readonly string[];
  readonly numbers: readonly number[];
}

let folder = "";
const served: Served[] = [];

beforeAll(async () => {
  // within the package, whose dependencies the program imports
  folder = mkdtempSync(join(tmpdir(), "curvature-threads-"));
  await build({
    root: join(import.meta.dirname, ".."),
    configFile: false,
    logLevel: "error",
    plugins: [
      {
        name: "program",
        resolveId: (id) => (id === "program" ? join(import.meta.dirname, "program.js") : undefined),
        load: (id) => (id.endsWith("/test/program.js") ? program : undefined),
      },
    ],
    build: {
      outDir: folder,
      rollupOptions: { input: "program", output: { entryFileNames: "program.js" } },
    },
  });
  writeFileSync(join(folder, "index.html"), "<!doctype html><title>Threads</title>");
}, 60_000);

afterAll(async () => {
  for (const one of served) await one.close();
  rmSync(folder, { recursive: true, force: true });
});

async function answer(isIsolated: boolean): Promise<Answer> {
  const here = await serveFolder(folder, { isIsolated });
  served.push(here);
  const page = await at().browser.newPage();
  await page.goto(here.url);
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(isIsolated);
  const result = await page.evaluate(
    () =>
      new Promise<Answer>((resolve, reject) => {
        const worker = new Worker("program.js", { type: "module" });
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = ({ message }) => reject(new Error(message));
      }),
  );
  await page.close();
  return result;
}

function expected(): number[] {
  const random = new RandomGenerator(7);
  const [x, y] = [0, 1].map(() => Float64Array.from({ length: points }, () => random.uniform()));
  const [fx, fy] = [new Float64Array(points), new Float64Array(points)];
  const sum = new PlanePairs("student", points).forces(x, y, fx, fy);
  return [sum, ...fx, ...fy];
}

test("an isolated page's worker has threads, and they give Node's bits", async () => {
  const { count, ready, warnings, numbers } = await answer(true);
  expect({ count, ready, warnings }).toEqual({ count: 3, ready: 2, warnings: [] });
  expect(numbers).toEqual(expected());
});

test("a page that is not isolated has one thread, says why, and gives the same bits", async () => {
  const { count, warnings, numbers } = await answer(false);
  expect(count).toBe(1);
  expect(warnings).toEqual([expect.stringContaining("not cross-origin isolated")]);
  expect(numbers).toEqual(expected());
});
