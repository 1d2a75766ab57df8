// @module-tag full
/** What sweeps leave in Redis: nothing when they are over; what was abandoned goes by itself, and nobody stumbles over it. */
import { sweep } from "@curvature/cluster";
import { bullmqExecutor, connect } from "@curvature/cluster/redis";
import type { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { missingRedis } from "./redis-for-test.js";
import { type RedisServer, startRedis } from "./redis-server.js";
import { all, expectedSquares, outcomes, squares } from "./units.js";
import { workerForTest } from "./worker-process.js";

const week = 7 * 86_400;
/** Only a hang takes so long. */
const soon = { timeout: 300_000 };
const books = ["events", "id", "marker", "meta", "stalled-check"].map(
  (name) => `curvature:units-1.0.0:${name}`,
);
const pause = (milliseconds: number): Promise<void> =>
  new Promise((done) => {
    setTimeout(done, milliseconds);
  });

describe.skipIf(missingRedis !== undefined)("in a Redis", () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server.remove());
  let databases = 0;

  async function place(): Promise<{ readonly url: string; readonly client: Redis }> {
    const url = `${server.url}/${databases++}`;
    const { client, close } = await connect(url);
    onTestFinished(close);
    return { url, client };
  }

  /** Of each key how many seconds it has left; -1 for ever. */
  async function left(client: Redis): Promise<Map<string, number>> {
    const keys = await client.keys("*");
    return new Map(await Promise.all(keys.map(async (key) => [key, await client.ttl(key)] as const)));
  }

  test("a sweep that is over, its worker gone, has left BullMQ's books alone, and they go after a week", async () => {
    const { url, client } = await place();
    const worker = workerForTest({ url, silentSeconds: 2 });
    const executor = await bullmqExecutor(url, { version: "1.0.0", name: "tidy" });
    await all(sweep(squares(3), executor));
    await executor.forget();
    await executor.close();
    worker.child.kill("SIGTERM");
    await worker.ended();
    await pause(50); // a connection looks by a key of a millisecond whether there is room
    const keys = await left(client);
    expect([...keys.keys()].filter((key) => !books.includes(key))).toEqual([]);
    for (const [key, seconds] of keys) expect(seconds, key).not.toBe(-1);
  });

  test("a sweep that is abandoned goes a week after the last sign of life, whole", async () => {
    const { url, client } = await place();
    const worker = workerForTest({ url, silentSeconds: 2 });
    const executor = await bullmqExecutor(url, { version: "1.0.0", name: "lone" });
    for await (const _ of sweep(squares(6, 400), executor)) break;
    await executor.close();
    const started = (): number => worker.events().filter(({ type }) => type === "started").length;
    for (const before = started(); started() === before; ) await pause(20);
    worker.child.kill("SIGKILL");
    await worker.ended();
    await pause(2100); // the lock of what was under way
    const keys = await left(client);
    expect([...keys.keys()].filter((key) => /:[0-9a-f]{40}$/.test(key))).toHaveLength(6);
    for (const [key, seconds] of keys) {
      // Lists of what is under way are made anew all the time; their expiry is given by who lives a second later.
      if (!/:(active|stalled)$/.test(key)) expect(seconds, key).not.toBe(-1);
      expect(seconds, key).toBeLessThanOrEqual(week);
    }
    expect(keys.get("curvature:sweep:lone")).toBeGreaterThan(week - 60);
  });

  test("a worker at a long unit keeps its sweep alive, though its coordinator is gone", async () => {
    const { url, client } = await place();
    const worker = workerForTest({ url, silentSeconds: 2 });
    const executor = await bullmqExecutor(url, { version: "1.0.0", name: "long" });
    const run = sweep(squares(1, 60_000), executor).next();
    run.catch(() => undefined);
    await worker.said("started");
    await executor.close();
    const [unit] = (await client.keys("*")).filter((key) => /:[0-9a-f]{40}$/.test(key));
    for (const key of [unit, "curvature:sweep:long"]) await client.expire(key, 30);
    for (const key of [unit, "curvature:sweep:long"])
      await vi.waitUntil(async () => (await client.ttl(key)) > week - 60, soon);
  });

  test("a worker that dies has its unit taken from it, however long others keep the books", async () => {
    const { url, client } = await place();
    const [staying, dying] = [
      workerForTest({ url, silentSeconds: 2 }),
      workerForTest({ url, silentSeconds: 2 }),
    ];
    await Promise.all([staying.said("joined"), dying.said("joined")]);
    const executor = await bullmqExecutor(url, { version: "1.0.0" });
    onTestFinished(() => executor.close());
    const ends = all(sweep(squares(2, 4000), executor));
    await dying.said("started");
    await pause(1500); // so that all have given a sign of life
    dying.child.kill("SIGKILL");
    const seconds = await client.ttl("curvature:units-1.0.0:stalled-check");
    expect(seconds).toBeLessThanOrEqual(1);
    expect(outcomes(await ends)).toEqual(expectedSquares(2));
  });

  test("units that have gone are passed over by workers, struck out of the books, and computed again", async () => {
    const { url, client } = await place();
    const first = await bullmqExecutor(url, { version: "1.0.0", name: "late" });
    const worker = workerForTest({ url, silentSeconds: 2 });
    for await (const _ of sweep(squares(4, 100), first)) break;
    await first.close();
    worker.child.kill("SIGTERM");
    await worker.ended();
    const units = (await client.keys("*")).filter((key) => /:[0-9a-f]{40}$/.test(key));
    expect(units).toHaveLength(4);
    await client.del(...units, "curvature:sweep:late");
    const other = workerForTest({ url, silentSeconds: 2 });
    const again = await bullmqExecutor(url, { version: "1.0.0", name: "late" });
    onTestFinished(() => again.close());
    expect(outcomes(await all(sweep(squares(4), again)))).toEqual(expectedSquares(4));
    expect(other.events().filter(({ type }) => type === "failed")).toEqual([]);
    await again.forget();
    expect((await client.keys("*")).filter((key) => /:[0-9a-f]{40}$|:completed$|:failed$/.test(key))).toEqual(
      [],
    );
  });

  test("called off: the unit under way is stopped within seconds, and nothing of it stays", async () => {
    const { url, client } = await place();
    const worker = workerForTest({ url, silentSeconds: 2 });
    const stop = new AbortController();
    const executor = await bullmqExecutor(url, { version: "1.0.0", name: "stopped" });
    const run = all(sweep(squares(3, 600_000), executor, { signal: stop.signal }));
    await worker.said("started");
    stop.abort(new Error("enough"));
    await expect(run).rejects.toThrowError("enough");
    await executor.close();
    await worker.said("called-off");
    const unitKeys = async (): Promise<string[]> =>
      (await client.keys("*")).filter((key) => /:[0-9a-f]{40}/.test(key));
    await vi.waitUntil(async () => (await unitKeys()).length === 0, soon);
    expect(worker.events().filter(({ type }) => type === "started")).toHaveLength(1);
    // The worker is there for others, and the same sweep can be begun again.
    const again = await bullmqExecutor(url, { version: "1.0.0", name: "next" });
    onTestFinished(() => again.close());
    expect(outcomes(await all(sweep(squares(2), again)))).toEqual(expectedSquares(2));
  });

  test("called off and begun again at once, it is the same sweep, and has all its ends", async () => {
    const { url } = await place();
    workerForTest({ url, silentSeconds: 2 });
    workerForTest({ url, silentSeconds: 2 });
    for (let k = 0; k < 3; k++) {
      const stop = new AbortController();
      const executor = await bullmqExecutor(url, { version: "1.0.0", name: "restless" });
      const run = sweep(squares(8, 150), executor, {
        signal: stop.signal,
        onEnd: () => stop.abort(new Error("enough")),
      });
      await all(run).catch(() => undefined);
      await executor.close();
    }
    const last = await bullmqExecutor(url, { version: "1.0.0", name: "restless" });
    onTestFinished(() => last.close());
    expect(outcomes(await all(sweep(squares(8, 150), last)))).toEqual(expectedSquares(8));
  });

  test("discarded: what is under way for the other plan is stopped", async () => {
    const { url } = await place();
    const worker = workerForTest({ url, silentSeconds: 2 });
    const first = await bullmqExecutor(url, { version: "1.0.0", name: "changed" });
    const run = sweep(squares(1, 600_000), first).next();
    run.catch(() => undefined);
    await worker.said("started");
    await first.close();
    const second = await bullmqExecutor(url, { version: "1.0.0", name: "changed", discard: true });
    onTestFinished(() => second.close());
    expect(outcomes(await all(sweep(squares(2), second)))).toEqual(expectedSquares(2));
    expect(worker.events().some(({ type }) => type === "called-off")).toBe(true);
  });
});
