/**
 * Reading a snapshot back: every field is checked before a solver takes any of them, so that a solver that
 * refuses is as it was before.
 */
import { badOption, CurvatureError, shown } from "@curvature/linalg";
import type { Outcome, Snapshot } from "./solver.js";

const endings = ["converged", "max-iterations", "max-evaluations", "stalled", "diverged", "failed"] as const;

/** The fields of a snapshot's state, or of an object within it; each getter throws ERR_SNAPSHOT for a wrong one. */
export class SnapshotReader {
  private readonly fields: ReadonlyMap<string, unknown>;
  private readonly where: string;

  constructor(where: string, state: unknown) {
    this.where = where;
    if (!isPlainObject(state)) throw this.wrong("its state", "an object", state);
    this.fields = new Map(Object.entries(state));
  }

  number(key: string): number {
    const value = this.fields.get(key);
    return typeof value === "number" ? value : this.fail(key, "a number", value);
  }

  /** A number, or undefined where the solver saved null for it. */
  optionalNumber(key: string): number | undefined {
    return this.fields.get(key) === null ? undefined : this.number(key);
  }

  /** A whole number of at least `least` and at most `most`. */
  integer(key: string, least = 0, most = Number.MAX_SAFE_INTEGER): number {
    const value = this.fields.get(key);
    if (typeof value === "number" && Number.isSafeInteger(value) && value >= least && value <= most)
      return value;
    return this.fail(key, `a whole number from ${least} to ${most}`, value);
  }

  flag(key: string): boolean {
    const value = this.fields.get(key);
    return typeof value === "boolean" ? value : this.fail(key, "true or false", value);
  }

  text(key: string): string {
    const value = this.fields.get(key);
    return typeof value === "string" ? value : this.fail(key, "a string", value);
  }

  /** One of `words`. */
  oneOf<Word extends string>(key: string, words: readonly Word[]): Word {
    const value = this.fields.get(key);
    return words.find((word) => word === value) ?? this.fail(key, `one of ${words.join(", ")}`, value);
  }

  /** The array itself, not a copy; `length` is checked where it is given. */
  float64(key: string, length?: number): Float64Array {
    const value = this.fields.get(key);
    if (value instanceof Float64Array && fits(value, length)) return value;
    return this.fail(key, arrayOf("Float64Array", length), value);
  }

  float32(key: string, length?: number): Float32Array {
    const value = this.fields.get(key);
    if (value instanceof Float32Array && fits(value, length)) return value;
    return this.fail(key, arrayOf("Float32Array", length), value);
  }

  int32(key: string, length?: number): Int32Array {
    const value = this.fields.get(key);
    if (value instanceof Int32Array && fits(value, length)) return value;
    return this.fail(key, arrayOf("Int32Array", length), value);
  }

  uint32(key: string, length?: number): Uint32Array {
    const value = this.fields.get(key);
    if (value instanceof Uint32Array && fits(value, length)) return value;
    return this.fail(key, arrayOf("Uint32Array", length), value);
  }

  uint8(key: string, length?: number): Uint8Array {
    const value = this.fields.get(key);
    if (value instanceof Uint8Array && fits(value, length)) return value;
    return this.fail(key, arrayOf("Uint8Array", length), value);
  }

  list(key: string): readonly unknown[] {
    const value = this.fields.get(key);
    return Array.isArray(value) ? value : this.fail(key, "a list", value);
  }

  /** The object under `key`, with its own getters. */
  object(key: string): SnapshotReader {
    const value = this.fields.get(key);
    return isPlainObject(value)
      ? new SnapshotReader(`${this.where}, ${key}`, value)
      : this.fail(key, "an object", value);
  }

  /** The snapshot of another solver, which that one reads; its content is not looked at here. */
  snapshot(key: string): Snapshot {
    const value = this.fields.get(key);
    return isSnapshot(value) ? value : this.fail(key, "a snapshot", value);
  }

  /** How the solver ended, or undefined where it saved null for it. */
  outcome(key: string): Outcome | undefined {
    if (!this.has(key)) return undefined;
    const saved = this.object(key);
    return { status: saved.oneOf("status", endings), message: saved.text("message") };
  }

  /** Whether `key`, which must be there, holds something else than null. */
  has(key: string): boolean {
    return this.fields.has(key) ? this.fields.get(key) !== null : this.fail(key, "there", undefined);
  }

  private fail(key: string, expected: string, received: unknown): never {
    throw this.wrong(key, expected, received);
  }

  private wrong(what: string, expected: string, received: unknown): CurvatureError {
    return new CurvatureError(
      "ERR_SNAPSHOT",
      `${this.where}: ${what} must be ${expected}; received ${shown(received)}. The snapshot is of another problem, or damaged.`,
      { path: what, expected, received },
    );
  }
}

/**
 * The state of a snapshot that this solver wrote.
 *
 * @throws CurvatureError ERR_SNAPSHOT if another solver wrote it, or another version of this one
 */
export function openSnapshot(snapshot: Snapshot, solver: string, version: number): SnapshotReader {
  if (typeof solver !== "string") throw badOption("openSnapshot", "solver", "a solver's name", solver);
  const where = `Snapshot for ${solver}`;
  if (!isPlainObject(snapshot) || typeof snapshot.solver !== "string")
    throw new CurvatureError("ERR_SNAPSHOT", `${where}: received ${shown(snapshot)}.`, {
      received: snapshot,
    });
  if (snapshot.solver !== solver)
    throw new CurvatureError(
      "ERR_SNAPSHOT",
      `${where}: it was written by the solver ${shown(snapshot.solver)}. Restore it with that one.`,
      { path: "solver", expected: solver, received: snapshot.solver },
    );
  if (snapshot.version !== version)
    throw new CurvatureError(
      "ERR_SNAPSHOT",
      `${where}: it is of version ${shown(snapshot.version)}, this library reads ${shown(version)}. Use the release that wrote it.`,
      { path: "version", expected: String(version), received: snapshot.version },
    );
  return new SnapshotReader(where, snapshot.state);
}

function isSnapshot(value: unknown): value is Snapshot {
  return isPlainObject(value) && "solver" in value && "version" in value && "state" in value;
}

export function isPlainObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);
}

const fits = (array: ArrayLike<number>, length: number | undefined): boolean =>
  length === undefined || array.length === length;

const arrayOf = (kind: string, length: number | undefined): string =>
  length === undefined ? `a ${kind}` : `a ${kind} of length ${length}`;
