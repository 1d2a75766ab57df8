// @module-tag full
/** Executor and workers behind a real Redis, as built. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Executor, referenceTo, sweep, threadExecutor } from "@curvature/cluster";
import { type BullmqExecutorOptions, bullmqExecutor, connect, serveUnits } from "@curvature/cluster/redis";
import { Queue } from "bullmq";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { missingRedis, redisForTest } from "./redis-for-test.js";
import { type RedisServer, startRedis } from "./redis-server.js";
import { all, expectedSquares, outcomes, squares, unitModule } from "./units.js";
import { workerForTest } from "./worker-process.js";

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe.skipIf(missingRedis !== undefined)("behind a Redis", () => {
  let server: RedisServer;
  let folder = "";
  beforeAll(async () => {
    server = await startRedis();
    folder = mkdtempSync(join(tmpdir(), "curvature-data-"));
  });
  afterAll(async () => {
    await server.remove();
    rmSync(folder, { recursive: true });
  });

  /** Each test has a version of its own, and so a queue and a pool; databases keep the pools apart. */
  let databases = 0;
  const place = (): string => `${server.url}/${databases++}`;

  async function coordinator(url: string, options: Partial<BullmqExecutorOptions> = {}): Promise<Executor> {
    const executor = await bullmqExecutor(url, { version: "1.0.0", ...options });
    onTestFinished(() => executor.close());
    return executor;
  }

  test("the same ends as on threads, whatever the number of workers and whatever their clocks say", async () => {
    const url = place();
    writeFileSync(join(folder, "five"), "12345");
    const data = [await referenceTo(folder, "five")];
    workerForTest({ url, data: folder });
    workerForTest({ url, data: folder, skew: 86_400 });
    workerForTest({ url, data: folder, skew: -86_400, concurrency: 2 });
    const executor = await coordinator(url);
    const threads = threadExecutor(unitModule, { data: folder, concurrency: 1 });
    onTestFinished(() => threads.close());
    const plan = { ...squares(30), data };
    const ends = await all(sweep(plan, executor));
    expect(outcomes(ends)).toEqual(outcomes(await all(sweep(plan, threads))));
  });

  test("a sweep that is over leaves nothing but BullMQ's own books in Redis", async () => {
    const url = place();
    workerForTest({ url });
    const executor = await coordinator(url, { name: "tidy" });
    const plan = { command: "long", settings: { length: 100_000 }, grid: { x: [1, 2, 3] } };
    await all(sweep(plan, executor));
    await executor.forget();
    await executor.close();
    const { client, close } = await connect(url);
    onTestFinished(close);
    const keys = await client.keys("*");
    expect(keys.filter((key) => /tidy|[0-9a-f]{40}/.test(key))).toEqual([]);
    const bytes = await Promise.all(keys.map((key) => client.call("MEMORY", "USAGE", key, "SAMPLES", "0")));
    expect(bytes.reduce((sum: number, some) => sum + Number(some), 0)).toBeLessThan(65_536);
  });

  test("a unit that fails is tried three times, in all; the rest goes on", async () => {
    const url = place();
    const worker = workerForTest({ url });
    const executor = await coordinator(url);
    const ends = await all(sweep({ command: "fail", grid: { x: [1, 2] } }, executor));
    expect(outcomes(ends)).toEqual([
      ["x=1,seed=0", "it fails at 1", 3],
      ["x=2,seed=0", "it fails at 2", 3],
    ]);
    expect(worker.events().filter(({ type }) => type === "failed")).toHaveLength(6);
  });

  test("what kills its process is named, and takes neither its worker nor another unit with it", async () => {
    const url = place();
    const worker = workerForTest({ url, concurrency: 3 });
    const executor = await coordinator(url);
    const how = ["kill", "die", "square", "fail", "square", "kill", "square"];
    const units = how.map((way, k) => {
      const settings = { how: way, x: 2, milliseconds: 50 };
      return { id: `${k}-${way}`, command: "mixed", settings, seed: 0, data: [] };
    });
    const ends = await all(executor.run(units));
    const killed = /^The process of this unit was ended by SIGKILL, and again when nothing ran beside it/;
    expect(
      Object.fromEntries(ends.map((end) => [end.id, end.status === "done" ? end.result : end.reason])),
    ).toEqual({
      "0-kill": expect.stringMatching(killed),
      "1-die": "It ended without a result (exit code 7).",
      "2-square": { value: 4 },
      "3-fail": "it fails at 2",
      "4-square": { value: 4 },
      "5-kill": expect.stringMatching(killed),
      "6-square": { value: 4 },
    });
    expect(worker.child.exitCode).toBeNull();
    const started = worker.events().filter(({ type }) => type === "started");
    expect(started.filter(({ unit }) => /square/.test(String(unit)))).toHaveLength(3);
  });

  test("a killed worker leaves no process behind", async () => {
    const url = place();
    const worker = workerForTest({ url });
    const executor = await coordinator(url);
    const file = join(folder, "pid");
    const stop = new AbortController();
    const unit = { id: "spin", command: "pid", settings: { file, milliseconds: 600_000 }, seed: 0, data: [] };
    const ended = all(executor.run([unit], stop.signal)).catch(() => undefined);
    await vi.waitUntil(() => existsSync(file) && readFileSync(file, "utf8") !== "", { timeout: 60_000 });
    worker.child.kill("SIGKILL");
    const pid = Number(readFileSync(file, "utf8"));
    await vi.waitUntil(() => !isThere(pid), { timeout: 60_000 });
    stop.abort();
    await ended;
  });

  test("who comes back with the same plan finds what has been done; another plan of this name is refused", async () => {
    const url = place();
    const worker = workerForTest({ url });
    const first = await coordinator(url, { name: "mine" });
    for await (const _ of sweep(squares(8), first)) break;
    await worker.said("done");
    await first.close();
    const other = await coordinator(url, { name: "mine" });
    await expect(all(sweep(squares(9), other))).rejects.toMatchObject({
      code: "ERR_OPTION",
      message: expect.stringContaining("The sweep mine"),
    });
    await other.close();
    const second = await coordinator(url, { name: "mine" });
    expect(outcomes(await all(sweep(squares(8), second)))).toEqual(expectedSquares(8));
    await second.close();
    const done = worker
      .events()
      .filter(({ type }) => type === "done")
      .map(({ unit }) => unit);
    expect(done.toSorted()).toEqual([...new Set(done)].toSorted());
    const anew = await coordinator(url, { name: "mine", discard: true });
    expect(outcomes(await all(sweep(squares(9), anew)))).toEqual(expectedSquares(9));
  });

  test("two living coordinators of one name: the second is refused, the first goes on", async () => {
    const url = place();
    const first = await coordinator(url, { name: "shared" });
    const ends = sweep(squares(3), first);
    const running = ends.next();
    const second = await coordinator(url, { name: "shared" });
    const { client, close } = await connect(url);
    onTestFinished(close);
    await vi.waitUntil(() => client.exists("curvature:sweep:shared:lease"), { timeout: 300_000 });
    await expect(all(sweep(squares(3), second))).rejects.toMatchObject({
      code: "ERR_IO",
      message: expect.stringContaining("is led by the coordinator"),
    });
    workerForTest({ url });
    expect((await running).value).toMatchObject({ id: "x=0,seed=0" });
    expect(await all(ends)).toHaveLength(2);
  });

  test("a worker of another version is refused by name; so is a coordinator", async () => {
    const url = place();
    const right = workerForTest({ url });
    await right.said("joined");
    const wrong = workerForTest({ url, version: "0.9.0" });
    expect(await wrong.ended()).toBe(1);
    expect(wrong.events()).toEqual([
      {
        type: "ended",
        code: "ERR_IO",
        reason: expect.stringMatching(
          /The worker \S+ has version 0\.9\.0 and cannot join .*worker \S+: 1\.0\.0/,
        ),
      },
    ]);
    await expect(bullmqExecutor(url, { version: "0.9.0" })).rejects.toThrowError(
      /coordinator .* has version 0\.9\.0/,
    );
  });

  test("a worker without the data says which file, and the others do the work", async () => {
    const url = place();
    writeFileSync(join(folder, "needed.csv"), "1");
    const data = [await referenceTo(folder, "needed.csv")];
    const empty = mkdtempSync(join(tmpdir(), "curvature-empty-"));
    onTestFinished(() => rmSync(empty, { recursive: true }));
    const executor = await coordinator(url);
    const without = workerForTest({ url, data: empty });
    const withData = workerForTest({ url, data: folder });
    await Promise.all([without.said("joined"), withData.said("joined")]);
    const ends = await all(sweep({ ...squares(20, 100), data }, executor));
    expect(outcomes(ends)).toEqual(expectedSquares(20));
    expect(without.events().find(({ type }) => type === "declined")).toMatchObject({
      reason: expect.stringContaining("needed.csv is not in the data folder"),
    });
  });

  test("when no worker has the data, the sweep ends and says so", async () => {
    const url = place();
    const data = [{ path: "nowhere.csv", sha256: "0".repeat(64) }];
    const executor = await coordinator(url);
    workerForTest({ url, data: folder });
    await expect(all(sweep({ ...squares(2), data }, executor))).rejects.toMatchObject({
      code: "ERR_IO",
      message: expect.stringMatching(
        /^No worker has the data\. \S+ says: nowhere\.csv is not in the data folder/,
      ),
    });
  });

  test("what comes as a unit and is none, or leads out of the data folder, is refused without harm", async () => {
    const url = place();
    workerForTest({ url, data: folder });
    const connection = await connect(url);
    onTestFinished(connection.close);
    const queue = new Queue("units-1.0.0", { connection: connection.client, prefix: "curvature" });
    onTestFinished(() => queue.close());
    const unit = { id: "u", command: "bytes", settings: {}, seed: 0, data: [] };
    const hostile = [
      null,
      { sweep: "s" },
      { sweep: "s", unit: { ...unit, command: "../../x" } },
      { sweep: "s", unit: { ...unit, seed: "0" } },
      { sweep: "s", unit: { ...unit, data: [{ path: "../secret", sha256: "0".repeat(64) }] } },
      { sweep: "s", unit: { ...unit, data: [{ path: "/etc/passwd", sha256: "0".repeat(64) }] } },
    ];
    for (const [k, data] of hostile.entries())
      await queue.add("bytes", data, { jobId: `job${k}`, attempts: 3 });
    const reasons: (string | undefined)[] = [];
    for (const k of hostile.keys()) {
      let job = await queue.getJob(`job${k}`);
      while (job?.finishedOn === undefined) {
        await new Promise((done) => setTimeout(done, 20));
        job = await queue.getJob(`job${k}`);
      }
      reasons.push(job.failedReason);
    }
    expect(reasons.slice(0, 4).every((reason) => reason === "What came as a unit of work is none.")).toBe(
      true,
    );
    expect(reasons.slice(4).every((reason) => reason?.includes("is no path inside a data folder"))).toBe(
      true,
    );
    const executor = await coordinator(url);
    expect(outcomes(await all(sweep(squares(2), executor)))).toEqual(expectedSquares(2));
  });

  test("aborted: what waits is taken back, and a later run goes on", async () => {
    const url = place();
    const worker = workerForTest({ url });
    const stop = new AbortController();
    const executor = await coordinator(url, { name: "later" });
    const running = sweep(squares(12, 300), executor, {
      signal: stop.signal,
      onEnd: () => stop.abort(new Error("enough")),
    });
    await expect(all(running)).rejects.toThrowError("enough");
    await executor.close();
    await new Promise((done) => setTimeout(done, 300));
    const before = worker.events().filter(({ type }) => type === "done").length;
    expect(before).toBeLessThan(12); // that work goes on for seconds after the word to stop would fail here
    const again = await coordinator(url, { name: "later" });
    expect(outcomes(await all(sweep(squares(12, 300), again)))).toEqual(expectedSquares(12));
    expect(worker.events().filter(({ type }) => type === "done")).toHaveLength(12);
  });

  test("a worker that is asked to stop gives back what it has", async () => {
    const url = place();
    const leaving = workerForTest({ url });
    const executor = await coordinator(url);
    const ends = all(sweep(squares(2, 1500), executor));
    await leaving.said("started");
    leaving.child.kill("SIGTERM");
    expect(await leaving.ended()).toBe(0);
    const staying = workerForTest({ url });
    expect(outcomes(await ends)).toEqual(expectedSquares(2));
    expect(staying.events().filter(({ type }) => type === "done")).toHaveLength(2);
  });

  test("a full Redis ends the sweep with a sentence, not a hang", async () => {
    const small = await redisForTest("--maxmemory", "3mb");
    const executor = await coordinator(small.url);
    const plan = {
      command: "square",
      settings: { text: "x".repeat(20_000) },
      grid: { x: squares(300).grid["x"] },
    };
    await expect(all(sweep(plan, executor))).rejects.toMatchObject({
      code: "ERR_IO",
      message: expect.stringContaining("is full"),
    });
  });

  test("a Redis that becomes full while runs are under way is told of, and loses none of their ends", async () => {
    const { url } = await redisForTest();
    const { client, close } = await connect(url);
    onTestFinished(close);
    workerForTest({ url });
    const notices: string[] = [];
    const executor = await coordinator(url, { onNotice: (sentence) => notices.push(sentence) });
    const running = sweep(squares(8, 500), executor);
    const first = await running.next();
    await client.config("SET", "maxmemory", "1");
    const rest = await all(running);
    expect(outcomes([first.value, ...rest])).toEqual(expectedSquares(8));
    expect(notices).toEqual([expect.stringContaining("is full")]);
  });

  test("with ends that are known it is the same sweep, and all of it is dropped when it is over", async () => {
    const url = place();
    const worker = workerForTest({ url });
    const first = await coordinator(url, { name: "half" });
    const ends = await all(sweep(squares(4), first));
    await first.close();
    const known = new Map(ends.slice(0, 3).map((end) => [end.id, end]));
    for (const some of [known, new Map(ends.map((end) => [end.id, end]))]) {
      const again = await coordinator(url, { name: "half" });
      expect(outcomes(await all(sweep(squares(4), again, { known: some })))).toEqual(expectedSquares(4));
      if (some.size === ends.length) await again.forget();
      await again.close();
    }
    expect(worker.events().filter(({ type }) => type === "done")).toHaveLength(4);
    const { client, close } = await connect(url);
    onTestFinished(close);
    expect((await client.keys("*")).filter((key) => /half|[0-9a-f]{40}/.test(key))).toEqual([]);
  });

  test("what others have written over our keys is passed over, or told of", async () => {
    const url = place();
    const { client, close } = await connect(url);
    onTestFinished(close);
    await client.hset("curvature:member-info", { a: "rubbish", b: '{"version":"0.1.0"}', c: "7" });
    await client.zadd("curvature:members", "+inf", "a", "+inf", "c");
    const executor = await coordinator(url, { name: "odd" });
    await client.set("curvature:sweep:odd:lease", "somebody");
    await expect(all(sweep(squares(1), executor))).rejects.toThrowError("led by the coordinator somebody");
    await client.del("curvature:members");
    await client.set("curvature:members", "5");
    await expect(bullmqExecutor(url, { version: "1.0.0" })).rejects.toMatchObject({
      code: "ERR_IO",
      message: expect.stringContaining("are not of this program"),
    });
  });

  test("options and addresses are checked before anything is sent", async () => {
    await expect(bullmqExecutor("nowhere", { version: "1" })).rejects.toMatchObject({ code: "ERR_OPTION" });
    await expect(bullmqExecutor(place(), { version: "1", name: "../x" })).rejects.toMatchObject({
      code: "ERR_OPTION",
    });
    const worker = serveUnits(place(), { data: folder, module: unitModule, version: "1", concurrency: 0 });
    await expect(worker).rejects.toMatchObject({ code: "ERR_OPTION", path: "concurrency" });
  });
});
