/** The built site in a real browser: one for each file of tests, served from a sub-path as on a shared host. */
import { existsSync, readFileSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { type Served, serveFolder } from "../../../scripts/serve.ts";

export const dist = resolve(import.meta.dirname, "../dist");

/** Bytes of gzip that a view may have in all, with what its run loads. */
export const wholeView = 400_000;

/** What `sentFiles` of a site weigh when they are compressed. */
export const gzipBytes = (files: readonly string[]): number =>
  [...new Set(files)].reduce((sum, file) => sum + gzipSync(readFileSync(join(dist, file))).length, 0);

/** Milliseconds that only what hangs takes, on a machine however slow and busy. */
const hung = 300_000;

const flags = [
  "--no-sandbox",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

const commands = [
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "chrome",
  "msedge",
];
const places = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
  "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
];

/** The browser that CHROMIUM names, or one on the PATH, or one where it is usually installed. */
function findChromium(): string {
  const { CHROMIUM: named, PATH: path = "" } = process.env;
  if (named !== undefined && named !== "") {
    if (existsSync(named)) return named;
    throw new Error(`CHROMIUM names ${named}, which is not there.`);
  }
  const onPath = path.split(delimiter).flatMap((folder) => commands.map((command) => join(folder, command)));
  const found = [...onPath, ...places].find((file) => existsSync(file));
  if (found !== undefined) return found;
  throw new Error(
    "These tests need a Chromium, and none was found. Install one (Debian, Ubuntu: apt-get install chromium; macOS: " +
      "brew install --cask chromium) or name one in the environment variable CHROMIUM.",
  );
}

export const launchBrowser = (...more: readonly string[]): Promise<Browser> =>
  chromium.launch({ executablePath: findChromium(), args: [...flags, ...more], timeout: hung });

export interface Visit {
  readonly page: Page;
  /** Requests that left the site's own folder. */
  readonly foreign: readonly string[];
  /** Errors on the page's console, and exceptions that nobody caught. */
  readonly errors: readonly string[];
  /** A new page of the same visitor: with what the browser remembers. */
  again(hash?: string): Promise<Visit>;
  close(): Promise<void>;
}

export interface Site {
  readonly browser: Browser;
  readonly url: string;
  /** Files sent since the last call, within the site's folder. */
  sentFiles(): string[];
  /** A new visitor, who remembers nothing, at a place of the site. */
  visit(hash?: string, options?: BrowserContextOptions): Promise<Visit>;
}

/** For the tests of a file: call it once, at the top. */
export function site(): () => Site {
  let made: Site | undefined;
  let browser: Browser | undefined;
  let served: Served | undefined;
  beforeAll(async () => {
    if (!existsSync(join(dist, "index.html")))
      throw new Error("apps/demo is not built: run `pnpm run build` first.");
    const sent: string[] = [];
    served = await serveFolder(dist, { base: "/a/folder/", onFile: (path) => sent.push(path) });
    browser = await launchBrowser();
    made = siteOf(browser, served.url, sent);
  });
  afterAll(async () => {
    await browser?.close();
    await served?.close();
  });
  return () => {
    if (made === undefined) throw new Error("The site is there in tests only.");
    return made;
  };
}

function siteOf(browser: Browser, url: string, sent: string[]): Site {
  return {
    browser,
    url,
    sentFiles: () => sent.splice(0),
    visit: async (hash = "", options = {}) => {
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
      context.setDefaultTimeout(hung);
      const open = async (place: string): Promise<Visit> => {
        const page = await context.newPage();
        const foreign: string[] = [];
        const errors: string[] = [];
        page.on("request", (request) => {
          const address = request.url();
          if (!address.startsWith(url) && !/^(blob|data):/.test(address)) foreign.push(address);
        });
        page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
        page.on("pageerror", (error) => errors.push(error.message));
        await page.goto(url + place);
        return { page, foreign, errors, again: (next = "") => open(next), close: () => context.close() };
      };
      return open(hash);
    },
  };
}

/** What a button that downloads hands over. */
export async function downloaded(page: Page, button: string): Promise<Buffer> {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: button, exact: true }).click(),
  ]);
  const chunks: Buffer[] = [];
  for await (const chunk of await download.createReadStream()) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}
