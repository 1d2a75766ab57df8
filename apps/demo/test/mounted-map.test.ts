/** A map in an element of a page: under a strict policy, apart from the page's style, twice, and away again. */
import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundle } from "../../../test/bundle.ts";
import { launchBrowser } from "./browser.js";

const root = resolve(import.meta.dirname, "../../..");

type Browser = Awaited<ReturnType<typeof launchBrowser>>;
let browser: Browser | undefined;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(async () => browser?.close());

const script = `
import { mountMap } from "@curvature/map-view/mount";
const map = Array.from({ length: 30 }, (_, n) => [n % 6, Math.floor(n / 6)]);
const names = map.map((_, n) => n === 3 ? "<img src=x onerror=alert(1)>" : "Item " + n);
const labels = map.map(([x]) => "kind " + (x % 2));
const images = map.map((_, n) => n === 0 ? "data:image/svg+xml,%3Csvg%20xmlns='http://www.w3.org/2000/svg'/%3E".replaceAll("'", "%27") : "");
const [one, two] = ["one", "two"].map((id) => document.getElementById(id));
const shown = mountMap(one, map, { names, labels, title: "First" });
mountMap(two, map.map(([x, y]) => [x, y, x * y]), { names, images, title: "Second" });
globalThis.shown = shown;
globalThis.again = () => {
  shown.update(map.map(([x, y]) => [y, x]), { names, labels, title: "Again" });
  try { shown.update(map, { names: ["one"] }); } catch (error) { globalThis.refusedUpdate = error.code + " " + error.where; }
};
globalThis.refused = [
  () => mountMap("one", map),
  () => mountMap(one, [[0, Number.NaN]]),
  () => shown.choose(30),
].map((call) => { try { call(); return "taken"; } catch (error) { return error.code + " " + error.path; } });
`;

test("two maps stand in a page under a strict policy, are found by words, and leave nothing behind", async () => {
  if (browser === undefined) throw new Error("There is no browser.");
  const { text } = await bundle(script, root, { format: "iife" });
  const hash = createHash("sha256").update(text).digest("base64");
  const policy = `default-src 'none'; script-src 'sha256-${hash}'; img-src data:`;
  const page = await browser.newPage({ viewport: { width: 1300, height: 700 } });
  const faults: string[] = [];
  page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
  page.on("pageerror", (error) => faults.push(error.message));
  await page.route("**/*", (route) =>
    route.fulfill({
      contentType: "text/html; charset=utf-8",
      headers: { "content-security-policy": policy },
      body: `<!doctype html><h1>Page</h1><div id="one"></div><div id="two"></div><script>${text}</script>`,
    }),
  );
  await page.goto("http://page.example/");
  expect(await page.evaluate("refused")).toEqual([
    "ERR_ARGUMENT element",
    "ERR_NON_FINITE row 0, column 1",
    "ERR_ARGUMENT row",
  ]);
  expect(await page.locator("#one #title").textContent()).toBe("First");
  expect(await page.locator("#two #title").textContent()).toBe("Second");
  expect(await page.locator("#one #legend button").count()).toBe(2);
  const [own, header] = await Promise.all(
    ["body > h1", "#one #title"].map((selector) =>
      page.locator(selector).evaluate((element) => getComputedStyle(element).fontSize),
    ),
  );
  expect([own, header]).toEqual(["32px", "20px"]); // neither takes the other's style
  await page.evaluate("shown.choose(7)");
  expect(await page.locator("#one #chosen h2").first().textContent()).toBe("Item 7");
  expect(await page.locator("#two #chosen h2").count()).toBe(0);
  await page.locator("#two #search").fill("onerror");
  expect(await page.locator("#two #said").textContent()).toBe("1 found");
  await page.locator("#one #map[data-names]").waitFor();
  const isDrawn = await page.locator("#one #map").evaluate((canvas: HTMLCanvasElement) =>
    canvas
      .getContext("2d")
      ?.getImageData(0, 0, canvas.width, canvas.height)
      .data.some((value) => value > 0),
  );
  expect(isDrawn).toBe(true);

  // Another map in its place: looked at as before, in its place beside others.
  await page.locator("#one").evaluate((element) => element.appendChild(document.createElement("hr")));
  await page.locator("#one #legend button").nth(1).click();
  await page.locator("#one #map").focus();
  for (const key of ["+", "+", "ArrowLeft"]) await page.keyboard.press(key);
  await page.locator("#one #search").fill("item 1");
  const wordsBefore = await page.locator("#one #said").textContent();
  await page.evaluate("shown.choose(4)");
  await page.evaluate("again()");
  expect(await page.locator("#one #title").textContent()).toBe("Again");
  expect(await page.locator("#one #search").inputValue()).toBe("item 1");
  expect(await page.locator("#one #said").textContent()).toBe(wordsBefore);
  expect(await page.locator("#one #chosen h2").first().textContent()).toBe("Item 4");
  const pressed = page.locator("#one #legend button");
  expect(await pressed.evaluateAll((all) => all.map((each) => each.getAttribute("aria-pressed")))).toEqual([
    "true",
    "false",
  ]);
  expect(
    await page.locator("#one").evaluate((element) => Array.from(element.children, ({ tagName }) => tagName)),
  ).toEqual(["DIV", "HR"]);
  expect(await page.evaluate("refusedUpdate")).toBe("ERR_SHAPE update");
  await page.locator("#one hr").evaluate((element) => element.remove());
  await page.evaluate("shown.remove()");
  expect(await page.locator("#one").evaluate((element) => element.childNodes.length)).toBe(0);
  expect(await page.locator("img").count()).toBe(0); // names are text
  expect(faults).toEqual([]);
  await page.close();
});
