/**
 * Makes the valid calls of `calls/` with one thing in them replaced: an argument, an option, a field, an entry. What
 * comes of it must be a CurvatureError or a result without a NaN, within a second.
 *
 * Arrays of more than 64 Mi entries cannot be made here, so that a size out of all bounds meets the end of memory on
 * every machine, and at once.
 */
import { parentPort, workerData } from "node:worker_threads";
import { CurvatureError } from "@curvature/linalg";
import type { Call } from "./calls/call.ts";
import { packages } from "./calls/index.ts";

export interface ExtremesJob {
  readonly package: string;
  /** Cases up to this one are left out. */
  readonly after: number;
  /** Of `stride` cases, the one with this remainder is tried. */
  readonly stride: number;
  readonly phase: number;
}

export interface ExtremeFinding {
  /** The package and the call. */
  readonly callee: string;
  readonly where: string;
  readonly what: string;
}

/** What the thread tells, as it goes: where it is, and what came of it. */
export type ExtremesMessage =
  | { readonly begin: number; readonly callee: string; readonly where: string }
  | { readonly end: "refused" | "taken" | "all" }
  | { readonly end: "found"; readonly finding: ExtremeFinding };

/** What a user's own code throws goes through: it is no fault of the callee. */
class OwnError extends Error {}

const throws = (): never => {
  throw new OwnError("thrown by the caller's own code");
};
const hostile = (): object =>
  Object.defineProperties(
    {},
    Object.fromEntries(
      ["length", "rows", "data", "constructor", "valueOf", "toString", "0"].map((name) => [
        name,
        { get: throws, enumerable: true },
      ]),
    ),
  );

const givesNaN = (): number => Number.NaN;

const extremes: readonly (readonly [string, () => unknown])[] = [
  ["NaN", () => Number.NaN],
  ["Infinity", () => Number.POSITIVE_INFINITY],
  ["-Infinity", () => Number.NEGATIVE_INFINITY],
  ["-0", () => -0],
  ["-1", () => -1],
  ["0.5", () => 0.5],
  ["5e-324", () => 5e-324],
  ["1e308", () => 1e308],
  ["2^31", () => 2 ** 31],
  ["2^53", () => 2 ** 53],
  ['""', () => ""],
  ['"text"', () => "text"],
  ["null", () => null],
  ["true", () => true],
  ["a symbol", () => Symbol("a symbol")],
  ["a bigint", () => 10n],
  ["[]", () => []],
  ["{}", () => ({})],
  ["an empty Float64Array", () => new Float64Array()],
  ["a function that gives NaN", () => givesNaN],
  ["a function that throws", () => throws],
  ["getters that throw", hostile],
];

type Path = readonly (string | number)[];

/** The places of the arguments: each of them, the fields of plain objects, and the first entry of arrays. */
function placesOf(value: unknown, path: Path, depth: number): Path[] {
  if (Array.isArray(value) && value.length > 0)
    return [path, ...(depth > 0 ? placesOf(value[0], [...path, 0], depth - 1) : [])];
  if (value instanceof Float64Array && value.length > 0) return [path, [...path, 0]];
  if (
    typeof value === "object" &&
    value !== null &&
    Object.getPrototypeOf(value) === Object.prototype &&
    depth > 0
  )
    return [
      path,
      ...Object.entries(value).flatMap(([key, inner]) => placesOf(inner, [...path, key], depth - 1)),
    ];
  return [path];
}

function allPlaces({ make, options }: Call): Path[] {
  const given = make();
  const places = given.flatMap((argument, k) => placesOf(argument, [k], 3));
  const named = new Set(places.map(String));
  const last = given.length - 1;
  const more = Object.keys(options ?? {}).map((name): Path => [last, name]);
  return [...places, ...more.filter((path) => !named.has(String(path)))];
}

function replaced(value: unknown, path: Path, extreme: unknown): unknown {
  if (path.length === 0) return extreme;
  const [key, ...rest] = path;
  if (Array.isArray(value)) return value.map((item, k) => (k === key ? replaced(item, rest, extreme) : item));
  if (value instanceof Float64Array) {
    const copy = value.slice();
    copy[Number(key)] = typeof extreme === "number" ? extreme : Number.NaN;
    return copy;
  }
  const fields = new Map(Object.entries(typeof value === "object" && value !== null ? value : {}));
  fields.set(String(key), replaced(fields.get(String(key)), rest, extreme));
  return Object.fromEntries(fields);
}

/**
 * Where a result has a NaN; results of unusual depth or size are looked at in part. A run that says of itself that its
 * result is of no use may show the NaN that it met, but not as its point; one that diverged may in its history.
 */
function nanIn(value: unknown, path: string, depth: number): string | undefined {
  if (typeof value === "number") return Number.isNaN(value) ? path : undefined;
  if (typeof value !== "object" || value === null || value instanceof Error || depth === 0) return undefined;
  if ("usable" in value && value.usable === false && "x" in value)
    return nanIn(value.x, `${path}.x`, depth - 1);
  if (value instanceof Float64Array || value instanceof Float32Array)
    return value.some(Number.isNaN) ? path : undefined;
  if (ArrayBuffer.isView(value)) return undefined;
  for (const [key, inner] of Object.entries(value).slice(0, 200)) {
    if (key === "history" && "status" in value && value.status === "diverged") continue;
    const found = nanIn(inner, `${path}.${key}`, depth - 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** That the signal of `calls/`, which ends what would go on for ever, was heard. */
const isTimeout = (error: unknown): boolean => error instanceof DOMException && error.name === "TimeoutError";

type End = { readonly refused: boolean; readonly late?: boolean; readonly fault: string | undefined };

async function tried(call: Call, path: Path, extreme: unknown): Promise<End> {
  const given = replaced(call.make(), path, extreme);
  const began = process.cpuUsage();
  let end: End;
  try {
    const result: unknown = await Reflect.apply(call.apply, undefined, Array.isArray(given) ? given : []);
    const nan = call.passesOn && extreme === givesNaN ? undefined : nanIn(result, "result", 6);
    end = { refused: false, fault: nan === undefined ? undefined : `NaN in ${nan}` };
  } catch (error) {
    const isTyped = error instanceof CurvatureError;
    const isOwn = error instanceof OwnError;
    const stack = error instanceof Error ? error.stack?.split("\n").slice(0, 4).join("\n") : undefined;
    end = {
      refused: true,
      late: isTimeout(error),
      fault: isTyped || isOwn || isTimeout(error) ? undefined : (stack ?? String(error)),
    };
  }
  const { user, system } = process.cpuUsage(began); // of the processor: the machine may be busy
  const seconds = (user + system) / 1e6;
  if (end.fault === undefined && seconds > mostSeconds)
    return { ...end, fault: `took ${seconds.toFixed(2)} s` };
  return end;
}

const mostSeconds = 1;
const mostEntries = 2 ** 26;

for (const name of [
  "Float64Array",
  "Float32Array",
  "Int32Array",
  "Uint32Array",
  "Uint16Array",
  "Uint8Array",
]) {
  const original: unknown = Reflect.get(globalThis, name);
  if (typeof original !== "function") continue;
  const bounded = new Proxy(original, {
    construct(target, given, newTarget) {
      if (typeof given[0] === "number" && given[0] > mostEntries)
        throw new RangeError("Array buffer allocation failed");
      return Reflect.construct(target, given, newTarget);
    },
  });
  Reflect.set(globalThis, name, bounded);
}

const say = (message: ExtremesMessage): void => parentPort?.postMessage(message);

async function work({ package: name, after, stride, phase }: ExtremesJob): Promise<void> {
  let number = 0;
  for (const [callee, call] of Object.entries(packages[name].calls)) {
    // a call that fails as it stands would prove nothing
    if (after === 0) {
      let end = await tried(call, [], call.make());
      // The machine may be busy; only a hang is late so often.
      for (let k = 0; k < 1000 && end.late; k++) end = await tried(call, [], call.make());
      const { refused, fault } = end;
      const what = fault ?? (refused ? "is refused" : undefined);
      if (what !== undefined)
        say({
          end: "found",
          finding: { callee: `${name}/${callee}`, where: `${name}/${callee}, the valid call`, what },
        });
    }
    for (const path of allPlaces(call)) {
      for (const [extreme, make] of extremes) {
        number++;
        if (number <= after || number % stride !== phase) continue;
        const where = `${name}/${callee}(${path.join(".")} = ${extreme})`;
        say({ begin: number, callee: `${name}/${callee}`, where });
        const { refused, fault } = await tried(call, path, make());
        if (fault !== undefined)
          say({ end: "found", finding: { callee: `${name}/${callee}`, where, what: fault } });
        else say({ end: refused ? "refused" : "taken" });
      }
    }
  }
  say({ end: "all" });
}

if (workerData !== null) await work(workerData);
