// @module-tag full
/** The Ordinal view in a browser: what it asks, what it computes, and how it takes what visitors do. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { join, resolve } from "node:path";
import { readComparisons } from "@curvature/datasets";
import { loadEurodist } from "@curvature/datasets/eurodist";
import { generalizationError, ordinalEmbedding, tripletsFromDistances } from "@curvature/optim-svrg";
import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { answersField } from "../src/views/ordinal/answers.js";
import { mapCsv } from "../src/views/ordinal/code.js";
import { ordinalCodec } from "../src/views/ordinal/options.js";
import { drawnSets } from "../src/views/ordinal/sets.js";
import { accessibilityFaults } from "./accessibility.js";
import { downloaded, site } from "./browser.js";
import { manyAnswers } from "./many-answers.js";
import { timeToStop } from "./timing.js";

const at = site();
const root = resolve(import.meta.dirname, "../../..");
const folder = mkdtempSync(join(root, "node_modules", ".demo-ordinal-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const question = (page: Page) => page.locator(".ordinal-choice:not([aria-disabled=true])").first();
const heldOut = (page: Page) => page.locator(".ordinal-error").textContent();
const done = (page: Page) => page.locator('[data-status="done"]').waitFor();
const names = drawnSets.colors.things.map(({ name }) => name);
const nameAt = (object: number): string => names[object];

/** Lets the rule answer, and waits for the map of all of it and the next question. */
async function answeredByRule(page: Page): Promise<void> {
  await question(page).waitFor();
  await page.getByRole("button", { name: "Answer 120 for me" }).click();
  await page.getByText("So far 120 answers: 120 by the rule.").waitFor();
  await done(page);
}

test("the map of the rule's answers has the bits of Node's, from the exported answers and from the code", async () => {
  const visit = await at().visit("#/ordinal");
  const { page } = visit;
  await answeredByRule(page);
  const csv = (await downloaded(page, "Map (CSV)")).toString();
  const answers = (await downloaded(page, "Answers (CSV)")).toString();
  const keptBack = (await downloaded(page, "Kept back (CSV)")).toString();
  const list = (await downloaded(page, "Names (TXT)")).toString();
  const words = await heldOut(page);
  const [typescript, command] = await page.locator(".code pre").allInnerTexts();
  const { hash } = new URL(page.url());
  expect(visit.foreign).toEqual([]);
  expect(visit.errors).toEqual([]);
  await visit.close();

  const { comparisons: train } = await readComparisons(answers, { known: 16 });
  const { comparisons: held } = await readComparisons(keptBack, { known: 16 });
  expect([train.quadruplets.length / 4, held.quadruplets.length / 4]).toEqual([96, 24]);
  const { embedding, testError = Number.NaN } = await ordinalEmbedding(train, { test: held, objects: 16 });
  expect(csv).toBe(mapCsv(embedding.data, nameAt));
  expect(words).toContain(`(${Math.round(24 * testError)} of 24)`);

  writeFileSync(join(folder, "colours-answers.csv"), answers);
  writeFileSync(join(folder, "colours-kept-back.csv"), keptBack);
  writeFileSync(join(folder, "colours-names.txt"), list);
  writeFileSync(
    join(folder, "map.mjs"),
    stripTypeScriptTypes(
      typescript.replace("console.log(", "console.log(JSON.stringify([...embedding.data])); void ("),
      { mode: "strip" },
    ),
  );
  const printed = execFileSync(process.execPath, [join(folder, "map.mjs")], {
    cwd: folder,
    encoding: "utf8",
  });
  expect(JSON.parse(printed)).toEqual([...embedding.data]);
  expect(command).toMatch(/^npx @curvature\/cli ordinal colours-answers\.csv /);
  const ended = spawnSync(
    process.execPath,
    [join(root, "apps/cli/bin/curvature.js"), ...command.trim().split(" ").slice(2), "--quiet"],
    { cwd: folder, encoding: "utf8" },
  );
  expect(ended.stderr).toBe("");
  const written = readFileSync(join(folder, "map.csv"), "utf8").trim().split("\n").slice(1);
  expect(written.map((line) => line.split(","))).toEqual(
    csv
      .trim()
      .split("\n")
      .slice(1)
      .map((line) => line.split(",")),
  );

  const other = await at().visit(hash);
  await done(other.page);
  expect(await heldOut(other.page)).toBe(words);
  await other.close();
});

test("arrow keys answer; the tab comes back with its answers and its question; answers can be taken back", async () => {
  const visit = await at().visit("#/ordinal");
  const { page } = visit;
  const chosen: string[] = [];
  for (const key of ["ArrowLeft", "ArrowRight", "ArrowRight", "ArrowLeft", "ArrowLeft", "ArrowRight"]) {
    await question(page).waitFor();
    const label = await page
      .locator(".ordinal-choice")
      .nth(key === "ArrowLeft" ? 0 : 1)
      .getAttribute("aria-label");
    chosen.push(label?.replace(/^(Left|Right): /, "") ?? "");
    await page.keyboard.press(key);
    await page.getByText(`So far ${chosen.length} answer`).waitFor();
  }
  await question(page).waitFor();
  await done(page);
  const { hash } = new URL(page.url());
  const answers = answersField.parse(new URLSearchParams(hash.split("?")[1]).get("answers") ?? "");
  expect(answers?.map(({ near }) => nameAt(near))).toEqual(chosen);
  expect(answers?.every(({ byRule }) => !byRule)).toBe(true);
  const asked = await page.locator(".ordinal-question [role=status]").textContent();
  expect(await heldOut(page)).toContain("of 1)");
  await page.close();

  const again = await visit.again();
  await question(again.page).waitFor();
  expect(await again.page.locator(".ordinal-question [role=status]").textContent()).toBe(asked);
  await again.page.getByRole("button", { name: "Undo" }).click();
  await again.page.getByText("So far 5 answers: 5 by you.").waitFor();
  await again.page.getByRole("button", { name: "Start over" }).click();
  await again.page.getByText("The map begins with the first answer.").waitFor();
  await again.page.getByRole("button", { name: "Bring them back" }).click();
  await again.page.getByText("So far 5 answers: 5 by you.").waitFor();
  await again.page.close();

  // Somebody else's link does not take one's own answers away.
  const linked = await visit.again("#/ordinal?answers=abc");
  await linked.page.getByRole("button", { name: "Show my 5 answers" }).click();
  await linked.page.getByText("So far 5 answers: 5 by you.").waitFor();
  expect([...visit.errors, ...again.errors, ...linked.errors]).toEqual([]);
  await visit.close();
});

test("the cities run at once, with Node's bits, and can be taken away", async () => {
  const { page, close } = await at().visit("#/ordinal?set=cities&count=500&seed=3");
  await done(page);
  const csv = (await downloaded(page, "Map (CSV)")).toString();
  const { distances, names: cities } = loadEurodist();
  const { train, test: held } = tripletsFromDistances(distances, { count: 400, test: 100, seed: 3 });
  const { embedding } = await ordinalEmbedding(train, { test: held, objects: 21, seed: 3 });
  expect(csv).toBe(mapCsv(embedding.data, (city) => cities[city]));
  expect(await heldOut(page)).toContain(`(${Math.round(100 * generalizationError(held, embedding))} of 100)`);
  const svg = (await downloaded(page, "Picture (SVG)")).toString();
  expect(svg.match(/<circle/g)).toHaveLength(21);
  expect(svg).toContain(">Stockholm</text>");
  const png = await downloaded(page, "Picture (PNG)");
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1600, 1736]);
  await close();
});

const choose = (page: Page, name: string, text: string) =>
  page.getByLabel(/^Comparisons/).setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(text) });

test("a file of one's own: names shown as text, faults named by line, kept for the next visit", async () => {
  const visit = await at().visit("#/ordinal?set=file");
  const { page } = visit;
  const lines = ["<b>Rome</b>,Milan,Paris", "Paris,Lyons,Oslo", "Milan,Lyons,Oslo", "Oslo,Paris,Milan"];
  await choose(page, "<i>mine</i>.csv", `i,j,k\n${[...lines, ...lines].join("\n")}\n`);
  await done(page);
  await page.locator(".ordinal-map text", { hasText: "<b>Rome</b>" }).waitFor();
  expect(await page.locator("b, i").count()).toBe(0);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Answers (CSV)" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("_i_mine_i_-answers.csv");
  await page
    .getByText("@curvature/cli ordinal _i_mine_i_-answers.csv --names _i_mine_i_-names.txt")
    .waitFor();
  const again = await visit.again();
  await done(again.page);
  await again.page.close();

  await choose(page, "same.csv", "i,j,k\n0,1,2\n0,1,1\n");
  await page
    .getByRole("alert")
    .getByText(/line 3/i)
    .waitFor();
  await choose(page, "nan.csv", "i,j,k\n0,1,NaN\n");
  await page
    .getByRole("alert")
    .getByText(/line 2/i)
    .waitFor();
  await choose(page, "points.csv", "a,b\n1,2\n");
  await page
    .getByRole("alert")
    .getByText(/column/i)
    .waitFor();
  expect(visit.foreign).toEqual([]);
  expect(visit.errors).toEqual([]);
  await visit.close();
});

test("stop takes effect, and the best map so far is kept", async () => {
  const { page, close } = await at().visit("#/ordinal?set=file&loss=tste");
  await choose(page, "many.csv", manyAnswers());
  await page.getByText(/^iteration \d+/).waitFor();
  await timeToStop(page);
  await page.locator(".scatter-host").waitFor();
  await close();
});

test("the rule can be stopped, and its answers so far count", async () => {
  const { page, close } = await at().visit("#/ordinal?set=shapes");
  await question(page).waitFor();
  // By the page itself, which the rule cannot outrun.
  const stopped = page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const watcher = new MutationObserver(() => {
          const { textContent } = document.body;
          if (textContent.includes("Stopped")) resolve();
          if (!/The rule answers: \d\d/.test(textContent)) return;
          for (const button of document.querySelectorAll("button"))
            if (button.textContent === "Stop") button.click();
        });
        watcher.observe(document.body, { subtree: true, childList: true, characterData: true });
      }),
  );
  await page.getByRole("button", { name: "Answer 120 for me" }).click();
  await stopped;
  const words = await page.getByText(/So far \d+ answers: \d+ by the rule\./).textContent();
  const count = Number(/So far (\d+)/.exec(words ?? "")?.[1]);
  expect(count).toBeGreaterThan(9);
  expect(count).toBeLessThan(120);
  const { hash } = new URL(page.url());
  expect(ordinalCodec.parse(hash.split("?")[1]).state.answers).toHaveLength(count);
  await question(page).waitFor();
  await close();
});

test("a worker that breaks down is reported, and can be started again", async () => {
  const { page, close } = await at().visit("#/ordinal");
  await question(page).waitFor();
  await page.route(/entry-.*\.js/, (route) => route.abort());
  await page.getByRole("button", { name: "Cities of Europe" }).click();
  await page.getByText("The worker has broken down.").waitFor();
  await page.unroute(/entry-.*\.js/);
  await page.getByRole("button", { name: "Try again" }).click();
  await done(page);
  await close();
});

const some = "gkmdfkigjecngiehcmleighleapcaomokibdfnblmjigmjgfjkc";

test.each([
  ["light", { colorScheme: "light" }],
  ["dark", { colorScheme: "dark" }],
  ["phone", { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true }],
] as const)("axe finds nothing: %s", async (_, options) => {
  const { page, close } = await at().visit(`#/ordinal?set=shapes&answers=${some}`, options);
  for (const set of ["shapes", "cities", "file"]) {
    if (set !== "shapes")
      await page.getByRole("button", { name: set === "file" ? "Your file" : "Cities" }).click();
    if (set !== "file") await done(page);
    expect(await accessibilityFaults(page)).toEqual([]);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
  }
  await close();
});
