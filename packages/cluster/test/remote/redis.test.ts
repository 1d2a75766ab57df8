/** A remote sum behind a real Redis: the bits of home, and everything that can be stopped is stopped. */
import type { SumOfFunctions } from "@curvature/optim-core";
import { minimizeSum } from "@curvature/optim-sfo";
import { describe, expect, test } from "vitest";
import { coordinate } from "../../src/remote/coordinator.js";
import { encodeFrame } from "../../src/remote/frames.js";
import { RemoteSum } from "../../src/remote/remote-sum.js";
import { missingRedis, redisForTest } from "../redis-for-test.js";
import { connected, coordinator, description, home, options, sum, worker } from "./far-sums.js";
import { quartics } from "./problems.js";

describe.skipIf(missingRedis !== undefined)("behind Redis", () => {
  test("a run has the bits of home with one worker and with three", { tags: ["full"] }, async () => {
    const server = await redisForTest();
    for (const workers of [1, 3]) {
      const running = await Promise.all(Array.from({ length: workers }, () => worker(server)));
      const far = await coordinator(server);
      const away = await minimizeSum(far, options);
      expect(away.x).toEqual((await home).x);
      expect(away.value).toBe((await home).value);
      await far.close();
      for (const one of running) await one.stop();
    }
  });

  test("nothing is left in Redis but the counter of epochs", async () => {
    const server = await redisForTest();
    await worker(server);
    const far = await coordinator(server);
    await far.evaluate(0, sum.initial, new Float64Array(9));
    await far.close();
    const { client } = await connected(server);
    await pause(20); // a connection looks by a key of a millisecond whether there is room
    expect(await client.keys("*")).toEqual(["curvature:sum:{quartics}"]);
    expect(await client.ttl("curvature:sum:{quartics}")).toBeGreaterThan(80_000);
  });

  test("what a coordinator leaves that is killed before it has done anything goes after a day", async () => {
    const server = await redisForTest();
    const connection = await connected(server);
    await coordinate(connection, { name: "quartics", description, version: "1" });
    connection.client.disconnect();
    const { client } = await connected(server);
    await pause(20);
    for (const key of await client.keys("*")) expect(await client.ttl(key), key).toBeGreaterThan(0);
  });

  test("a run that fails leaves no more behind than one that does not", { tags: ["full"] }, async () => {
    const server = await redisForTest();
    const far = await coordinator(server, { patienceSeconds: 1 });
    await expect(far.evaluate(0, sum.initial)).rejects.toThrowError("no worker has taken part");
    await far.close();
    const { client } = await connected(server);
    await pause(20);
    expect(await client.keys("*")).toEqual(["curvature:sum:{quartics}"]);
  });

  test("a worker that comes later is waited for, and one that goes is not missed", async () => {
    const server = await redisForTest();
    const warnings: string[] = [];
    const far = await coordinator(server, {}, warnings);
    const run = minimizeSum(far, options);
    await pause(200);
    const first = await worker(server);
    await pause(300);
    await worker(server);
    await first.stop();
    expect((await run).x).toEqual((await home).x);
  });

  test("what a worker had when it died is asked of another", { tags: ["full"] }, async () => {
    const server = await redisForTest();
    const far = await coordinator(server, { deadAfterSeconds: 0.5 });
    const { client } = await connected(server);
    const value = far.evaluate(3, sum.initial);
    const tasks = "curvature:sum:{quartics}:1:tasks";
    await client.xgroup("CREATECONSUMER", tasks, "workers", "1|dead");
    while (
      (await client.xreadgroup("GROUP", "workers", "1|dead", "COUNT", 5, "STREAMS", tasks, ">")) === null
    )
      await pause(20);
    await worker(server);
    expect(await value).toBe(sum.evaluate(3, sum.initial));
  });

  test("a question that three workers died of is given up", { tags: ["full"] }, async () => {
    const server = await redisForTest();
    const far = await coordinator(server, { deadAfterSeconds: 0.3 });
    const { client } = await connected(server);
    const value = far.evaluate(3, sum.initial);
    let isOver = false;
    value.catch(() => {
      isOver = true;
    });
    const tasks = "curvature:sum:{quartics}:1:tasks";
    while (!isOver) {
      await client.xreadgroup("GROUP", "workers", "1|dead", "COUNT", 5, "STREAMS", tasks, ">");
      await pause(50);
    }
    await expect(value).rejects.toThrowError(
      "Subfunction 3 failed 3 times, at last at dead: its worker died of it",
    );
  });

  test("a long evaluation is in good hands as long as its worker is heard of", {
    tags: ["full"],
  }, async () => {
    const server = await redisForTest();
    let calls = 0;
    const slow: SumOfFunctions = {
      ...sum,
      evaluate: async (index, x, gradient) => {
        calls++;
        await pause(11_000);
        return sum.evaluate(index, x, gradient);
      },
    };
    await worker(server, slow);
    await worker(server, slow);
    const far = await coordinator(server, { deadAfterSeconds: 5 });
    expect(await far.evaluate(3, sum.initial)).toBe(sum.evaluate(3, sum.initial));
    expect(calls).toBe(1);
  });

  test.each([["SIGTERM"], ["SIGKILL"]] as const)(
    "Redis stopped by %s and started in the middle of a run changes nothing",
    { tags: ["full"] },
    async (signal) => {
      const server = await redisForTest();
      await worker(server, slowed(4));
      await worker(server, slowed(4));
      const far = await coordinator(server);
      const run = minimizeSum(far, { ...options, maxPasses: 12 });
      const expected = await minimizeSum(sum, { ...options, maxPasses: 12 });
      for (let k = 0; k < 2; k++) {
        await pause(150);
        await server.stop(signal);
        await pause(100);
        await server.start();
      }
      expect((await run).x).toEqual(expected.x);
    },
  );

  test("a Redis that comes back with nothing is told everything again", { tags: ["full"] }, async () => {
    const server = await redisForTest("--appendonly", "no");
    await worker(server, slowed(4));
    const far = await coordinator(server);
    const run = minimizeSum(far, options);
    await pause(120);
    await server.stop("SIGKILL");
    await server.start();
    expect((await run).x).toEqual((await home).x);
  });

  test("a coordinator that was killed has a successor when its lease has run out; a living one has none", {
    tags: ["full"],
  }, async () => {
    const server = await redisForTest();
    await coordinator(server);
    await expect(coordinator(server)).rejects.toThrowError(
      /^A coordinator named quartics is at work at redis:/,
    );
    const { client } = await connected(server);
    await client.set("curvature:sum:{other}:lease", "dead", "PX", 700);
    const connection = await connected(server);
    const transport = await coordinate(connection, { name: "other", description, version: "1" });
    await transport.close();
  });

  test("a lease without an end, put there by hand, is told of and not waited for", async () => {
    const server = await redisForTest();
    const connection = await connected(server);
    await connection.client.set("curvature:sum:{held}:lease", "somebody");
    await expect(coordinate(connection, { name: "held", description, version: "1" })).rejects.toThrowError(
      "A coordinator named held is at work",
    );
  });

  test("answers to a coordinator that is no more do not reach its successor", async () => {
    const server = await redisForTest();
    const connection = await connected(server);
    const { client } = connection;
    const first = await coordinate(connection, { name: "quartics", description, version: "1" });
    await first.close();
    const far = await coordinator(server);
    const value = far.evaluate(3, sum.initial);
    const late = encodeFrame({ kind: "value", epoch: 1, ask: 0, value: 999, gradient: undefined });
    expect(
      await client.xadd("curvature:sum:{quartics}:1:answers", "NOMKSTREAM", "*", "frame", Buffer.from(late)),
    ).toBe(null);
    await client.xadd("curvature:sum:{quartics}:2:answers", "*", "frame", Buffer.from(late));
    await worker(server);
    expect(await value).toBe(sum.evaluate(3, sum.initial));
  });

  test("bytes that are no answer are told of, and the question is answered all the same", async () => {
    const server = await redisForTest();
    const warnings: string[] = [];
    const far = await coordinator(server, {}, warnings);
    const { client } = await connected(server);
    await client.xadd("curvature:sum:{quartics}:1:answers", "*", "frame", "rubbish");
    await worker(server);
    expect(await far.evaluate(3, sum.initial)).toBe(sum.evaluate(3, sum.initial));
    expect(warnings.join()).toContain("is no frame");
  });

  test("a gradient of a million entries comes through whole", { tags: ["full"] }, async () => {
    const server = await redisForTest();
    const wide = quartics(1_000_000, 1);
    await worker(server, wide);
    const connection = await connected(server);
    const far = new RemoteSum(
      wide,
      await coordinate(connection, { name: "wide", description, version: "1" }),
    );
    const [here, there] = [new Float64Array(1_000_000), new Float64Array(1_000_000)];
    expect(await far.evaluate(0, wide.initial, there)).toBe(wide.evaluate(0, wide.initial, here));
    expect(there.every((entry, j) => Object.is(entry, here[j]))).toBe(true);
    await far.close();
  });

  test("sums that are long gone, or none at all, are no matter of the others", {
    tags: ["full"],
  }, async () => {
    const server = await redisForTest();
    const { client } = await connected(server);
    await client.sadd("curvature:sums", "gone", "none", "torn");
    await client.set("curvature:sum:{none}", "no hash");
    await client.hset("curvature:sum:{torn}", { epoch: 1, description: "{{", version: "1" });
    await client.set("curvature:sum:{torn}:lease", "x");
    await worker(server);
    const far = await coordinator(server);
    expect((await minimizeSum(far, options)).x).toEqual((await home).x);
    expect(await client.smembers("curvature:sums")).not.toContain("gone");
  });

  test("two sums at a time have the same workers", async () => {
    const server = await redisForTest();
    const other = quartics(4, 6, 11);
    await worker(server, sum, { build: async (what) => (what === "other" ? other : sum) });
    const far = await coordinator(server);
    const connection = await connected(server);
    const second = new RemoteSum(
      other,
      await coordinate(connection, { name: "other", description: "other", version: "1" }),
    );
    const values = await Promise.all([far.evaluate(1, sum.initial), second.evaluate(1, other.initial)]);
    expect(values).toEqual([sum.evaluate(1, sum.initial), other.evaluate(1, other.initial)]);
    await second.close();
  });
});

function slowed(milliseconds: number): SumOfFunctions {
  return {
    ...sum,
    evaluate: async (index, x, gradient) => {
      await pause(milliseconds);
      return sum.evaluate(index, x, gradient);
    },
  };
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((done) => {
    setTimeout(done, milliseconds);
  });
}
