/** The pages of the papers: what they quote, and that their formulas are drawn under the site's policy. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { views } from "../src/views/index.js";
import { paperIds } from "../src/views/papers/paper.js";
import { papers } from "../src/views/papers/papers.js";
import { accessibilityFaults } from "./accessibility.js";
import { gzipBytes, site, wholeView } from "./browser.js";

const root = resolve(import.meta.dirname, "../../..");

describe("what is quoted", () => {
  const tables = paperIds.flatMap((id) => papers[id].measured);

  test.each(tables)("$caption: stands in its source", ({ head, rows, source }) => {
    const lines = readFileSync(join(root, source), "utf8")
      .split("\n")
      .map((line) => line.split("|").map((cell) => cell.trim()));
    const isQuoted = (cells: readonly string[], quoted: string): boolean =>
      cells.some((cell) => cell === quoted || cell.startsWith(`${quoted} (`));
    for (const row of rows) {
      expect(row).toHaveLength(head.length);
      const quoted = row.filter((cell) => cell !== "");
      expect(
        lines.some((cells) => quoted.every((cell) => isQuoted(cells, cell))),
        row.join(" | "),
      ).toBe(true);
    }
  });

  test("every paper leads to a view and a package that are there", () => {
    for (const id of paperIds) {
      expect(views.map((view) => view.id)).toContain(papers[id].view);
      expect(readFileSync(join(root, "packages", papers[id].package, "README.md"), "utf8")).toContain("#");
    }
  });
});

describe("in a browser", { tags: ["full"] }, () => {
  const at = site();

  test("all formulas are drawn, by the site's own fonts, within the budget", async () => {
    at().sentFiles();
    const visit = await at().visit("#/papers");
    const { page } = visit;
    for (const id of paperIds) {
      await page.getByRole("link", { name: new RegExp(`^${papers[id].short}`) }).click();
      await page.locator(`[data-paper="${id}"]`).waitFor();
      expect(await page.locator(".formula .katex-html").count()).toBe(papers[id].formulas.length);
      expect(await page.locator("table").count()).toBe(papers[id].measured.length);
    }
    expect(new URL(page.url()).hash).toBe("#/papers?paper=sfo");
    await page.evaluate(async () => {
      await document.fonts.ready;
    });
    const files = at().sentFiles();
    expect(files.some((file) => file.includes("KaTeX_Main"))).toBe(true);
    expect(gzipBytes(files)).toBeLessThan(wholeView);
    expect(visit.foreign).toEqual([]);
    expect(visit.errors).toEqual([]);
    await visit.close();
  });

  test.each([
    ["light", { colorScheme: "light" }],
    ["dark", { colorScheme: "dark" }],
    ["phone", { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true }],
  ] as const)("axe finds nothing: %s", async (_, options) => {
    const { page, close } = await at().visit("#/papers?paper=sgdqn", options);
    await page.locator("[data-paper]").waitFor();
    expect(await accessibilityFaults(page)).toEqual([]);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
    await close();
  });
});
