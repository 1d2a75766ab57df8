// @module-tag full
/** SFO's batches on threads of a module, as built: with any number of them the bits of a run at home. */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { PortTransport, RemoteSum } from "@curvature/cluster";
import { minimizeSum } from "@curvature/optim-sfo";
import { expect, test } from "vitest";

const module = pathToFileURL(resolve(import.meta.dirname, "../fixtures/quartics-thread.mjs"));

test("1, 2 and 4 threads", async () => {
  const { sum } = await import(module.href);
  const options = {
    initial: sum.initial,
    batch: 4,
    maxPasses: 6,
    measureEvery: 1,
    seed: 5,
  };
  const home = await minimizeSum(sum, options);
  for (const count of [1, 2, 4]) {
    const threads = Array.from({ length: count }, () => new Worker(module));
    const transport = new PortTransport(threads, async () => {
      for (const thread of threads) await thread.terminate();
    });
    const shared = new RemoteSum(sum, transport);
    const away = await minimizeSum(shared, options);
    await shared.close();
    expect(away.x).toEqual(home.x);
    expect(away.value).toBe(home.value);
    expect(away.iterations).toBe(home.iterations);
  }
});
