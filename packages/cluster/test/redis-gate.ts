/** A way to Redis that is shut after so many connections: whoever comes then is sent away until it is opened. */
import { connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

export interface RedisGate {
  readonly url: string;
  /** Ends when somebody has been sent away. */
  readonly refused: Promise<void>;
  open(): void;
}

/** For the test that is running. */
export async function gateTo(port: number, connections: number): Promise<RedisGate> {
  const sockets = new Set<Socket>();
  let left = connections;
  let tellRefused = (): void => undefined;
  const refused = new Promise<void>((done) => {
    tellRefused = done;
  });
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    if (left <= 0) {
      socket.destroy();
      tellRefused();
      return;
    }
    left -= 1;
    const redis = connect(port, "127.0.0.1");
    redis.on("error", () => undefined);
    socket.pipe(redis).pipe(socket);
    for (const end of [socket, redis]) {
      sockets.add(end);
      end.on("close", () => {
        socket.destroy();
        redis.destroy();
      });
    }
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("no address");
  return {
    url: `redis://127.0.0.1:${address.port}`,
    refused,
    open: () => {
      left = Number.POSITIVE_INFINITY;
    },
  };
}
