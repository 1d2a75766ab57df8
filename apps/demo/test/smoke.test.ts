/** Each view computes what it opens with, asks nobody else for anything, and has no error; the views' own tests are in full. */
import { expect, test } from "vitest";
import { site } from "./browser.js";

const at = site();

test.each([
  ["embed", "#/embed?data=rings&points=150&panes=tsne.auto&perplexity=10", '.figures[data-status="done"]'],
  ["disentangle", "#/disentangle?points=60&clusters=8&tolerance=0.01", '[data-status="done"]'],
  ["ordinal", "#/ordinal", ".ordinal-choice:not([aria-disabled=true])"],
  ["classify", "#/classify?maxPasses=4", "text=/^Done\\. The least cost/"],
  ["sum", "#/sum?maxPasses=4&solvers=sfo", "text=/^Done\\. The least F/"],
  ["papers", "#/papers?paper=sgdqn", ".formula .katex-html"],
])("%s", async (_, hash, sign) => {
  const { page, foreign, errors, close } = await at().visit(hash);
  await page.locator(sign).first().waitFor();
  expect([...foreign, ...errors]).toEqual([]);
  await close();
});

test.each(["embed", "classify"])("%s: a file is looked at before anything is computed", async (view) => {
  const { page, foreign, errors, close } = await at().visit(`#/${view}?run=false`);
  const rows = Array.from(
    { length: 30 },
    (_, i) => `p${i},${(i * 7) % 11},${1000 * ((i * 5) % 13)},${"ab"[i % 2]}`,
  );
  const buffer = Buffer.from(`name,u,v,kind\n${rows.join("\n")}\n`);
  await page.getByLabel(/^Or a file/).setInputFiles({ name: "mine.csv", mimeType: "text/csv", buffer });
  const use = page.getByRole("button", { name: "Use 2 of 4 columns" });
  await use.waitFor();
  expect(await page.getByRole("button", { name: "Run", exact: true }).isEnabled()).toBe(false);
  await use.click();
  await page.locator("button:enabled", { hasText: /^Run$/ }).waitFor();
  expect([...foreign, ...errors]).toEqual([]);
  await close();
});
