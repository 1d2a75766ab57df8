// @module-tag timing
/** What the page promises to those who use it, in milliseconds: `npm run page-times`, on a quiet machine. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { site } from "./browser.js";
import { manyAnswers } from "./many-answers.js";
import { timeToStop, traced } from "./timing.js";

const at = site();

/** Other processes only add to a time: the least of some tries is the page's own. */
async function leastOf(most: number, measure: () => Promise<number>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let k = 0; k < 5 && least >= most; k++) least = Math.min(least, await measure());
  return least;
}

const press = (page: Page): Promise<void> =>
  page.locator("button:enabled", { hasText: /^Run( again)?$/ }).click();

test("it can be used within 2 s", async () => {
  const least = await leastOf(2000, async () => {
    const { page, close } = await at().visit("#/embed?run=false");
    await page.locator("button:enabled", { hasText: /^Run$/ }).waitFor();
    const time = await page.evaluate(() => performance.now());
    await close();
    return time;
  });
  expect(least).toBeLessThan(2000);
});

const runs: readonly (readonly [name: string, hash: string, sign: RegExp])[] = [
  ["embed", "#/embed?data=s-curve&points=3000&panes=ee.gd&maxEvaluations=100000", /^iteration \d+/],
  [
    "embed, in the search for neighbours",
    "#/embed?data=curves&points=8000&panes=tsne.gd",
    /^neighbours, [1-9]\d? % …/,
  ],
  ["disentangle", "#/disentangle?points=400&clusters=48&tolerance=0.00001&solver=admm", /iteration \d+ · /],
  ["classify", "#/classify?points=5000&maxPasses=1000", /^Running: (SGD|SVMSGD2)/],
  ["sum", "#/sum?objective=mlp&maxPasses=200&solvers=sfo", /^Running: SFO minimising, pass [1-9]/],
];

test.each(runs)(
  "no task of the page's thread takes 50 ms, and a stop takes 100 at most: %s",
  async (_, hash, sign) => {
    const { page, close } = await at().visit(`${hash}&run=false`);
    const start = async (): Promise<void> => {
      await press(page);
      await page.getByText(sign).first().waitFor();
    };
    const longest = await leastOf(50, async () => {
      const { longestTask } = await traced(at(), page, start);
      await timeToStop(page);
      return longestTask;
    });
    expect(longest).toBeLessThan(50);
    const soonest = await leastOf(100, async () => {
      await start();
      return timeToStop(page);
    });
    expect(soonest).toBeLessThan(100);
    await close();
  },
);

const done = '[data-status="done"]';

test.each([
  ["embed", "#/embed?panes=tsne.auto", done],
  ["disentangle", "#/disentangle?points=400&clusters=12&tolerance=0.02", done],
  ["classify", "#/classify?data=digits&digit=3&maxPasses=8&model=asgd", "text=/^Done\\. The least cost/"],
  ["sum", "#/sum", "text=/^Done\\. The least F/"],
])("no task takes 50 ms in a whole run, its end and its pictures among it: %s", async (_, hash, end) => {
  const longest = await leastOf(50, async () => {
    const { page, close } = await at().visit(`${hash}${hash.includes("?") ? "&" : "?"}run=false`);
    const { longestTask } = await traced(at(), page, async () => {
      await press(page);
      await page.locator(end).first().waitFor();
    });
    await close();
    return longestTask;
  });
  expect(longest).toBeLessThan(50);
});

test("a stop takes 100 ms at most: ordinal", async () => {
  const { page, close } = await at().visit("#/ordinal?set=file&loss=tste");
  const buffer = Buffer.from(manyAnswers());
  await page.getByLabel(/^Comparisons/).setInputFiles({ name: "many.csv", mimeType: "text/csv", buffer });
  let isFirst = true;
  const soonest = await leastOf(100, async () => {
    if (!isFirst) await press(page);
    isFirst = false;
    await page.getByText(/^iteration \d+/).waitFor();
    return timeToStop(page);
  });
  expect(soonest).toBeLessThan(100);
  await close();
});
