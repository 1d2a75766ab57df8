// @module-tag full
/** What every page of the site promises: small, quick, of this site alone. */
import { get } from "node:http";
import { expect, test } from "vitest";
import { gzipBytes, site, wholeView } from "./browser.js";

const at = site();

/** Bytes of gzip before anything is computed. */
const firstLoad = 250_000;

test("the first load and every view are small", async () => {
  at().sentFiles();
  const { page, close } = await at().visit("#/embed?data=rings&points=60&run=false");
  await page.getByRole("button", { name: "Run", exact: true }).waitFor();
  const first = at().sentFiles();
  expect(first.length).toBeGreaterThan(3);
  expect(gzipBytes(first)).toBeLessThan(firstLoad);
  await page.getByLabel("Set").selectOption({ label: "Handwritten digits (1,797)" });
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page
    .getByText(/^iteration \d+/)
    .first()
    .waitFor();
  const view = [...first, ...at().sentFiles()];
  expect(view.some((file) => file.includes("task"))).toBe(true);
  expect(gzipBytes(view)).toBeLessThan(wholeView);
  await close();
});

test("the server of the built site gives nothing but the site, whatever it is asked", async () => {
  const { hostname, port } = new URL(at().url);
  const statusOf = (path: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      get({ hostname, port, path }, (response) => resolve(response.resume().statusCode)).on("error", reject);
    });
  expect(await statusOf("/a/folder/")).toBe(200);
  for (const path of [
    "/",
    "//",
    "/a/folder/../../package.json",
    "/a/folder/..%2f..%2fpackage.json",
    "/a/folder/%",
    "/a/folder/%00",
    "/a/folder/assets",
  ])
    expect(await statusOf(path), path).toBe(404);
});

test("a policy forbids all that is not the site's own, and nothing runs into it", async () => {
  const visit = await at().visit("");
  const policy = await visit.page
    .locator('meta[http-equiv="Content-Security-Policy"]')
    .getAttribute("content");
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
  const isForbidden = await visit.page.evaluate(
    () =>
      new Promise<boolean>((resolve) => {
        document.addEventListener("securitypolicyviolation", () => resolve(true));
        const image = document.createElement("img");
        image.src = "https://example.com/pixel.png";
        image.onload = () => resolve(false);
      }),
  );
  expect(isForbidden).toBe(true);
  await visit.close();
});

test("the address follows a slider that is dragged for long, and Back is not called back", async () => {
  const visit = await at().visit("#/classify?run=false");
  const { page } = visit;
  const slider = page.getByRole("slider", { name: "Spread" });
  await slider.evaluate(async (element) => {
    if (!(element instanceof HTMLInputElement)) return;
    const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value") ?? {};
    for (let k = 0; k < 300; k++) {
      set?.call(element, String((k % 37) * 0.05));
      element.dispatchEvent(new Event("input", { bubbles: true }));
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  });
  await page.waitForFunction(() => window.location.hash === "#/classify?spread=0.15&run=false");
  await slider.press("ArrowRight");
  await slider.press("ArrowRight");
  await page.getByRole("link", { name: "Papers", exact: true }).click();
  await page.getByRole("heading", { name: "Papers", level: 1 }).waitFor();
  await page.waitForTimeout(1200); // longer than an address waits
  expect(new URL(page.url()).hash).toBe("#/papers");
  expect(visit.errors).toEqual([]);
  await visit.close();
});

test("a file dropped beside its field does not take the page away, one dropped on it is read", async () => {
  const visit = await at().visit("#/classify?run=false");
  const { page } = visit;
  await page.locator(".file-drop").waitFor();
  const drop = (selector: string): Promise<boolean> =>
    page.locator(selector).evaluate((element) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(["x,y,class\n1,2,u\n2,1,v\n3,3,u\n"], "dropped.csv"));
      const event = new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer });
      element.dispatchEvent(event);
      return event.defaultPrevented;
    });
  expect(await drop(".board")).toBe(true);
  expect(await drop("h1")).toBe(true);
  expect(new URL(page.url()).hash).toBe("#/classify?run=false");
  expect(await drop(".file-drop")).toBe(true);
  await page.getByText("dropped.csv is kept in this browser alone").waitFor();
  await page.getByText("There are no curves before the first run.").first().waitFor();
  await visit.close();
});

test("a view that could not be loaded is told, and can be tried again", async () => {
  const { page, close } = await at().visit("#/papers");
  await page.locator("[data-paper]").waitFor();
  await page.route(/assets\/view-/, (route) => route.abort());
  await page.getByRole("link", { name: "Ordinal", exact: true }).click();
  await page.getByText("This view could not be loaded").waitFor();
  await page.unroute(/assets\/view-/);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("heading", { name: "Which is more like this?" }).waitFor();
  await close();
});

test("the theme is the system's unless it is chosen, and the choice is kept", async () => {
  const visit = await at().visit("", { colorScheme: "dark" });
  const ground = (page: typeof visit.page) =>
    page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  expect(await ground(visit.page)).toBe("rgb(15, 17, 21)");
  await visit.page.getByRole("button", { name: "Colours: Auto. Change to Light." }).click();
  expect(await ground(visit.page)).toBe("rgb(245, 246, 248)");
  const again = await visit.again();
  expect(await ground(again.page)).toBe("rgb(245, 246, 248)");
  await visit.close();
});
