import axe from "axe-core";
import type { Page } from "playwright-core";

/** What axe finds wrong on the page, in words: empty where all is well. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    // biome-ignore lint/suspicious/noExplicitAny: put there by the line above
    const { violations } = await (globalThis as any).axe.run(document, { resultTypes: ["violations"] });
    return violations.map(
      ({ id, help, nodes }: { id: string; help: string; nodes: { html: string }[] }) =>
        `${id}: ${help}: ${nodes.map(({ html }) => html.slice(0, 200)).join(" | ")}`,
    );
  });
}
