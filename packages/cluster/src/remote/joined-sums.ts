/** The sums that a worker takes part in: those whose coordinators live, and that it can build. */
import { shown } from "@curvature/linalg";
import type { SumOfFunctions } from "@curvature/optim-core";
import type { RedisConnection } from "../redis/connection.js";
import { encodeFrame } from "./frames.js";
import { PointCache } from "./point-cache.js";
import { type EpochKeys, keysOf, registry } from "./redis-names.js";

/** A sum with what is to be let go of when its run is over. */
export interface ServedSum extends SumOfFunctions {
  close?(): Promise<void>;
}

export interface JoinOptions {
  readonly connection: RedisConnection;
  /** Of the program; must be the coordinator's. */
  readonly version: string;
  /** The sum that a description means. What it throws is the reason why this worker takes no part. */
  readonly build: (description: unknown) => Promise<ServedSum>;
  /** Called when a sum begins or ends. */
  readonly note?: (sentence: string) => void;
}

export interface Joined {
  readonly name: string;
  readonly epoch: number;
  readonly keys: EpochKeys;
  readonly sum: ServedSum;
  readonly points: PointCache;
  /** Entries of its tasks that are being worked on. */
  readonly busy: Set<string>;
}

/** What a coordinator has published. */
interface Published {
  readonly name: string;
  readonly epoch: number;
  readonly description: string;
  readonly version: string;
}

export class JoinedSums {
  private readonly joined = new Map<string, Joined>();
  /** Sums that are being built, or were refused: name and epoch. */
  private readonly known = new Set<string>();

  /** @param worker - its name, for coordinators */
  constructor(
    private readonly options: JoinOptions,
    private readonly worker: string,
  ) {}

  get all(): readonly Joined[] {
    return [...this.joined.values()];
  }

  /** Joins those that have come, and leaves those that have ended. */
  async look(): Promise<void> {
    const alive = new Set<string>();
    for (const sum of await this.published()) {
      const which = `${sum.name} ${sum.epoch}`;
      alive.add(which);
      if (this.known.has(which)) continue;
      this.known.add(which);
      await this.join(which, sum);
    }
    for (const which of this.joined.keys()) if (!alive.has(which)) await this.leave(which);
    // A sum that comes back is joined, or refused, anew.
    for (const which of this.known) if (!alive.has(which)) this.known.delete(which);
  }

  private async published(): Promise<readonly Published[]> {
    const { client } = this.options.connection;
    const sums: Published[] = [];
    for (const name of await client.smembers(registry)) {
      const keys = keysOf(name);
      const [epoch, description, version] = await client
        .hmget(keys.base, "epoch", "description", "version")
        .catch((error: unknown) => {
          // One bad entry, of something else than a coordinator, is no matter of the other sums.
          if (/WRONGTYPE/.test(String(error))) return ["", null, null];
          throw error;
        });
      if (epoch === null) await client.srem(registry, name); // long dead: its coordinator wrote the epoch first
      if (epoch === null || description === null || (await client.exists(keys.lease)) === 0) continue;
      sums.push({ name, epoch: Number(epoch), description, version: version ?? "" });
    }
    return sums;
  }

  private async join(which: string, { name, epoch, description, version }: Published): Promise<void> {
    const { connection, note } = this.options;
    const keys = keysOf(name).of(epoch);
    try {
      if (version !== this.options.version)
        throw new Error(
          `it is of version ${this.options.version}, and the coordinator of ${version}; install the same one`,
        );
      const sum = await this.options.build(JSON.parse(description));
      const points = new PointCache(connection, keys.points);
      this.joined.set(which, { name, epoch, keys, sum, points, busy: new Set() });
      note?.(`Takes part in ${name}: ${sum.count} subfunctions of ${sum.dimension} parameters.`);
    } catch (error) {
      const reason = error instanceof Error ? error.message : shown(error);
      const frame = encodeFrame({ kind: "refusal", epoch, worker: this.worker, reason });
      const bytes = Buffer.from(frame.buffer);
      await connection.client.xadd(keys.answers, "NOMKSTREAM", "*", "frame", bytes);
      note?.(`Takes no part in ${name}: ${reason}`);
    }
  }

  private async leave(which: string): Promise<void> {
    const joined = this.joined.get(which);
    if (joined === undefined) return;
    this.joined.delete(which);
    this.options.note?.(`${joined.name} has ended.`);
    await joined.sum.close?.();
  }

  async close(): Promise<void> {
    for (const { sum } of this.all) await sum.close?.();
  }
}
