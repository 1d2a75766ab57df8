// @module-tag full
/** The view of sums in a browser: the race, the models, and that what it hands out does the same. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join, resolve } from "node:path";
import { loadDigits } from "@curvature/datasets/digits";
import { softmaxRegression } from "@curvature/objectives/sums";
import { checkGradient } from "@curvature/optim-core";
import { minimizeSum } from "@curvature/optim-sfo";
import type { Page } from "playwright-core";
import { afterAll, describe, expect, test } from "vitest";
import { contourSegments } from "../src/views/sum/contours.js";
import {
  levelEllipse,
  minimumOf,
  modelsIn,
  type Quadratic,
  sumOf,
  valueAt,
} from "../src/views/sum/models.js";
import { planarSum } from "../src/views/sum/planar.js";
import { planarNames } from "../src/views/sum/problem-request.js";
import { accessibilityFaults } from "./accessibility.js";
import { downloaded, gzipBytes, site, wholeView } from "./browser.js";
import { MANY, timeToStop, turnsDuring } from "./timing.js";

const at = site();
const root = resolve(import.meta.dirname, "../../..");
const folder = mkdtempSync(join(root, "node_modules", ".demo-sum-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const finished = (page: Page) => page.getByText(/^Done\. The least F was found by /).waitFor();

/** What of the command line's report is looked at. */
interface Report {
  readonly metrics: {
    readonly solvers: readonly {
      readonly solver: string;
      readonly curve: readonly { readonly passes: number; readonly value: number }[];
    }[];
  };
}

const keep = (written: Uint8Array[], bytes: Uint8Array): void => {
  written.push(bytes);
};

const numbersOf = (file: Buffer): number[] => file.toString().trim().split("\n").map(Number);

describe("the sums of two variables", () => {
  test.each(planarNames)("%s: gradients are those of the values", (name) => {
    const sum = planarSum(name, 12, 5);
    for (let i = 0; i < sum.count; i++) {
      const part = { dimension: 2, evaluate: (x: Float64Array, g?: Float64Array) => sum.evaluate(i, x, g) };
      const { isCorrect, message } = checkGradient(part, Float64Array.of(0.3, -0.8));
      expect(isCorrect, message).toBe(true);
    }
  });

  test("SFO's models are read from its checkpoints: they have the values and slopes that it was told", async () => {
    const sum = planarSum("valleys", 6, 1);
    const told = new Map<number, { value: number; gradient: number[]; x: number[] }>();
    const written: Uint8Array[] = [];
    await minimizeSum(
      {
        ...sum,
        evaluate(index, x, gradient = new Float64Array(2)) {
          const value = sum.evaluate(index, x, gradient);
          told.set(index, { value, gradient: [...gradient], x: [...x] });
          return value;
        },
      },
      {
        maxPasses: 8,
        finalize: false,
        checkpoint: { write: (bytes) => keep(written, bytes), everyIterations: 1 },
      },
    );
    const models = modelsIn(written[written.length - 1]);
    expect(models).toHaveLength(6);
    let isSame = 0;
    for (const [f, tx, ty, dx, dy] of models) {
      const answer = [...told.values()].find(({ x }) => x[0] === tx && x[1] === ty);
      if (answer === undefined) continue; // a step that was taken back
      expect([f, dx, dy]).toEqual([answer.value, ...answer.gradient]);
      isSame++;
    }
    expect(isSame).toBeGreaterThanOrEqual(4);
  });

  test("a sum of quadratics, its minimum and its level lines", () => {
    const models: Quadratic[] = [
      [2, 1, -1, 0.5, 0.25, 3, 1, 2],
      [-1, 0, 2, -1, 1, 1, -0.5, 4],
    ];
    const sum = sumOf(models);
    expect(valueAt(sum, 0.7, -0.2)).toBeCloseTo(
      valueAt(models[0], 0.7, -0.2) + valueAt(models[1], 0.7, -0.2),
      12,
    );
    const [x, y] = minimumOf(sum) ?? [Number.NaN, Number.NaN];
    const least = valueAt(sum, x, y);
    for (const [v, w] of [
      [1e-3, 0],
      [-1e-3, 0],
      [0, 1e-3],
      [0, -1e-3],
    ])
      expect(valueAt(sum, x + v, y + w)).toBeGreaterThan(least);
    const line = levelEllipse(sum, least + 2) ?? new Float64Array(0);
    expect(line.length).toBeGreaterThan(20);
    for (let k = 0; k < line.length; k += 2)
      expect(valueAt(sum, line[k], line[k + 1])).toBeCloseTo(least + 2, 9);
    expect(levelEllipse(sum, least - 1)).toBeUndefined();
    expect(minimumOf([0, 0, 0, 0, 0, 1, 0, -1])).toBeUndefined();
  });

  test("contours lie where the values cross the level", () => {
    const side = 21;
    const values = Array.from({ length: side * side }, (_, k) => (k % side) - 2 * Math.floor(k / side));
    const segments = contourSegments(values, side, 0.5, (column, row) => [column, row]);
    expect(segments.length).toBeGreaterThan(4 * 8);
    for (let k = 0; k < segments.length; k += 2)
      expect(segments[k] - 2 * segments[k + 1]).toBeCloseTo(0.5, 5);
  });
});

test("a race on the digits has the bits of Node's", async () => {
  at().sentFiles();
  const visit = await at().visit("#/sum?objective=softmax&maxPasses=3&count=10&solvers=sfo");
  const { page } = visit;
  await finished(page);
  const point = numbersOf(await downloaded(page, "Point (CSV)"));
  const { points: greys, labels } = await loadDigits();
  const points = { ...greys, data: greys.data.map((grey) => grey / 16) };
  const sum = softmaxRegression(points, labels, { classes: 10, count: 10 });
  const result = await minimizeSum(sum, { maxPasses: 3, measureEvery: 1 });
  expect(point).toEqual([...result.x]);
  await page.getByText(`Done. The least F was found by SFO: ${result.value}.`).waitFor();
  expect(gzipBytes(at().sentFiles())).toBeLessThan(wholeView);
  expect(visit.foreign).toEqual([]);
  expect(visit.errors).toEqual([]);
  await visit.close();
});

test("the page is free while solvers race and their models are drawn", async () => {
  const { page, close } = await at().visit("#/sum?run=false");
  const { turns } = await turnsDuring(page, async () => {
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await finished(page);
    // The film may have ended before they have; played again it has all models.
    await page.getByRole("button", { name: "Replay", exact: true }).click();
    await page.getByRole("heading", { name: /^After [2-9]\.\d passes$/ }).waitFor();
  });
  expect(turns).toBeGreaterThan(MANY);
  await close();
});

test("the code handed out finds the points handed out: TypeScript and the command line", async () => {
  const { page, close } = await at().visit(
    "#/sum?objective=lines&count=12&maxPasses=6&seed=3&model=adam&adam=0.05",
  );
  await finished(page);
  const adam = numbersOf(await downloaded(page, "Point (CSV)"));
  writeFileSync(join(folder, "lines.mjs"), await downloaded(page, "Problem (module)"));
  const curves = (await downloaded(page, "Curves (CSV)")).toString().trim().split("\n").slice(1);
  const [typescript, command] = await page.locator(".code pre").allInnerTexts();
  const svg = (await downloaded(page, "Picture (SVG)")).toString();
  expect(svg.match(/<polyline /g)?.length).toBeGreaterThan(100);
  expect((await downloaded(page, "Picture (PNG)")).subarray(1, 4).toString()).toBe("PNG");
  await page.getByRole("radio", { name: "SFO" }).check();
  const sfo = numbersOf(await downloaded(page, "Point (CSV)"));
  const [bySfo] = await page.locator(".code pre").allInnerTexts();
  await close();

  const printed = (name: string, code: string): number[] => {
    const told = code.replace("console.log(", "console.log(JSON.stringify([...x])); void (");
    writeFileSync(join(folder, name), stripTypeScriptTypes(told, { mode: "strip" }));
    return JSON.parse(spawnSync(process.execPath, [name], { cwd: folder, encoding: "utf8" }).stdout);
  };
  expect(printed("adam.mjs", typescript)).toEqual(adam);
  expect(printed("sfo.mjs", bySfo)).toEqual(sfo);

  const words = command.trim().split(" ");
  expect(words.slice(0, 3)).toEqual(["npx", "@curvature/cli", "fit"]);
  const ended = spawnSync(
    process.execPath,
    [join(root, "apps/cli/bin/curvature.js"), ...words.slice(2), "--report", "report.json", "--quiet"],
    { cwd: folder, encoding: "utf8" },
  );
  expect(ended.stderr).toBe("");
  const { metrics }: Report = JSON.parse(readFileSync(join(folder, "report.json"), "utf8"));
  const told = metrics.solvers.flatMap(({ solver, curve }) =>
    curve.map(({ passes, value }) => `${solver.split(":")[0]},${passes},${value}`),
  );
  expect(told.length).toBeGreaterThan(20);
  expect(curves.sort()).toEqual(told.sort());
});

test("stop takes effect and keeps the best points; a worker that breaks down can be started again", async () => {
  const { page, close } = await at().visit("#/sum?objective=mlp&maxPasses=200&solvers=sfo&run=false");
  const run = page.getByRole("button", { name: "Run", exact: true });
  await run.click();
  await page.getByText(/^Running: SFO minimising, pass [1-9]/).waitFor();
  await timeToStop(page);
  expect(numbersOf(await downloaded(page, "Point (CSV)"))).toHaveLength(1210);
  await page.route(/entry-.*\.js/, (route) => route.abort());
  await run.click();
  await page.getByText("SFO: The worker has broken down.").waitFor();
  await page.unroute(/entry-.*\.js/);
  await page.getByLabel("Sum", { exact: true }).selectOption("bowls");
  await page.getByRole("spinbutton", { name: "Effective passes" }).fill("4");
  await finished(page);
  await close();
});

test("a tab that is opened again shows what it showed; a hostile link does no harm", async () => {
  const visit = await at().visit("#/sum?objective=bowls&maxPasses=5");
  await finished(visit.page);
  const words = await visit.page.getByText(/^Done\./).textContent();
  await visit.page.reload();
  await finished(visit.page);
  expect(await visit.page.getByText(/^Done\./).textContent()).toBe(words);
  expect(visit.errors).toEqual([]);
  await visit.close();
  const other = await at().visit("#/sum?objective=<b>&count=1e9&solvers=sfo~x&adam=-1&maxPasses=0&run=false");
  await other.page.getByText("was ignored: objective, count, solvers, adam, maxPasses").waitFor();
  expect(other.errors).toEqual([]);
  await other.close();
});

test.each([
  ["light", "", { colorScheme: "light" }],
  ["dark", "&objective=softmax&count=5", { colorScheme: "dark" }],
  ["phone", "", { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true }],
] as const)("axe finds nothing: %s", async (_, query, options) => {
  const { page, close } = await at().visit(`#/sum?maxPasses=3${query}`, options);
  await finished(page);
  expect(await accessibilityFaults(page)).toEqual([]);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
  await close();
});

test("with reduced motion nothing runs by itself, and a run shows its end at once", async () => {
  const { page, close } = await at().visit("#/sum?maxPasses=6", { reducedMotion: "reduce" });
  await page.getByText("Press Run to start the solvers.").waitFor();
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await finished(page);
  await page.getByRole("heading", { name: "After 6.0 passes" }).waitFor();
  await close();
});
