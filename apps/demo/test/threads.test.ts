// @module-tag full
/** Threads in a browser: sums over all pairs, principal components, and maps, by workers of a page that is cross-origin isolated, with Node's bits. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DenseMatrix, PlanePairs, principalComponents, RandomGenerator } from "@curvature/linalg";
import { embed } from "@curvature/optim-spectral";
import { build } from "vite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Served, serveFolder } from "../../../scripts/serve.js";
import { site } from "./browser.js";

const at = site();
const points = 1500;

/** Of a map of so many points; 2,000 are the fewest that threads search for neighbours among. */
const many = 2000;
const options = { gradient: "fft", perplexity: 5, maxEvaluations: 5 } as const;

/** Of points that are worth threads for their principal components. */
const wide = { rows: 2700, columns: 2801 };
const count = 4;

/** What the page's worker does; the package comes with it in one file. */
const program = `
import { PlanePairs, principalComponents, RandomGenerator } from "@curvature/linalg";
import { principalThreads, startThreads } from "@curvature/linalg/threads";
import { embed } from "@curvature/optim-spectral";

const threads = startThreads(3, ${points});
const from = performance.now();
(async function whenReady() {
  if (threads.count > 1 && threads.ready < threads.count - 1 && performance.now() - from < 20_000)
    return setTimeout(whenReady, 5);
  const random = new RandomGenerator(7);
  const [x, y] = [0, 1].map(() => Float64Array.from({ length: ${points} }, () => random.uniform()));
  const [fx, fy] = [new Float64Array(${points}), new Float64Array(${points})];
  const sum = new PlanePairs("student", ${points}).forces(x, y, fx, fy);
  const { count, ready, warnings } = threads;
  threads.close();
  const data = Float64Array.from({ length: ${4 * many} }, () => random.uniform());
  const result = await embed({ rows: ${many}, columns: 4, data }, { ...${JSON.stringify(options)}, threads: 3 });
  const shape = ${JSON.stringify(wide)};
  const wide = { ...shape, data: Float64Array.from({ length: shape.rows * shape.columns }, () => random.uniform()) };
  const others = principalThreads(3);
  const { scores, variances } = principalComponents(wide, { count: ${count}, threads: others });
  self.postMessage({
    componentThreads: others.started,
    componentWarnings: [...others.warnings],
    components: [...variances, ...scores.data],
    count,
    ready,
    warnings: [...warnings],
    numbers: [sum, ...fx, ...fy],
    mapThreads: result.options.threads,
    mapWarnings: result.warnings.map(({ message }) => message),
    map: [...result.embedding.data],
  });
})();
`;

interface Answer {
  readonly count: number;
  readonly ready: number;
  readonly warnings: readonly string[];
  readonly numbers: readonly number[];
  readonly mapThreads: number;
  readonly mapWarnings: readonly string[];
  readonly map: readonly number[];
  readonly componentThreads: number;
  readonly componentWarnings: readonly string[];
  readonly components: readonly number[];
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
      modulePreload: false, // as Vite has it for workers, which have no document
      rollupOptions: { input: "program", output: { entryFileNames: "program.js" } },
    },
  });
  writeFileSync(join(folder, "index.html"), "<!doctype html><title>Threads</title>");
});

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

type Expected = Pick<Answer, "numbers" | "map" | "components">;

async function expected(): Promise<Expected> {
  const random = new RandomGenerator(7);
  const [x, y] = [0, 1].map(() => Float64Array.from({ length: points }, () => random.uniform()));
  const [fx, fy] = [new Float64Array(points), new Float64Array(points)];
  const sum = new PlanePairs("student", points).forces(x, y, fx, fy);
  const data = Float64Array.from({ length: 4 * many }, () => random.uniform());
  const Y: DenseMatrix = { rows: many, columns: 4, data };
  const { embedding } = await embed(Y, options);
  const entries = Float64Array.from({ length: wide.rows * wide.columns }, () => random.uniform());
  const { scores, variances } = principalComponents({ ...wide, data: entries }, { count });
  return {
    numbers: [sum, ...fx, ...fy],
    map: [...embedding.data],
    components: [...variances, ...scores.data],
  };
}

test("an isolated page's worker has threads, and they give Node's bits", async () => {
  const { numbers, map, components, ...how } = await answer(true);
  expect(how).toEqual({
    ...{ count: 3, ready: 2, warnings: [] },
    ...{ mapThreads: 3, mapWarnings: [] },
    ...{ componentThreads: 3, componentWarnings: [] },
  });
  expect({ numbers, map, components }).toEqual(await expected());
});

test("a page that is not isolated has one thread, says why, and gives the same bits", async () => {
  const { numbers, map, components, ...how } = await answer(false);
  expect([how.count, how.mapThreads, how.componentThreads]).toEqual([1, 1, 1]);
  expect(how.warnings).toEqual([expect.stringContaining("not cross-origin isolated")]);
  expect([how.mapWarnings, how.componentWarnings]).toEqual([how.warnings, how.warnings]);
  expect({ numbers, map, components }).toEqual(await expected());
});
