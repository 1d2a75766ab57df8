// @module-tag full
/**
 * Kill -9 of workers and of the coordinator at random moments, and Redis stopped and started: the run ends with the bits of
 * an undisturbed one at home, and with as many evaluations. A few faults; `npm run cluster-faults` has many.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RandomGenerator } from "@curvature/linalg";
import { describe, expect, onTestFinished, test } from "vitest";
import { missingRedis, redisForTest } from "../redis-for-test.js";

/** The run outlasts its faults: a pass is 30 evaluations of 20 ms by two workers. */
const sizes = [
  { tags: ["full"], passes: "15", faults: { worker: 2, coordinator: 1, redis: 1 } },
  { tags: ["hours"], passes: "600", faults: { worker: 50, coordinator: 20, redis: 10 } },
];

const program = join(import.meta.dirname, "../fixtures/subfunctions.mjs");
const start = (...words: readonly string[]): ChildProcess =>
  spawn(process.execPath, [program, ...words], { stdio: ["ignore", "pipe", "inherit"] });

function said(child: ChildProcess): Promise<string> {
  return new Promise((done) => {
    let text = "";
    child.stdout?.on("data", (piece: Buffer) => {
      text += piece.toString();
    });
    child.once("close", () => done(text));
  });
}

for (const { tags, passes, faults } of sizes)
  describe.skipIf(missingRedis !== undefined)("over a Redis,", { tags }, () =>
    test("whoever is killed, the run ends as an undisturbed one", async () => {
      const folder = mkdtempSync(join(tmpdir(), "curvature-faults-"));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      const home = await said(start("coordinator", "home", join(folder, "home.ckpt"), passes));
      const server = await redisForTest();
      const random = new RandomGenerator(4);
      const checkpoint = join(folder, "run.ckpt");
      // The clock of one of them is a day ahead: nothing is measured by it.
      const startWorker = (k: number): ChildProcess => start("worker", server.url, k === 0 ? "86400" : "0");
      const workers = [startWorker(0), startWorker(1)];
      let coordinator = start("coordinator", server.url, checkpoint, passes);
      onTestFinished(() => {
        for (const child of [...workers, coordinator]) child.kill("SIGKILL");
      });
      let answer = said(coordinator);
      const left = { ...faults };
      while (left.worker + left.coordinator + left.redis > 0) {
        await new Promise((done) => setTimeout(done, 200 + random.integer(1800)));
        if (coordinator.exitCode !== null) break;
        const pick = random.integer(left.worker + left.coordinator + left.redis);
        if (pick < left.worker) {
          const k = random.integer(2);
          workers[k].kill("SIGKILL");
          workers[k] = startWorker(k);
          left.worker--;
        } else if (pick < left.worker + left.coordinator) {
          coordinator.kill("SIGKILL");
          await answer;
          coordinator = start("coordinator", server.url, checkpoint, passes);
          answer = said(coordinator);
          left.coordinator--;
        } else {
          await server.stop(random.integer(2) === 0 ? "SIGTERM" : "SIGKILL");
          await new Promise((done) => setTimeout(done, random.integer(1000)));
          await server.start();
          left.redis--;
        }
      }
      expect(left, "the run must be longer than its faults").toEqual({ worker: 0, coordinator: 0, redis: 0 });
      expect(await answer).toBe(home);
    }),
  );
