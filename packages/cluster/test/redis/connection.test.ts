import { createServer } from "node:net";
import { CurvatureError } from "@curvature/linalg";
import { describe, expect, onTestFinished, test } from "vitest";
import { type ConnectOptions, connect, redisError, shownPlace } from "../../src/redis/connection.js";
import { missingRedis, redisForTest } from "../redis-for-test.js";
import { freePort } from "../redis-server.js";

/** For who answers in the end, however busy the machine is. */
const patient = { firstPatienceSeconds: 300, patienceSeconds: 300 };
/** For who never answers. */
const quick = { firstPatienceSeconds: 0.3 };

async function refusal(url: string, patience: ConnectOptions = patient): Promise<CurvatureError> {
  try {
    const connection = await connect(url, patience);
    await connection.close();
  } catch (error) {
    if (error instanceof CurvatureError) return error;
    throw error;
  }
  throw new Error("the connection was made");
}

test.each([
  ["", "ERR_OPTION"],
  ["localhost:6379", "ERR_OPTION"],
  ["http://localhost", "ERR_OPTION"],
  ["redis://", "ERR_OPTION"],
  ["redis://host/queue", "ERR_OPTION"],
])("what is no address of a Redis is refused: %s", async (url, code) => {
  expect((await refusal(url)).code).toBe(code);
});

test("the shown place holds neither user nor password", () => {
  expect(shownPlace("redis://me:secret@box:6380/2")).toBe("redis://box:6380/2");
  expect(shownPlace("rediss://:secret@box")).toBe("rediss://box:6379");
});

test("an address that cannot be read is not repeated: it may hold a password", async () => {
  expect((await refusal("redis//:secret@box")).message).not.toContain("secret");
  expect((await refusal("redis://:secret@box/queue")).message).not.toContain("secret");
  for (const url of ["redis://:top@secret/word@box", "redis://me:sec%ret@box", "redis://%secret:word@box"]) {
    const { code, message } = await refusal(url);
    expect(code).toBe("ERR_OPTION");
    expect(message).not.toContain("secret");
    expect(message).not.toContain("word@");
    expect(message).toContain("@ as %40");
  }
});

test("a connection that is not there yet is given up when its signal is aborted", async () => {
  const silent = createServer((socket) => socket.on("error", () => undefined));
  await new Promise<void>((done) => silent.listen(0, "127.0.0.1", done));
  onTestFinished(() => void silent.close());
  const address = silent.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const stop = new AbortController();
  silent.once("connection", () => stop.abort(new Error("enough")));
  await expect(
    connect(`redis://127.0.0.1:${port}`, { ...patient, signal: stop.signal }),
  ).rejects.toThrowError("enough");
});

test("nobody at the port: says where, soon", async () => {
  const port = await freePort();
  const error = await refusal(`redis://:secret@127.0.0.1:${port}`, quick);
  expect(error.code).toBe("ERR_IO");
  expect(error.message).toBe(
    `Redis at redis://127.0.0.1:${port} cannot be reached: nothing listens there; start it, or check host and port.`,
  );
});

test.each([
  ["says nothing", ""],
  ["speaks HTTP", "HTTP/1.1 400 Bad Request\r\n\r\n"],
])("a server that %s is not waited for", async (_, answer) => {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.on("data", () => socket.write(answer));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => void server.close());
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("no address");
  const error = await refusal(`redis://127.0.0.1:${address.port}`, quick);
  expect(error.code).toBe("ERR_IO");
  expect(error.message).toContain("check host and port");
});

test("errors of Redis are told in words, with what to do", () => {
  expect(
    redisError("redis://box", new Error("OOM command not allowed when used memory > 'maxmemory'.")),
  ).toMatchObject({
    code: "ERR_IO",
    message: expect.stringContaining("is full"),
  });
  expect(
    redisError("redis://box", new Error("READONLY You can't write against a read only replica.")),
  ).toMatchObject({
    message: expect.stringContaining("is a replica"),
  });
  expect(redisError("redis://box", undefined).code).toBe("ERR_IO");
});

describe.skipIf(missingRedis !== undefined)("with a Redis", () => {
  test("a password that is missing or wrong is refused at once, and not repeated", async () => {
    const { port } = await redisForTest("--requirepass", "right");
    for (const user of ["", ":wrong@"]) {
      const error = await refusal(`redis://${user}127.0.0.1:${port}`);
      expect(error.code).toBe("ERR_OPTION");
      expect(error.message).toContain(`Redis at redis://127.0.0.1:${port} refuses the user or the password`);
      expect(error.message).not.toContain("wrong");
    }
    const connection = await connect(`redis://:right@127.0.0.1:${port}`, patient);
    expect(await connection.client.ping()).toBe("PONG");
    await connection.close();
  });

  test("a database that is not there is refused, and no other one taken", async () => {
    const { url } = await redisForTest("--databases", "4");
    expect(await refusal(`${url}/4`)).toMatchObject({
      code: "ERR_OPTION",
      message: `Redis at ${url}/4 has no database of this number; check the end of the address.`,
    });
    const connection = await connect(`${url}/3`, patient);
    expect(await connection.client.client("INFO")).toContain(" db=3 ");
    await connection.close();
  });

  test("a full Redis is told before any work", async () => {
    const { url } = await redisForTest("--maxmemory", "1");
    expect((await refusal(url)).message).toContain("is full");
  });

  test("a Redis that throws keys away is refused", async () => {
    const { url } = await redisForTest("--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru");
    expect((await refusal(url)).message).toContain("maxmemory-policy allkeys-lru");
  });

  test("a restart is waited for: the command goes through, the data are there", async () => {
    const server = await redisForTest();
    const connection = await connect(server.url, patient);
    await connection.client.set("a", "1");
    await server.stop();
    const reading = connection.client.get("a");
    await server.start();
    expect(await reading).toBe("1");
    expect(connection.lost.aborted).toBe(false);
    await connection.close();
  });

  test("a Redis that stays away is given up: commands fail and `lost` says why", async () => {
    const server = await redisForTest();
    const connection = await connect(server.url, { ...patient, patienceSeconds: 0.2 });
    await server.stop();
    await expect(connection.client.get("a")).rejects.toThrow();
    expect(connection.lost.aborted).toBe(true);
    expect(connection.lost.reason).toMatchObject({ code: "ERR_IO" });
    await connection.close();
  });
});
