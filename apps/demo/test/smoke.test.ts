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
