/**
 * The way to Redis: one place that knows how to get there, how long to try, and what to say when it does not work.
 *
 * A connection that breaks is made again for `patienceSeconds`, and what was under way waits meanwhile: a server that is
 * restarted costs time and nothing else. After that every command fails with a sentence. The password is in no message.
 */
import { CurvatureError, instance, type OptionsOf, optionTable, positive } from "@curvature/linalg";
import { Redis } from "ioredis";

export const connectOptions = optionTable({
  /** Seconds for which a lost connection is made again before it is given up. */
  patienceSeconds: positive.default(60),
  /** Seconds for the first connection: a wrong address should not take a minute to tell. */
  firstPatienceSeconds: positive.default(5),
  /** Ends the work: a connection that is not there yet is given up, and one that does not answer is, after `farewellSeconds`. */
  signal: instance("an AbortSignal", AbortSignal),
});
export type ConnectOptions = OptionsOf<typeof connectOptions>;

/** How long after its signal a connection may take for what is still to be said. */
const farewellSeconds = 3;

export interface RedisConnection {
  /**
   * Of ioredis. Its copies (`duplicate()`) are as patient, and begin to connect at once: a lazy one whose first attempt fails is
   * given up by BullMQ, and a worker behind it waits for ever.
   */
  readonly client: Redis;
  /** The server's address without user and password, for messages. */
  readonly place: string;
  /** Aborted with a `CurvatureError` when the connection has been given up. */
  readonly lost: AbortSignal;
  close(): Promise<void>;
}

/**
 * Connects, and makes sure that the server can be relied on: the password fits, there is room, and nothing is thrown out
 * when room is short.
 *
 * @param url - redis://[user:password@]host[:port][/database], or rediss:// for TLS
 * @throws the signal's reason; CurvatureError ERR_OPTION for an address that is none or a password that is refused; ERR_IO for a server that
 *   cannot be reached, is full, or would throw data away
 */
export async function connect(url: string, options?: ConnectOptions): Promise<RedisConnection> {
  const patience = connectOptions.resolve("connect", options);
  const address = addressOf(url);
  const place = placeOf(address);
  const lost = new AbortController();
  let lastError: Error | undefined;
  let connected = false;
  let since: number | undefined;
  let isOver = false;
  const client = new Redis(url, {
    connectTimeout: 1000 * patience.firstPatienceSeconds,
    maxRetriesPerRequest: null,
    keepAlive: 10_000,
    disconnectTimeout: 200, // a server that does not answer does not hang up either
    retryStrategy: (times: number) => {
      if (isOver) return null;
      const seconds = connected ? patience.patienceSeconds : patience.firstPatienceSeconds;
      if (times === 1 || since === undefined) since = performance.now();
      const isHopeless = lastError !== undefined && isRefusal(lastError);
      if (isHopeless || performance.now() - since > 1000 * seconds) {
        lost.abort(redisError(place, lastError));
        return null;
      }
      return Math.min(50 * times, 1000);
    },
  });
  const all = new Set([client]);
  const duplicate = client.duplicate.bind(client);
  client.duplicate = (override) => {
    const copy = duplicate(override);
    all.add(copy);
    copy.once("end", () => all.delete(copy));
    return copy;
  };
  /** What waits for an answer fails now. */
  const breakOff = (): void => {
    isOver = true;
    for (const one of all) {
      one.disconnect();
      if (one.status !== "reconnecting") continue;
      // Between two attempts the client would keep what waits for ever: only an attempt that ends fails it.
      one.connect().catch(() => undefined);
      one.disconnect();
    }
  };
  const { signal } = patience;
  const onAbort = (): void => {
    if (connected) setTimeout(breakOff, 1000 * farewellSeconds).unref();
    else breakOff();
  };
  if (signal?.aborted) onAbort();
  signal?.addEventListener("abort", onAbort, { once: true });
  client.on("error", (error: Error) => {
    lastError = error;
  });
  client.on("ready", () => {
    connected = true;
    since = undefined;
  });
  try {
    await withinSeconds(firstReady(client, lost.signal), 2 * patience.firstPatienceSeconds, place);
    if (address.pathname.length > 1) await client.select(Number(address.pathname.slice(1))); // the client takes another one without a word
    await checkServer(client, place);
  } catch (error) {
    breakOff();
    signal?.removeEventListener("abort", onAbort);
    signal?.throwIfAborted();
    throw redisError(place, error instanceof CurvatureError ? error : (lastError ?? error));
  }
  const close = async (): Promise<void> => {
    signal?.removeEventListener("abort", onAbort);
    await closed(client);
    breakOff();
  };
  return { client, place, lost: lost.signal, close };
}

/** Any error of Redis or of the way to it as one of ours. `place` without a password, as in `RedisConnection`. */
export function redisError(place: string, cause: unknown): CurvatureError {
  if (cause instanceof CurvatureError) return cause;
  const message = cause instanceof Error ? cause.message : String(cause);
  const code = codeOf(cause);
  const refusal = refusals.find(({ pattern }) => pattern.test(message));
  if (refusal !== undefined) {
    return new CurvatureError(refusal.code, `Redis at ${place} ${refusal.words}`, { path: "redis" });
  }
  const reason =
    (code !== undefined && reasons[code]) ||
    "the connection broke, or there is no Redis there; check host and port";
  return new CurvatureError("ERR_IO", `Redis at ${place} cannot be reached: ${reason}.`, { path: "redis" });
}

/** Whether a server says that it is full. */
export const isFull = (error: unknown): boolean => /\bOOM\b/.test(String(error));

/** The address with what is secret left out. @throws CurvatureError ERR_OPTION for what is no address of a Redis */
export function shownPlace(url: string): string {
  return placeOf(addressOf(url));
}

function addressOf(url: string): URL {
  const expected = "redis://host:port, with user:password@ before the host where one is needed";
  const address = typeof url === "string" && URL.canParse(url) ? new URL(url) : undefined;
  if (address === undefined || !/^rediss?:$/.test(address.protocol) || address.hostname === "") {
    // What was given is not shown: it may hold a password.
    throw new CurvatureError("ERR_OPTION", `The address of Redis must be ${expected}.`, {
      path: "redis",
      expected,
    });
  }
  if (!/^\/?\d*$/.test(address.pathname)) {
    // Nor here: this may be the rest of a password.
    throw new CurvatureError(
      "ERR_OPTION",
      `The address of Redis must end in nothing or in a database's number, such as /0. ${encoding}`,
      { path: "redis", expected },
    );
  }
  if (![address.username, address.password].every(isEncoded)) {
    throw new CurvatureError(
      "ERR_OPTION",
      `The address of Redis has a user or a password with a % that encodes nothing. ${encoding}`,
      { path: "redis", expected },
    );
  }
  return address;
}

const encoding = "In a user or a password write @ as %40, / as %2F, ? as %3F, # as %23 and % as %25.";

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function placeOf({ protocol, hostname, port, pathname }: URL): string {
  return `${protocol}//${hostname}:${port === "" ? "6379" : port}${pathname === "/" ? "" : pathname}`;
}

async function firstReady(client: Redis, lost: AbortSignal): Promise<void> {
  await new Promise<void>((done, fail) => {
    lost.addEventListener("abort", () => fail(lost.reason), { once: true });
    client.once("end", () => fail(new Error("the connection was closed")));
    client.once("ready", done); // failures go through `retryStrategy`, which has the last word
  });
}

async function withinSeconds(work: Promise<void>, seconds: number, place: string): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, fail) => {
    timer = setTimeout(
      () =>
        fail(
          new CurvatureError(
            "ERR_IO",
            `Redis at ${place} cannot be reached: it takes connections and does not answer as a Redis does; check host and port.`,
            { path: "redis" },
          ),
        ),
      1000 * seconds,
    );
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** A Redis that evicts keys would lose units and results without a word; one that is full cannot take any. */
async function checkServer(client: Redis, place: string): Promise<void> {
  const memory = await client.info("memory");
  const figure = (name: string): string => new RegExp(`^${name}:(.*?)\\r?$`, "m").exec(memory)?.[1] ?? "";
  const most = Number(figure("maxmemory"));
  const policy = figure("maxmemory_policy");
  if (most > 0 && policy !== "" && policy !== "noeviction") {
    throw new CurvatureError(
      "ERR_IO",
      `Redis at ${place} throws data away when its memory is full (maxmemory-policy ${policy}), and would lose results; set maxmemory-policy noeviction.`,
      { path: "redis", expected: "noeviction", received: policy },
    );
  }
  await tryWrite(client);
}

/** Ends in the error of a full server, where it is one: its answers to reads do not tell. */
export async function tryWrite(client: Redis): Promise<void> {
  await client.set("curvature:room", "", "PX", 1);
}

/** Leaves politely while there is someone to take leave of. */
async function closed(client: Redis): Promise<void> {
  if (client.status === "ready") {
    await Promise.race([
      client.quit().catch(() => undefined),
      new Promise((done) => setTimeout(done, 500).unref()),
    ]);
  }
  client.disconnect();
}

interface Refusal {
  readonly pattern: RegExp;
  readonly code: "ERR_IO" | "ERR_OPTION";
  readonly words: string;
}

/** What a server says that is there and will not serve. */
const refusals: readonly Refusal[] = [
  {
    pattern: /WRONGPASS|NOAUTH|invalid password|invalid username-password/i,
    code: "ERR_OPTION",
    words: "refuses the user or the password; check both in its address (redis://user:password@host:port).",
  },
  {
    pattern: /NOPERM/,
    code: "ERR_OPTION",
    words: "does not let this user do what is needed; give the user the rights to all keys and commands.",
  },
  {
    pattern: /DENIED Redis is running in protected mode/,
    code: "ERR_OPTION",
    words: "takes no connections from other machines (protected mode); give it a password.",
  },
  {
    pattern: /\bOOM\b/,
    code: "ERR_IO",
    words: "is full (maxmemory); give it more memory, or remove what is not needed any more.",
  },
  {
    pattern: /MISCONF/,
    code: "ERR_IO",
    words: "cannot write to its disk and takes no more data; see its log.",
  },
  {
    pattern: /READONLY/,
    code: "ERR_IO",
    words: "is a replica, which cannot be written to; give the address of the primary.",
  },
  {
    pattern: /max number of clients reached/,
    code: "ERR_IO",
    words: "has as many clients as it takes (maxclients); raise that, or use fewer workers.",
  },
  {
    pattern: /DB index is out of range|invalid DB index/i,
    code: "ERR_OPTION",
    words: "has no database of this number; check the end of the address.",
  },
  {
    pattern: /WRONGTYPE/,
    code: "ERR_IO",
    words:
      'has keys that begin with "curvature" and are not of this program; take another database, as redis://host:port/1.',
  },
  {
    pattern: /Protocol error/i,
    code: "ERR_IO",
    words: "does not answer as a Redis does; check host and port.",
  },
];

const isHopeless = /WRONGPASS|NOAUTH|NOPERM|DENIED|invalid password|DB index|Protocol error/i;
const isRefusal = (error: Error): boolean => isHopeless.test(error.message);

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there; start it, or check host and port",
  ENOTFOUND: "there is no such host; check its name",
  EAI_AGAIN: "the host's name cannot be looked up now; check the network",
  ETIMEDOUT: "the host does not answer; check the address and the firewall",
  EHOSTUNREACH: "there is no way to this host; check the network",
  ENETUNREACH: "there is no way to this network; check the network",
  ECONNRESET:
    "the other side broke the connection off; check that a Redis listens there, and whether it wants TLS (rediss://)",
  EPIPE: "the connection broke",
};

function codeOf(cause: unknown): string | undefined {
  if (typeof cause !== "object" || cause === null) return undefined;
  if ("code" in cause && typeof cause.code === "string") return cause.code;
  if ("errors" in cause && Array.isArray(cause.errors)) {
    return cause.errors.map(codeOf).find((code) => code !== undefined);
  }
  return undefined;
}
