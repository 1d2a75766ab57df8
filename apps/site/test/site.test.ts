// @module-tag full
/** The built site: its links, what it loads, and its content policy in a browser. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Served, serveFolder } from "../../../scripts/serve.ts";
import { launchBrowser } from "../../demo/test/browser.ts";

const root = resolve(import.meta.dirname, "../../..");
const dist = resolve(import.meta.dirname, "../dist");

let browser: Awaited<ReturnType<typeof launchBrowser>>;
let served: Served;
let sent: string[] = [];

/** Of the pages' files, not the demo's. */
const htmlFiles = (): string[] =>
  readdirSync(dist, { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => file.endsWith(".html") && !file.startsWith("demo/"));

beforeAll(async () => {
  execFileSync(
    "pnpm",
    ["exec", "turbo", "run", "pages", "--filter=@curvature/site", "--output-logs=errors-only"],
    {
      cwd: root,
      stdio: "pipe",
      shell: process.platform === "win32",
    },
  );
  served = await serveFolder(dist, { onFile: (file) => sent.push(file) });
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser?.close();
  await served?.close();
});

test("every link of a page leads to a file, and to a place in it", () => {
  const texts = new Map(htmlFiles().map((file) => [file, readFileSync(join(dist, file), "utf8")]));
  const broken: string[] = [];
  for (const [file, text] of texts) {
    for (const [, href = ""] of text.matchAll(/<(?:a|link|img|script)\b[^>]*?\b(?:href|src)="([^"]*)"/g)) {
      if (/^(https?|mailto):/.test(href)) continue; // of others
      const { pathname, hash } = new URL(href, `http://site/${file}`);
      const path = decodeURIComponent(pathname.slice(1)).replace(/(^|\/)$/, "$1index.html");
      if (!existsSync(join(dist, path))) broken.push(`${file}: ${href}`);
      else if (hash !== "" && !path.startsWith("demo/")) {
        const id = decodeURIComponent(hash.slice(1));
        if (!texts.get(path)?.includes(`id="${id}"`)) broken.push(`${file}: ${href}`);
      }
    }
  }
  expect(texts.size).toBeGreaterThan(40);
  expect(broken).toEqual([]);
});

test("the first load of Start is at most 100 kB of gzip", async () => {
  sent = [];
  const page = await browser.newPage();
  await page.goto(served.url, { waitUntil: "networkidle" });
  const sizes = sent.map((file) => gzipSync(readFileSync(join(dist, file))).length);
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  process.stdout.write(`Start: ${sent.length} files, ${bytes} bytes of gzip\n`);
  expect(bytes).toBeLessThanOrEqual(100_000);
  await page.close();
});

test("no page asks for anything from elsewhere, or breaks its policy", async () => {
  const page = await browser.newPage();
  const faults: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(served.url) && !request.url().startsWith("data:"))
      faults.push(request.url());
  });
  page.on(
    "console",
    (message) => message.type() === "error" && faults.push(`${page.url()}: ${message.text()}`),
  );
  page.on("pageerror", (error) => faults.push(`${page.url()}: ${error.message}`));
  const ofOneKind = /^reference\/api\/@(?!curvature\/optim-sfo)|^404/; // one module's page is as another's
  for (const file of htmlFiles().filter((name) => !ofOneKind.test(name))) {
    await page.goto(served.url + file, { waitUntil: "load" });
    expect(await page.locator('meta[http-equiv="Content-Security-Policy"]').count()).toBe(1);
  }
  expect(faults).toEqual([]);
  await page.goto(served.url);
  await page.getByRole("button", { name: "Search" }).first().click();
  await page.locator("#localsearch-input").fill("perplexity");
  await page.locator(".results a").first().waitFor();
  expect(await page.locator(".results").textContent()).toMatch(/Change the scale of attention/);
  expect(faults).toEqual([]);
  await page.close();
});

test("a visitor comes from the pages to the demo and back", async () => {
  const page = await browser.newPage();
  await page.goto(served.url);
  await page.getByRole("link", { name: "Open the demo" }).click();
  await page.getByRole("link", { name: "Documentation" }).click();
  await page.getByRole("heading", { name: "What do you have?" }).waitFor();
  expect(page.url()).toBe(`${served.url}index.html`);
  await page.close();
});
