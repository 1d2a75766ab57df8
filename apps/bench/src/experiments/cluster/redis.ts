/** A Redis of a measurement's own: on a free port of this machine, in a folder that goes with it, with an append-only file. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { saying } from "./child-output.ts";

export interface Redis {
  readonly url: string;
  /** Ends it and removes its folder. */
  end(): Promise<void>;
}

export async function startRedis(): Promise<Redis> {
  const folder = mkdtempSync(join(tmpdir(), "curvature-bench-redis-"));
  const port = await freePort();
  const words = ["--port", String(port), "--bind", "127.0.0.1", "--dir", folder, "--save", ""];
  const child = spawn("redis-server", [...words, "--appendonly", "yes"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await saying(child, /Ready to accept connections/);
  return {
    url: `redis://127.0.0.1:${port}`,
    end: async () => {
      const ended = new Promise((done) => child.once("exit", done));
      child.kill("SIGTERM");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function freePort(): Promise<number> {
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
