/**
 * Workers, coordinators and Redis itself end at moments that nobody chose: every unit's result is in the summary once.
 * A few times of each; `npm run cluster-faults` does what is promised: 50 workers, 20 coordinators, 10 restarts.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { RandomGenerator } from "@curvature/linalg";
import { describe, expect, onTestFinished, test } from "vitest";
import { missingRedis, redisForTest } from "./redis-for-test.js";
import type { RedisServer } from "./redis-server.js";
import { expectedSquares } from "./units.js";
import { startWorker, type WorkerProcess } from "./worker-process.js";

const milliseconds = 80;

interface Plot {
  readonly faults: number;
  readonly seed: number;
  /** Of each sweep. */
  readonly units: number;
  /** Milliseconds between two faults: from, to. */
  readonly gap: readonly [number, number];
  readonly fault: (scene: Scene) => Promise<void>;
}

interface Scene {
  readonly server: RedisServer;
  /** A moment later, but not always the same. */
  moment(least: number, most: number): Promise<void>;
  /** Two of them, whatever happens. */
  readonly workers: WorkerProcess[];
  replaceWorker(): Promise<void>;
  readonly coordinator: () => ChildProcess;
  replaceCoordinator(): Promise<void>;
}

/** Sweeps, one after the other, until so many faults have happened, each at a moment of its own while a sweep is under way. */
async function survives({ faults, seed, units, gap, fault }: Plot): Promise<number> {
  const server = await redisForTest("--appendfsync", "always");
  const folder = mkdtempSync(join(tmpdir(), "curvature-faults-"));
  const random = new RandomGenerator(seed);
  const workers = [0, 1].map(() => startWorker({ url: server.url, silentSeconds: 1 }));
  let coordinator: ChildProcess | undefined;
  onTestFinished(async () => {
    for (const { child } of workers) child.kill("SIGKILL");
    coordinator?.kill("SIGKILL");
    await Promise.all(workers.map((worker) => worker.ended()));
    rmSync(folder, { recursive: true, force: true });
  });
  let happened = 0;
  let sweeps = 0;
  for (; happened < faults; sweeps++) {
    const file = join(folder, `summary-${sweeps}.json`);
    let over: Promise<number | null> = Promise.resolve(null);
    const start = (): ChildProcess => {
      const words = [server.url, `sweep-${sweeps}`, units, milliseconds, file].map(String);
      const child = spawn(
        process.execPath,
        [resolve(import.meta.dirname, "fixtures/coordinator.mjs"), ...words],
        {
          stdio: ["ignore", "ignore", "inherit"],
        },
      );
      over = new Promise((done) => child.once("close", done));
      coordinator = child;
      return child;
    };
    start();
    const scene: Scene = {
      server,
      workers,
      moment: (least, most) => wait(least + (most - least) * random.uniform()),
      replaceWorker: async () => {
        const k = Math.floor(2 * random.uniform());
        workers[k].child.kill("SIGKILL");
        await workers[k].ended();
        workers[k] = startWorker({ url: server.url, silentSeconds: 1 });
      },
      coordinator: () => coordinator ?? start(),
      replaceCoordinator: async () => {
        coordinator?.kill("SIGKILL");
        await over;
        start();
      },
    };
    while (happened < faults) {
      const ended = await Promise.race([over.then(() => true), scene.moment(...gap).then(() => false)]);
      if (ended) break;
      await fault(scene);
      happened += 1;
    }
    expect(await over).toBe(0);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(expectedSquares(units));
  }
  return sweeps;
}

// A coordinator waits up to six seconds for the lease of the one before it: some are killed in that time, some at work.
const sizes = [
  {
    tags: ["full"],
    killed: 2,
    coordinators: 1,
    restarts: 1,
    coordinatorUnits: 30,
    coordinatorGap: [300, 900],
  },
  {
    tags: ["hours"],
    killed: 50,
    coordinators: 20,
    restarts: 10,
    coordinatorUnits: 400,
    coordinatorGap: [300, 9000],
  },
] as const;

for (const { tags, killed, coordinators, restarts, coordinatorUnits, coordinatorGap } of sizes)
  describe.skipIf(missingRedis !== undefined)("every result once, although", { tags: [...tags] }, () => {
    test(`workers are killed (${killed} times)`, async () => {
      const fault = (scene: Scene): Promise<void> => scene.replaceWorker();
      const plot: Plot = { faults: killed, seed: 1, units: 30, gap: [200, 1500], fault };
      expect(await survives(plot)).toBeGreaterThan(0);
    });

    test(`coordinators are killed (${coordinators} times)`, async () => {
      const fault = (scene: Scene): Promise<void> => scene.replaceCoordinator();
      const plot: Plot = {
        faults: coordinators,
        seed: 2,
        units: coordinatorUnits,
        gap: coordinatorGap,
        fault,
      };
      expect(await survives(plot)).toBeGreaterThan(0);
    });

    test(`Redis is stopped and started (${restarts} times)`, async () => {
      let graceful = false;
      const fault = async ({ server, moment }: Scene): Promise<void> => {
        graceful = !graceful;
        await server.stop(graceful ? "SIGTERM" : "SIGKILL");
        await moment(100, 1000);
        await server.start();
      };
      const plot: Plot = { faults: restarts, seed: 3, units: 30, gap: [200, 1500], fault };
      expect(await survives(plot)).toBeGreaterThan(0);
    });
  });
