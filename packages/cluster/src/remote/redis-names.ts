/**
 * The keys of a remote sum in Redis, and reading its answers, which are untyped. The braces keep all keys of a name in
 * one slot of a Redis cluster.
 *
 *   curvature:sums                  set      names of the sums that are, or were, under way
 *   curvature:sum:{name}            hash     epoch, description, version
 *   curvature:sum:{name}:lease      string   the coordinator's token, gone when it is silent for six seconds
 *   curvature:sum:{name}:E:points   hash     point → frame                              E is the epoch
 *   curvature:sum:{name}:E:tasks    stream   frames, with the consumer group "workers"
 *   curvature:sum:{name}:E:answers  stream   frames
 */
import { CurvatureError, shown } from "@curvature/linalg";

export const registry = "curvature:sums";
export const group = "workers";
/** What a dead coordinator left behind is thrown away after a day. */
export const expirySeconds = 86_400;

export interface SumKeys {
  readonly base: string;
  readonly lease: string;
  of(epoch: number): EpochKeys;
}

export interface EpochKeys {
  readonly points: string;
  readonly tasks: string;
  readonly answers: string;
}

export function keysOf(name: string): SumKeys {
  const base = `curvature:sum:{${name}}`;
  return {
    base,
    lease: `${base}:lease`,
    of: (epoch) => ({
      points: `${base}:${epoch}:points`,
      tasks: `${base}:${epoch}:tasks`,
      answers: `${base}:${epoch}:answers`,
    }),
  };
}

/** @throws CurvatureError ERR_OPTION */
export function checkName(name: unknown): string {
  if (typeof name === "string" && /^[\w.-]{1,100}$/.test(name)) return name;
  throw new CurvatureError(
    "ERR_OPTION",
    `The name of a remote sum must be 1 to 100 letters, digits, dots, dashes or underscores; received ${shown(name)}.`,
    { path: "name", received: name },
  );
}

/** An entry of a stream: its id and the frame that it carries. */
export interface Entry {
  readonly id: string;
  readonly frame: Uint8Array;
}

/** Of XREAD and XREADGROUP: the entries of each stream; null, when there are none, is an empty map. */
export function streamsIn(reply: unknown): Map<string, readonly Entry[]> {
  const streams = new Map<string, readonly Entry[]>();
  if (!Array.isArray(reply)) return streams;
  // Pairs of key and entries, in one list or each in its own: that depends on the protocol's version.
  const flat: readonly unknown[] = Array.isArray(reply[0]) ? reply.flat(1) : reply;
  for (let k = 0; k + 1 < flat.length; k += 2) streams.set(textOf(flat[k]), entriesIn(flat[k + 1]));
  return streams;
}

/** Of XRANGE. */
export function entriesIn(reply: unknown): readonly Entry[] {
  if (!Array.isArray(reply)) return [];
  const entries: Entry[] = [];
  for (const item of reply) {
    if (!Array.isArray(item)) continue;
    const [id, fields]: readonly unknown[] = item;
    const frame: unknown = Array.isArray(fields) ? fields[1] : undefined; // null for an entry that was removed
    if (frame instanceof Uint8Array) entries.push({ id: textOf(id), frame });
  }
  return entries;
}

/** Of XPENDING with a range. */
export function pendingIn(reply: unknown): readonly { readonly id: string; readonly consumer: string }[] {
  if (!Array.isArray(reply)) return [];
  return reply.flatMap((item: unknown) =>
    Array.isArray(item) ? [{ id: textOf(item[0]), consumer: textOf(item[1]) }] : [],
  );
}

export interface Consumer {
  readonly name: string;
  readonly pending: number;
  /** Since its last sign of life, by Redis's own clock. */
  readonly idleSeconds: number;
}

/** Of XINFO CONSUMERS. */
export function consumersIn(reply: unknown): readonly Consumer[] {
  if (!Array.isArray(reply)) return [];
  return reply.flatMap((item: unknown) => {
    const fields = fieldsIn(item);
    const name = fields.get("name");
    const pending = Number(fields.get("pending"));
    const idle = Number(fields.get("idle"));
    return name === undefined || !(pending >= 0 && idle >= 0)
      ? []
      : [{ name: textOf(name), pending, idleSeconds: idle / 1000 }];
  });
}

function fieldsIn(item: unknown): ReadonlyMap<string, unknown> {
  const fields = new Map<string, unknown>();
  if (!Array.isArray(item)) return fields;
  for (let k = 0; k + 1 < item.length; k += 2) fields.set(textOf(item[k]), item[k + 1]);
  return fields;
}

function textOf(value: unknown): string {
  return value instanceof Uint8Array ? new TextDecoder().decode(value) : String(value);
}

/** A consumer is a worker with how much it can do at once, so that the coordinator can cut its questions by that. */
export const consumerName = (worker: string, capacity: number): string => `${capacity}|${worker}`;

export function capacityOf(consumer: string): number {
  const capacity = Number(consumer.split("|", 1)[0]);
  return Number.isSafeInteger(capacity) && capacity >= 1 ? capacity : 1;
}

export const workerOf = (consumer: string): string => consumer.slice(consumer.indexOf("|") + 1);
