// @module-tag full
/** A map on a GPU in a page: Chromium with its adapter in software, by the same lines as in Node. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { nearestNeighbors } from "@curvature/objectives/embedding";
import { embed } from "@curvature/optim-spectral";
import { expect, test } from "vitest";
import { serveFolder } from "../../../scripts/serve.js";
import { bundle } from "../../../test/bundle.js";
import { launchBrowser } from "./browser.js";

const points = Array.from({ length: 60 }, (_, n) => [
  n % 3,
  (n % 3) ** 2,
  ((n * 7919) % 1009) / 1009,
  ((n * 104_729) % 997) / 997,
]);
const options = { perplexity: 8, maxEvaluations: 6 } as const;

const code = `
import { embed } from "@curvature/optim-spectral";
import { nearestOnGpu, openGpu } from "@curvature/webgpu";

const points = ${JSON.stringify(points)};
async function answer() {
  const refused = await embed(points, { ...${JSON.stringify(options)}, gradient: "gpu" }).catch(({ code }) => code);
  const gpu = await openGpu({ allowSoftware: true });
  const { indices } = await nearestOnGpu(gpu, points, 10);
  const map = await embed(points, { ...${JSON.stringify(options)}, gradient: "gpu", neighborSearch: "gpu", device: gpu.device });
  return { refused, indices: [...indices], divergence: map.klDivergence, adapter: map.options.adapter, status: map.status };
}
answer().catch(({ code, message }) => ({ code, message })).then((result) => { globalThis.answer = result; document.title = "Done"; });
`;

test("embed and neighbours on the device are those of Node", async () => {
  const folder = mkdtempSync(join(tmpdir(), "curvature-gpu-page-"));
  const { text } = await bundle(code, resolve(import.meta.dirname, "../../.."), { format: "iife" });
  writeFileSync(join(folder, "main.js"), text);
  writeFileSync(
    join(folder, "index.html"),
    '<!doctype html><title>Working</title><script src="main.js"></script>',
  );
  const served = await serveFolder(folder, { base: "/" });
  const browser = await launchBrowser(
    "--enable-unsafe-webgpu",
    "--use-webgpu-adapter=swiftshader",
    "--enable-features=Vulkan",
  );
  try {
    const page = await browser.newPage();
    await page.goto(served.url);
    await page.waitForFunction(() => document.title === "Done", undefined, { timeout: 800_000 });
    const found = await page.evaluate(() => Reflect.get(globalThis, "answer"));
    expect(found).toMatchObject({ refused: "ERR_DEVICE", status: "max-evaluations" });
    expect(found.indices).toEqual([...nearestNeighbors(points, 10).indices]);
    const here = await embed(points, options);
    expect(found.divergence).toBeLessThan(1.5 * Number(here.klDivergence));
  } finally {
    await browser.close();
    await served.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
