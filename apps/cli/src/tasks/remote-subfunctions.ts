/**
 * What `curvature worker` does for `curvature fit --redis`: builds the sums that are described in a Redis from its own
 * data folder, and evaluates their subfunctions in threads.
 */
import { hostname } from "node:os";
import { MessageChannel } from "node:worker_threads";
import type { ServedSum } from "@curvature/cluster/redis";
import { CurvatureError } from "@curvature/linalg";
import { loadCluster, loadRedis } from "../run/cluster.js";
import { compute } from "../run/compute.js";
import { silentLog } from "../run/log.js";
import { buildVersion } from "../version.js";
import { readDescription } from "./fit/description.js";
import type { ServedShape } from "./subfunctions.js";

export interface RemoteSubfunctionsOptions {
  /** redis://host:port */
  readonly redis: string;
  /** The folder that descriptions name their files from. */
  readonly data: string;
  /** Evaluations at a time, each in a thread of its own. */
  readonly concurrency: number;
  /** In messages. Undefined: host and process. */
  readonly name: string | undefined;
  readonly signal: AbortSignal;
  /** Called when a sum begins and when it ends. */
  readonly note: (sentence: string) => void;
}

/**
 * Serves until the signal is aborted. Without a run that needs it there are no threads.
 *
 * @throws CurvatureError ERR_OPTION or ERR_IO if Redis cannot be reached, or is lost
 */
export async function serveRemoteSubfunctions(options: RemoteSubfunctionsOptions): Promise<void> {
  const { redis, concurrency, signal, note } = options;
  const { connect, serveSubfunctions } = await loadRedis("worker");
  const connection = await connect(redis, { signal }).catch((error: unknown) => {
    if (signal.aborted) return undefined;
    throw error;
  });
  if (connection === undefined) return;
  try {
    await serveSubfunctions({
      connection,
      name: options.name ?? `${hostname()}:${process.pid}`,
      version: buildVersion(),
      capacity: concurrency,
      build: (description) => build(description, options),
      signal,
      note,
    });
  } finally {
    await connection.close();
  }
}

/** @throws CurvatureError for what cannot be built here, in words for the coordinator */
async function build(
  received: unknown,
  { data, concurrency }: RemoteSubfunctionsOptions,
): Promise<ServedSum> {
  const { PortTransport, RemoteSum, fileOf } = await loadCluster("worker");
  const description = readDescription(received);
  const file = await fileOf(data, description.file);
  const labelFile = description.labelFile && (await fileOf(data, description.labelFile));
  const ending = new AbortController();
  const threads = Array.from({ length: concurrency }, () => {
    const { port1, port2 } = new MessageChannel();
    const input = { description, file, labelFile, port: port2 };
    const ended = compute("subfunctions", input, {
      log: silentLog,
      signal: ending.signal,
      transfer: [port2],
    });
    const shape = new Promise<ServedShape>((done, fail) => {
      port1.once("message", done);
      ended.then(
        () =>
          fail(new CurvatureError("ERR_IO", "a thread has ended before it was asked", { path: "thread" })),
        fail,
      );
    });
    return { port: port1, shape, ended };
  });
  const end = async (): Promise<void> => {
    ending.abort();
    await Promise.allSettled(threads.map(({ ended }) => ended));
    for (const { port } of threads) port.close();
  };
  try {
    const [shape] = await Promise.all(threads.map((thread) => thread.shape));
    const transport = new PortTransport(
      threads.map(({ port }) => port),
      end,
    );
    return new RemoteSum(shape, transport);
  } catch (error) {
    await end();
    throw error;
  }
}
