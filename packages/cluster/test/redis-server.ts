/** A real Redis: on a free port of this machine, with an append-only file in a folder of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const redisProgram = process.env["REDIS_SERVER"] ?? "redis-server";

export interface RedisServer {
  readonly url: string;
  readonly port: number;
  /** Ends as `redis-cli shutdown` does, or at once. */
  stop(signal?: "SIGTERM" | "SIGKILL"): Promise<void>;
  /** Takes connections and answers nobody, until it is removed. */
  mute(): void;
  /** Again, on the same port and with the same files. */
  start(): Promise<void>;
  /** Stops it and removes its folder. */
  remove(): Promise<void>;
}

/** @param settings - more words for the command line of redis-server, such as "--maxmemory", "2mb" */
export async function startRedis(...settings: readonly string[]): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), "curvature-redis-"));
  const port = await freePort();
  let child: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    child = await started(port, folder, settings);
  };
  const stop = async (signal: "SIGTERM" | "SIGKILL" = "SIGTERM"): Promise<void> => {
    const ending = child;
    child = undefined;
    if (ending === undefined || ending.exitCode !== null) return;
    const ended = new Promise((done) => ending.once("exit", done));
    ending.kill(signal);
    await ended;
  };
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    start,
    stop,
    mute: () => void child?.kill("SIGSTOP"),
    remove: async () => {
      await stop("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function started(port: number, folder: string, settings: readonly string[]): Promise<ChildProcess> {
  const words = ["--port", String(port), "--bind", "127.0.0.1", "--dir", folder, "--save", ""];
  const child = spawn(redisProgram, [...words, "--appendonly", "yes", ...settings], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await new Promise<void>((done, fail) => {
    let said = "";
    child.stdout.on("data", (piece: Buffer) => {
      said += piece.toString();
      if (/Ready to accept connections/.test(said)) done();
    });
    child.once("exit", () => fail(new Error(`redis-server ended: ${said}`)));
    child.once("error", fail);
  });
  child.removeAllListeners("exit");
  return child;
}

export function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const server = createServer();
    server.once("error", fail);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() =>
        typeof address === "object" && address !== null ? done(address.port) : fail(new Error("no port")),
      );
    });
  });
}
