// @module-tag full
/** The Disentangle view in a browser: what it computes, and how it takes what visitors do. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join, resolve } from "node:path";
import { twoRings, writeCsv, writeNpy } from "@curvature/datasets";
import { loadDigits } from "@curvature/datasets/digits";
import { nomad } from "@curvature/optim-sdp";
import type { Page } from "playwright-core";
import { afterAll, describe, expect, test } from "vitest";
import { toScreen } from "../src/plot/camera.js";
import { cameraOf, edgeOf } from "../src/views/disentangle/board-painter.js";
import { commandOf, typescriptOf } from "../src/views/disentangle/code.js";
import {
  type DisentangleState,
  dataNames,
  disentangleCodec,
  optionsOf,
  type PlainNomadOptions,
} from "../src/views/disentangle/options.js";
import { pointsOf } from "../src/views/disentangle/points.js";
import { accessibilityFaults } from "./accessibility.js";
import { downloaded, gzipBytes, site, wholeView } from "./browser.js";
import { MANY, timeToStop, turnsDuring } from "./timing.js";

function state(query: string): DisentangleState {
  const { state: read, ignored } = disentangleCodec.parse(query);
  expect(ignored).toEqual([]);
  return read;
}

/** Options of `nomad`, whose K nobody chooses. */
const ofMatrix = ({ clusters, ...rest }: PlainNomadOptions) => ({
  ...rest,
  clusters: clusters === "auto" ? undefined : clusters,
});

/** Three groups of nine points, as the address holds them. */
const threeGroups = [0, 1, 2]
  .flatMap((c) =>
    Array.from(
      { length: 9 },
      (_, i) => `${[0, 1, 0.5][c] + 0.05 * (i % 3)}_${[0, 0, 0.9][c] + 0.05 * Math.floor(i / 3)}`,
    ),
  )
  .join("~");

describe("the code that is handed out", () => {
  const root = resolve(import.meta.dirname, "../../..");
  const folder = mkdtempSync(join(root, "node_modules", ".demo-disentangle-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each(Object.keys(dataNames))("TypeScript for %s finds the view's Q", async (data) => {
    const chosen = state(
      `data=${data}&points=24&noise=0.1&seed=3&clusters=4&digit=2&drawn=0_0~1_0.5~0.25_-1~2_2~2_1.5~1_1.25&tolerance=0.01`,
    );
    const { points, labels } = await loadDigits();
    const digits = {
      name: "digits",
      points,
      columns: [],
      labels: Array.from(labels, String),
      labelName: "digit",
      image: undefined,
      notes: [],
      ofFile: undefined,
      takenFrom: undefined,
    };
    const set = pointsOf(chosen, digits);
    if (set === undefined) throw new Error("There are points.");
    const options = optionsOf(chosen, set.dataset.points.rows);
    const file = join(folder, `${data}.mjs`);
    const code = typescriptOf(chosen, options).replace(
      "console.log(",
      "console.log(JSON.stringify([...Q.data])); void (",
    );
    writeFileSync(file, stripTypeScriptTypes(code, { mode: "strip" }));
    const printed = execFileSync(process.execPath, [file], { cwd: folder, encoding: "utf8" });
    const expected = await nomad(set.dataset.points, ofMatrix(options));
    expect(JSON.parse(printed)).toEqual([...(expected.Q?.data ?? [])]);
  });

  test("the command line, with the points as exported, writes the view's Q and clusters", async () => {
    const chosen = state("points=40&clusters=8&layering=halves&tolerance=0.01&seed=2");
    const set = pointsOf(chosen, undefined);
    if (set === undefined) throw new Error("There are points.");
    const { points, columns, labels = [], labelName = "" } = set.dataset;
    const csv = [...writeCsv(points, { columns, labels, labelsName: labelName })].join("");
    writeFileSync(join(folder, "two-rings.csv"), csv);
    const options = optionsOf(chosen, points.rows);
    const command = commandOf(set.dataset.name, labelName, options, chosen.target);
    expect(command).toBe(
      "npx @curvature/cli disentangle two-rings.csv --layers 8,4,2 --tolerance 0.01 --seed 2 --labels ring --assignments clusters.csv --out q.npy --plot q.svg",
    );
    const words = [...command.split(" ").slice(2), "--quiet"];
    const cli = join(root, "apps/cli/bin/curvature.js");
    expect(spawnSync(process.execPath, [cli, ...words], { cwd: folder }).status).toBe(0);
    const result = await nomad(points, ofMatrix(options));
    const Q = result.Q ?? [];
    expect(readFileSync(join(folder, "q.npy")).equals(writeNpy(Q))).toBe(true);
    const rows = readFileSync(join(folder, "clusters.csv"), "utf8").trim().split("\n").slice(1);
    expect(rows.map((row) => Number(row.split(",")[0]))).toEqual([...result.labels]);
  });
});

describe("in a browser", () => {
  const at = site();
  /** Small enough to be done in a moment. */
  const small = "#/disentangle?points=60&clusters=8&tolerance=0.01";

  const finished = async (page: Page): Promise<string> => {
    const words = page.locator('[data-status="done"]');
    await words.waitFor();
    return (await words.textContent()) ?? "";
  };
  const exceptSeconds = (words: string): string => words.replace(/in [\d.]+ s/, "");

  test("Q has the bits of Node's; clusters, pictures and points can be taken away", async () => {
    at().sentFiles();
    const visit = await at().visit("#/disentangle?points=100");
    const { page } = visit;
    await finished(page);
    expect(gzipBytes(at().sentFiles())).toBeLessThan(wholeView);
    const npy = await downloaded(page, "Q (NPY)");
    const { points, labels } = twoRings({ pointsPerRing: 50, noise: 0.02, seed: 0 });
    const result = await nomad(points, { clusters: 16 });
    expect(npy.equals(writeNpy(result.Q ?? []))).toBe(true);
    await page.getByText(`Certified gap ${Number((100 * result.gap).toPrecision(2))} %`).waitFor();
    const clusters = (await downloaded(page, "Clusters (CSV)")).toString().trim().split("\n");
    expect(clusters[0]).toBe("cluster,membership,component");
    expect(clusters.slice(1).map((row) => Number(row.split(",")[0]))).toEqual([...result.labels]);
    expect((await downloaded(page, "Points (CSV)")).toString()).toBe(
      [
        ...writeCsv(points, { columns: ["x", "y"], labels: Array.from(labels, String), labelsName: "ring" }),
      ].join(""),
    );
    const png = await downloaded(page, "Q (PNG)");
    expect([png.subarray(1, 4).toString(), png.readUInt32BE(16)]).toEqual(["PNG", 1200]);
    expect((await downloaded(page, "Embedding (SVG)")).toString().match(/<circle/g)).toHaveLength(100 + 2);
    expect(visit.foreign).toEqual([]);
    expect(visit.errors).toEqual([]);
    await visit.close();
  });

  test("the page is free while Q is found and drawn, for as many points as may be", async () => {
    const { page, close } = await at().visit("#/disentangle?points=400&clusters=12&tolerance=0.02&run=false");
    const { turns } = await turnsDuring(page, async () => {
      await page.locator("button:enabled", { hasText: /^Run$/ }).click();
      await finished(page);
      await page.getByRole("img", { name: /^Q as a heat map of 400/ }).hover();
      await page.getByText(/^Q of points \d+ and \d+: /).waitFor();
    });
    expect(turns).toBeGreaterThan(MANY);
    await close();
  });

  test("layers: each is shown, and the last ones are blocks", async () => {
    const { page, errors, close } = await at().visit(`${small}&layering=halves`);
    await finished(page);
    const layers = page.getByRole("group", { name: "Layers" }).getByRole("button");
    expect(await layers.allInnerTexts()).toEqual(
      ["K 8", "K 4", "K 2"].map((K) => expect.stringMatching(`^${K}: `)),
    );
    await layers.first().click();
    await page.getByRole("heading", { name: "The bounds of Q, layer with K = 8" }).waitFor();
    await page.getByRole("slider", { name: "The run, step by step" }).press("End");
    await page.getByRole("heading", { name: "The bounds of Q, layer with K = 2" }).waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  test("stop takes effect, and the best Q so far is kept", async () => {
    const { page, close } = await at().visit(
      "#/disentangle?points=400&clusters=48&tolerance=0.00001&solver=admm&run=false",
    );
    await page.locator("button:enabled", { hasText: /^Run$/ }).click();
    await page.getByText(/iteration \d+ · /).waitFor();
    await timeToStop(page);
    const npy = await downloaded(page, "Q (NPY)");
    expect(npy.length).toBeGreaterThan(8 * 400 * 400);
    await close();
  });

  test("a tab that is closed and opened again shows what it showed; a link shows it to others", async () => {
    const visit = await at().visit(small);
    const words = await finished(visit.page);
    await visit.page.getByRole("slider", { name: "K, clusters" }).press("ArrowRight");
    await visit.page.waitForFunction(() => window.location.hash.includes("clusters=9"));
    await visit.page.getByRole("slider", { name: "K, clusters" }).press("ArrowLeft");
    await visit.page.waitForFunction(() => window.location.hash.includes("clusters=8"));
    await visit.page.close();
    const again = await visit.again();
    expect(exceptSeconds(await finished(again.page))).toBe(exceptSeconds(words));
    expect(new URL(again.page.url()).hash).toBe(small);
    await visit.close();
  });

  test("points are drawn and erased by pointer and by keys", async () => {
    const { page, errors, close } = await at().visit("#/disentangle?data=drawn&layering=auto");
    await page.getByText("There are no points yet.").waitFor();
    const board = page.getByRole("application");
    const count = page.getByRole("heading", { name: "Points", level: 2 }).locator("xpath=..").locator("span");
    await board.focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    expect(await count.textContent()).toBe("2");
    expect(await page.evaluate(() => window.location.hash)).toContain("drawn=0.1_0%7E0.1_0.1");
    await page.keyboard.press("Delete");
    await page.waitForFunction(() => !window.location.hash.includes("%7E"));
    await page.getByRole("button", { name: "Draw", exact: true }).click();
    const corner = async (): Promise<{ readonly x: number; readonly y: number }> => {
      const box = await board.boundingBox();
      if (box === null) throw new Error("The board is not shown.");
      return box;
    };
    const box = await corner();
    await page.mouse.move(box.x + 20, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + 180, box.y + 20, { steps: 40 });
    await page.mouse.up();
    await finished(page);
    const drawn = Number(await count.textContent());
    expect(drawn).toBeGreaterThan(10);
    await page.getByRole("button", { name: "Erase", exact: true }).click();
    const now = await corner();
    await page.mouse.click(now.x + 20, now.y + 20);
    await page.waitForFunction(
      (before) => Number(document.querySelector(".disentangle-panes h2 + span")?.textContent) < before,
      drawn,
    );
    await page.getByRole("button", { name: "Clear", exact: true }).click();
    await page.getByText("There are no points yet.").waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  test("the number of groups is chosen, with every K that was tried", async () => {
    const { page, errors, close } = await at().visit(
      `#/disentangle?data=drawn&target=labels&counting=chosen&drawn=${threeGroups}`,
    );
    await finished(page);
    const panel = page.locator(".panel", {
      has: page.getByRole("heading", { name: "The number of groups" }),
    });
    await panel.getByText("3 groups").waitFor();
    expect(await panel.locator(".choice-table tbody tr").count()).toBe(10);
    expect(await panel.locator("tr[aria-current]").textContent()).toMatch(/^3/);
    expect(await page.getByText("-k auto").or(page.getByText("--clusters auto")).count()).toBeGreaterThan(0);
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(errors).toEqual([]);
    await close();
  });

  test("labels have a bound of their own, which a point far away does not spoil", async () => {
    const drawn = [0, 1, 2].flatMap((c) =>
      Array.from({ length: 10 }, (_, i) => `${[0, 1, 0.5][c]}_${[0, 0, 0.9][c] + 0.01 * ((i * 7) % 10)}`),
    );
    const { page, errors, close } = await at().visit(
      `#/disentangle?data=drawn&target=labels&clusters=4&drawn=${[...drawn, "1.1_1.1"].join("~")}`,
    );
    const panel = page.locator(".panel", {
      has: page.getByRole("heading", { name: "The bound of the labels" }),
    });
    await finished(page);
    await panel.getByText("No clustering into 4 groups costs less than").waitFor();
    await page.getByRole("button", { name: "Move", exact: true }).click();
    const box = await page.getByRole("application").boundingBox();
    if (box === null) throw new Error("The board is not shown.");
    const size = { width: box.width, height: box.height };
    const at0 = (x: number, y: number): [number, number] => {
      const [dx, dy] = toScreen(cameraOf(edgeOf([1.1]), size), size, x, y);
      return [box.x + dx, box.y + dy];
    };
    await page.mouse.move(...at0(1.1, 1.1));
    await page.mouse.down();
    await page.mouse.move(...at0(3.5, 1.1), { steps: 5 });
    await page.mouse.up();
    await page.waitForFunction(() => /_3\.|~3\.|%7E3\./.test(window.location.hash));
    await finished(page);
    const words = (await panel.textContent()) ?? "";
    const [, lower = "", cost = ""] =
      /costs less than ([\d.e-]+); this one costs ([\d.e-]+\d)/.exec(words) ?? [];
    expect(words.includes("it is proved best") || Number(lower) > 0.99 * Number(cost)).toBe(true);
    expect(errors).toEqual([]);
    await close();
  });

  test("a point is moved far away by keys, and the number of groups counts it; Escape leaves it where it was", async () => {
    // the cursor begins at 0, where the first point is
    const { page, errors, close } = await at().visit(
      `#/disentangle?data=drawn&target=labels&counting=chosen&drawn=${threeGroups}`,
    );
    await finished(page);
    const panel = (name: string) =>
      page.locator(".panel", { has: page.getByRole("heading", { name, exact: true }) });
    await panel("The number of groups").getByText("3 groups").waitFor();
    await page.getByRole("button", { name: "Move", exact: true }).click();
    const board = page.getByRole("application");
    const words = page.locator(".board-words");
    const place = () => page.evaluate(() => /drawn=([^~&]*)/.exec(decodeURIComponent(location.hash))?.[1]);
    await board.focus();
    const move = async (end: "Enter" | "Escape"): Promise<void> => {
      await board.press("Enter");
      await words.getByText("Enter puts it down").waitFor();
      for (let k = 0; k < 12; k++) await board.press("ArrowDown");
      await board.press(end);
    };
    await move("Escape");
    expect(await place()).toBe("0_0");
    for (let k = 0; k < 12; k++) await board.press("ArrowUp");
    await move("Enter");
    await page.waitForFunction(() => /drawn=0_-/.test(decodeURIComponent(location.hash)));
    await panel("The number of groups").getByText("4 groups").waitFor();
    await finished(page);
    await panel("The bound of the labels").getByText("it is proved best").waitFor();
    expect(await panel("The bounds of Q").getByText("Certified gap").count()).toBe(1);
    await page.getByText("Row 0 (counted from 0) is so far from the rest").waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  test("a hostile link does no harm, and a worker that breaks down can be started again", async () => {
    const visit = await at().visit(
      `#/disentangle?data=<b>&points=1e9&drawn=${"1_1~".repeat(1000)}&layers=2~16&clusters=8&points=60&run=false`,
    );
    const { page } = visit;
    await page.getByText("was ignored: data, points, drawn, layers").waitFor();
    await page.route(/entry-.*\.js/, (route) => route.abort());
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByText("The worker has broken down.").waitFor();
    await page.unroute(/entry-.*\.js/);
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await finished(page);
    await visit.close();
  });

  test.each([
    ["light", { colorScheme: "light" }],
    ["dark", { colorScheme: "dark" }],
    ["phone", { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true }],
  ] as const)("axe finds nothing: %s", async (_, options) => {
    const { page, close } = await at().visit(`${small}&layering=halves`, options);
    await finished(page);
    expect(await accessibilityFaults(page)).toEqual([]);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
    await close();
  });

  test("with reduced motion nothing runs by itself", async () => {
    const { page, close } = await at().visit(small, { reducedMotion: "reduce" });
    await page.locator("button:enabled", { hasText: /^Run$/ }).waitFor();
    expect(await page.locator("[data-status]").count()).toBe(0);
    await close();
  });
});
