/** A sum behind a real Redis: its coordinator and its workers, which are stopped when the test is over. */
import type { SumOfFunctions } from "@curvature/optim-core";
import { minimizeSum } from "@curvature/optim-sfo";
import { onTestFinished } from "vitest";
import { connect, type RedisConnection } from "../../src/redis/connection.js";
import { type CoordinatorOptions, coordinate } from "../../src/remote/coordinator.js";
import { RemoteSum } from "../../src/remote/remote-sum.js";
import { type ServeOptions, serveSubfunctions } from "../../src/remote/serve.js";
import type { RedisServer } from "../redis-server.js";
import { quartics } from "./problems.js";

export const sum = quartics(9, 12);
export const description = { kind: "quartics" };

export async function connected(server: RedisServer): Promise<RedisConnection> {
  const connection = await connect(server.url);
  onTestFinished(() => connection.close());
  return connection;
}

export async function coordinator(
  server: RedisServer,
  options: CoordinatorOptions = {},
  warnings: string[] = [],
): Promise<RemoteSum> {
  const connection = await connected(server);
  const task = { name: "quartics", description, version: "1", warn: (w: string) => warnings.push(w) };
  const far = new RemoteSum(sum, await coordinate(connection, task, options));
  onTestFinished(() => far.close());
  return far;
}

export interface Worker {
  stop(): Promise<void>;
}

export async function worker(
  server: RedisServer,
  of: SumOfFunctions = sum,
  more: Partial<ServeOptions> = {},
): Promise<Worker> {
  const connection = await connected(server);
  const controller = new AbortController();
  const serving = serveSubfunctions({
    connection,
    name: "box:1",
    version: "1",
    capacity: 1,
    build: async () => of,
    signal: controller.signal,
    ...more,
  });
  const stop = async (): Promise<void> => {
    controller.abort();
    await serving;
  };
  onTestFinished(stop);
  return { stop };
}

/** Of a run, whose result at home is `home`. */
export const options = { initial: sum.initial, maxPasses: 5, batch: 4, measureEvery: 1, seed: 5 };
export const home = minimizeSum(sum, options);
