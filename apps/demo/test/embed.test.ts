// @module-tag full
/** The Embed view in a browser: what it computes, and how it takes what visitors do. */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { rings, writeCsv } from "@curvature/datasets";
import { loadDigits } from "@curvature/datasets/digits";
import { embed } from "@curvature/optim-spectral";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import tables from "../../../packages/datasets/test/tables/arrow-files.json" with { type: "json" };
import { accessibilityFaults } from "./accessibility.js";
import { downloaded, site } from "./browser.js";
import { MANY, timeToStop, turnsDuring } from "./timing.js";

const at = site();

const penguins = readFileSync(
  new URL("../../../packages/optim-sgdqn/test/fixtures/linear/penguins.csv", import.meta.url),
);
const parquet = gunzipSync(Buffer.from(tables["parquet snappy"], "base64"));

/** Small enough to be done in a moment. */
const small = "#/embed?data=rings&points=150&panes=tsne.auto&perplexity=10";

const figures = (page: Page) => page.locator(".figures p.numbers");

/** Waits until every map is there, and gives what is said of them. */
async function finished(page: Page): Promise<string[]> {
  await page.waitForFunction(() => {
    const maps = [...document.querySelectorAll<HTMLElement>(".figures")];
    return maps.length > 0 && maps.every(({ dataset }) => dataset.status === "done");
  });
  return figures(page).allInnerTexts();
}

test("the digits' map has the bits of Node's, and the page is free meanwhile", async () => {
  const visit = await at().visit("#/embed?panes=tsne.auto&run=false");
  const { page } = visit;
  const run = await turnsDuring(page, async () => {
    await page.getByRole("button", { name: "Run", exact: true }).click();
    return finished(page);
  });
  const [words] = run.result;
  const csv = (await downloaded(page, "Coordinates (CSV)")).toString();

  const { points, labels } = await loadDigits();
  const result = await embed(points, { method: "tsne", solver: "auto", maxEvaluations: 100 });
  const expected = [...writeCsv(result.embedding, { columns: ["x", "y"], labels, labelsName: "digit" })].join(
    "",
  );
  expect(csv === expected).toBe(true);
  expect(words).toContain(`KL ${result.klDivergence?.toFixed(4)}`);
  expect(run.turns).toBeGreaterThan(MANY);
  expect(visit.foreign).toEqual([]);
  expect(visit.errors).toEqual([]);
  await visit.close();
});

test.each([
  ["between two iterations", "data=s-curve&points=3000&panes=ee.gd&maxEvaluations=100000", /^iteration \d+/],
  ["in the search for neighbours", "data=curves&points=8000&panes=tsne.gd", /^neighbours, [1-9]\d? % …/],
])("stop takes effect: %s", async (_, query, sign) => {
  const { page, close } = await at().visit(`#/embed?${query}&run=false`);
  await page.locator("button:enabled", { hasText: /^Run$/ }).click();
  await page.getByText(sign).waitFor();
  await timeToStop(page);
  await close();
});

test("what was there when it was stopped is kept", async () => {
  const { page, close } = await at().visit(
    "#/embed?data=s-curve&points=500&panes=ee.gd&maxEvaluations=100000&run=false",
  );
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByText(/^iteration \d+/).waitFor();
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await page.getByText(/^Stopped\. iteration \d+/).waitFor();
  const rows = (await downloaded(page, "Coordinates (CSV)")).toString().trim().split("\n");
  expect(rows).toHaveLength(501);
  await close();
});

test("a tab that is closed and opened again shows what it showed; a link shows it to others", async () => {
  const visit = await at().visit(small);
  const [words] = await finished(visit.page);
  await visit.page.getByLabel("Against", { exact: true }).selectOption("evaluations");
  await visit.page.close();

  const again = await visit.again();
  expect(await again.page.evaluate(() => window.location.hash)).toBe(
    "#/embed?data=rings&points=150&panes=tsne.auto&perplexity=10&axis=evaluations",
  );
  const link = again.page.url();
  expect(exceptSeconds(await finished(again.page))).toEqual(exceptSeconds([words]));
  await visit.close();

  const other = await at().visit(new URL(link).hash);
  expect(exceptSeconds(await finished(other.page))).toEqual(exceptSeconds([words]));
  await other.close();
});

const exceptSeconds = (words: readonly string[]): string[] =>
  words.map((text) => text.replace(/ · [\d.]+ s.*/, ""));

test("the gradient that is chosen makes the map, stands in the link, and is told where it cannot serve", async () => {
  const { page, close } = await at().visit(
    "#/embed?data=rings&points=600&panes=tsne.auto~ee.auto&maxEvaluations=20&run=false",
  );
  await page.getByText("More", { exact: true }).click();
  await page.getByLabel("Gradient of the repulsion").selectOption("fft");
  expect(await page.evaluate(() => window.location.hash)).toContain("&gradient=fft");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  const { points } = rings({ rings: 3, pointsPerRing: 200, noise: 0.05, seed: 0 });
  const { klDivergence = Number.NaN } = await embed(points, { gradient: "fft", maxEvaluations: 20 });
  await page.getByText(`KL ${klDivergence.toFixed(4)}`).waitFor();
  await page.getByText(/"exact" for the methods.*repulsion "distance"/).waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await close();
});

test("pictures and data can be taken away", async () => {
  const { page, close } = await at().visit(small);
  await finished(page);
  const svg = (await downloaded(page, "Picture (SVG)")).toString();
  expect(svg.match(/<circle/g)).toHaveLength(150 + 3); // points and legend
  const png = await downloaded(page, "Picture (PNG)");
  expect(png.subarray(1, 4).toString()).toBe("PNG");
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1740, 1520]);
  const data = (await downloaded(page, "Data (CSV)")).toString();
  expect(data.split("\n", 2)[0]).toBe("x1,x2,group");
  await close();
});

test("a hostile link does no harm and is told", async () => {
  const hash = `#/embed?data=<img src=x onerror=alert(1)>&points=1e9&panes=${"tsne.auto~".repeat(50)}&seed=-1&__proto__=1&run=false`;
  const visit = await at().visit(hash);
  await visit.page.getByText("was ignored: data, points, panes, seed, __proto__").waitFor();
  expect(await visit.page.evaluate(() => window.location.hash)).toBe("#/embed?run=false");
  await visit.page.goto(`${at().url}#/nowhere?x=%E0%A4%A`);
  await visit.page.getByRole("heading", { name: "Embed", level: 1 }).waitFor();
  expect(visit.errors).toEqual([]);
  await visit.close();
});

const groups = (rows: number): string =>
  Array.from(
    { length: rows },
    (_, i) => `${(i * 37) % 11},${(i * 53) % 7},${i % 2 === 0 ? "<b>a</b>" : "b"}`,
  ).join("\n");

const branches = [
  "Umsatz nach Filiale;;",
  ";;",
  "Filiale;Umsatz;Anteil",
  ...Array.from({ length: 12 }, (_, i) => `Köln ${i};${1 + (i % 4)}.${100 + 37 * i},50;0,0${1 + (i % 8)}`),
].join("\r\n");

test.each([
  ["penguins.csv", penguins, "333 rows, 6 columns", "labels: 3 words: Adelie 146", "Use 5 of 6 columns"],
  [
    "branches.csv",
    Buffer.from(branches, "latin1"),
    "12 rows, 3 columns",
    "Decimals are written with a comma.",
    "Use 2 of 3 columns",
  ],
  ["table.parquet", parquet, "5 rows, 20 columns", "dates: 2024-03-01", "Use 12 of 20 columns"],
])(
  "%s is read in the page as it is meant, before anything is computed",
  async (name, buffer, size, words, use) => {
    const { page, foreign, errors, close } = await at().visit("#/embed?run=false");
    await page.getByLabel(/^Or a file/).setInputFiles({ name, mimeType: "application/octet-stream", buffer });
    await page.getByText(size).waitFor();
    await page.getByText(words).first().waitFor();
    expect(await page.getByRole("button", { name: "Run", exact: true }).isEnabled()).toBe(false);
    await page.getByRole("button", { name: use }).click();
    await page.locator("button:enabled", { hasText: /^Run$/ }).waitFor();
    expect([...foreign, ...errors]).toEqual([]);
    await close();
  },
);

test("a file of one's own: read in the page, its names shown as text", async () => {
  const visit = await at().visit("#/embed?data=rings&points=30&panes=tsne.auto&run=false");
  const { page } = visit;
  const choose = (name: string, text: string) =>
    page.getByLabel(/^Or a file/).setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(text) });

  await choose("<i>mine</i>.csv", `one,<u>two</u>,kind\n${groups(40)}`);
  await page.getByText("labels: 2 words: <b>a</b> 20, b 20").waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  expect(await page.getByRole("button", { name: "Run", exact: true }).isEnabled()).toBe(false);
  await page.getByRole("button", { name: "Use 2 of 3 columns" }).press("Enter");
  await page.getByRole("button", { name: "<b>a</b>" }).waitFor();
  expect(await page.locator("b, i, u").count()).toBe(0);
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await finished(page);
  const again = await visit.again();
  await again.page.getByRole("button", { name: "<b>a</b>" }).waitFor(); // the browser has kept the file, the link that it was taken
  await again.page.close();

  await choose("gap.csv", "a,b\n1,2\n3,NaN\n5,6\n7,8\n");
  await page.getByLabel("Missing cells").selectOption("drop");
  await page.getByRole("button", { name: "Use this table" }).click();
  await page.getByText("1 of 4 rows").waitFor();
  await choose("thousands.csv", 'a,b\n"1,234",2\n"5,678",3\n"3,456",1\n');
  await page.getByRole("alert").getByText("Decimal mark").waitFor();
  await page.getByLabel("Mark of thousands").selectOption(",");
  await page.getByText("numbers, 1234 to 5678").waitFor();
  expect(await accessibilityFaults(page)).toEqual([]);
  await choose("few.csv", "a,b\n1,2\n3,4\n");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByText("Two points have no neighbourhoods to keep").waitFor();
  await choose("picture.png", "\u0089PNG\r\n\u001a\n\u0000\u0000");
  await page.locator(".notice-bad").waitFor();
  await choose("empty.csv", "");
  await page.getByText("empty.csv is empty.").waitFor();
  expect(visit.foreign).toEqual([]);
  expect(visit.errors).toEqual([]);
  await visit.close();
});

test("a worker that breaks down is reported, and can be started again", async () => {
  const { page, close } = await at().visit(`${small}&run=false`);
  await page.locator("button:enabled", { hasText: /^Run$/ }).waitFor();
  await page.route(/entry-.*\.js/, (route) => route.abort());
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByText("The worker has broken down.").waitFor();
  await page.unroute(/entry-.*\.js/);
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await finished(page);
  await close();
});

test("hover, lasso, legend and film, by pointer and by keys", async () => {
  const { page, close } = await at().visit(small);
  await finished(page);
  const plot = page.locator(".scatter-host").first();
  await plot.focus();
  await page.keyboard.press(".");
  await page.keyboard.press(".");
  await page.locator(".scatter-words").getByText("point 1", { exact: true }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Lasso" }).click();
  const box = await plot.boundingBox();
  if (box === null) throw new Error("The plot is not shown.");
  const corners = [
    [2, 2],
    [box.width - 2, 2],
    [box.width - 2, box.height - 2],
    [2, box.height - 2],
  ];
  await page.mouse.move(box.x + 2, box.y + 2);
  await page.mouse.down();
  for (const [x, y] of corners) await page.mouse.move(box.x + x, box.y + y, { steps: 4 });
  await page.mouse.up();
  await page.getByText("150 points chosen: 50 × 0, 50 × 1, 50 × 2").waitFor();
  await page.getByRole("button", { name: "Clear" }).click();

  const film = page.getByRole("slider", { name: "λ homotopy", exact: true });
  await film.focus();
  await page.keyboard.press("Home");
  expect(await film.getAttribute("aria-valuetext")).toMatch(/^λ = 0\.08\d*, iteration 1$/);
  await close();
});

test.each([
  ["light", { colorScheme: "light" }],
  ["dark", { colorScheme: "dark" }],
  ["phone", { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true }],
] as const)("axe finds nothing: %s", async (name, options) => {
  const { page, close } = await at().visit(small.replace("tsne.auto", "tsne.auto~tsne.sd~ee.sd"), options);
  await finished(page);
  expect(await accessibilityFaults(page)).toEqual([]);
  const tops = await page
    .locator(".scatter")
    .evaluateAll((maps) => maps.map((map) => map.getBoundingClientRect().y));
  // Side by side they begin at one height, whatever their headings are; one under the other on a phone.
  expect(new Set(tops).size).toBe(name === "phone" ? 3 : 1);
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
  await close();
});

test("with reduced motion nothing runs by itself", async () => {
  const { page, close } = await at().visit(small, { reducedMotion: "reduce" });
  await page.getByRole("button", { name: "Run", exact: true }).waitFor();
  await page.getByRole("button", { name: "Coordinates (CSV)" }).waitFor();
  expect(await figures(page).count()).toBe(0);
  await close();
});
