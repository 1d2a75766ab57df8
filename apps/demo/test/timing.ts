/** Whether the page's own thread is free, for how long it is held up, and how soon a stop takes effect. */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import type { Site } from "./browser.js";

/** Does something on a page, and counts how often its main thread comes to a timer meanwhile: hardly ever, if it is held up. */
export async function turnsDuring<T>(
  page: Page,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly turns: number }> {
  await page.evaluate(() => {
    const { dataset } = document.documentElement;
    let turns = 0;
    setInterval(() => {
      dataset["turns"] = String(++turns);
    }, 5);
  });
  const result = await work();
  return { result, turns: await page.evaluate(() => Number(document.documentElement.dataset["turns"])) };
}

/** Turns of a page's main thread that is free. */
export const MANY = 20;

/** Names the page's main thread in a trace of the whole browser. */
const mark = "the page's main thread";

export interface Traced<T> {
  readonly result: T;
  /** Milliseconds of its own time that the longest task of the page's main thread took. */
  readonly longestTask: number;
}

/** Does something on a page, and measures how long its main thread is held up by it. */
export async function traced<T>(site: Site, page: Page, work: () => Promise<T>): Promise<Traced<T>> {
  await site.browser.startTracing(page, {
    categories: ["toplevel", "devtools.timeline", "blink.user_timing"],
  });
  await page.evaluate((name) => performance.mark(name), mark);
  let trace: Buffer | undefined;
  try {
    const result = await work();
    trace = await site.browser.stopTracing();
    return { result, longestTask: longestTaskOf(trace) };
  } finally {
    // What has failed may be tried again.
    if (trace === undefined) await site.browser.stopTracing();
  }
}

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly tdur?: number;
}

/** Of the thread that made the mark. */
function longestTaskOf(trace: Buffer): number {
  const { traceEvents }: { traceEvents: TraceEvent[] } = JSON.parse(trace.toString());
  const marked = traceEvents.find(({ name }) => name === mark);
  if (marked === undefined) throw new Error("The mark is not in the trace.");
  const isMain = ({ pid, tid }: TraceEvent): boolean => pid === marked.pid && tid === marked.tid;
  const tasks = traceEvents.filter(
    (event) => event.name.endsWith("RunTask") && event.ph === "X" && isMain(event),
  );
  expect(tasks.length).toBeGreaterThan(10);
  return Math.max(...tasks.map(({ tdur = 0 }) => tdur / 1000));
}

/** Stops what the page computes. Milliseconds in the page from the press on Stop to the word that it has stopped. */
export const timeToStop = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const button = [...document.querySelectorAll("button")].find(
          ({ textContent }) => textContent === "Stop",
        );
        const started = performance.now();
        const watcher = new MutationObserver(() => {
          if (!document.body.textContent.includes("Stopped")) return;
          watcher.disconnect();
          resolve(performance.now() - started);
        });
        watcher.observe(document.body, { subtree: true, childList: true, characterData: true });
        button?.click();
      }),
  );
