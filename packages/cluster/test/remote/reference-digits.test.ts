// @module-tag full
/** Logistic regression of the handwritten digits by SFO, its evaluations by worker processes behind a Redis. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { RemoteSum } from "@curvature/cluster";
import { connect, coordinate } from "@curvature/cluster/redis";
import { loadDigits } from "@curvature/datasets/digits";
import { logisticRegression } from "@curvature/objectives/sums";
import { minimizeSum } from "@curvature/optim-sfo";
import { expect, onTestFinished, test } from "vitest";
import { missingRedis, redisForTest } from "../redis-for-test.js";

test.skipIf(missingRedis !== undefined)("answers as they come end at the loss of home", async () => {
  const { points, labels } = await loadDigits();
  const signs = Int32Array.from(labels, (digit) => (Number(digit) % 2 === 0 ? 1 : -1));
  const problem = logisticRegression(points, signs);
  const { url } = await redisForTest();
  const program = join(import.meta.dirname, "../fixtures/digits-worker.mjs");
  const workers = [0, 1, 2].map(() => spawn(process.execPath, [program, url], { stdio: "inherit" }));
  onTestFinished(() => {
    for (const worker of workers) worker.kill("SIGKILL");
  });
  const connection = await connect(url);
  onTestFinished(() => connection.close());
  const far = new RemoteSum(
    problem,
    await coordinate(connection, { name: "digits", description: {}, version: "1" }),
  );
  onTestFinished(() => far.close());

  const options = { initial: problem.initial, maxPasses: 100, seed: 1 };
  const home = await minimizeSum(problem, options);
  const arriving = await minimizeSum(far, { ...options, concurrency: 4 });
  expect(home.status).toBe("converged");
  expect(arriving.status).toBe("converged");
  const loss = home.value ?? Number.NaN;
  expect(Math.abs((arriving.value ?? Number.NaN) - loss) / loss).toBeLessThan(1e-6);
});
