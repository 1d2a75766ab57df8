/**
 * Plans: which units a sweep, a set of restarts or a cross-validation is made of. A plan is a pure function of its
 * description, so that it can be made again after a crash and its units recognised.
 */
import { createHash } from "node:crypto";
import { CurvatureError } from "@curvature/linalg";
import type { DataReference, UnitOfWork } from "./executor.js";

/** What all units of a plan have in common. */
export interface Work {
  readonly command: string;
  /** Default: none. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Of the first restart; the others count on from it. Default: 0. */
  readonly seed?: number;
  /** Default: none. */
  readonly data?: readonly DataReference[];
}

/** Values by the name of the setting that takes them; the first name changes slowest. */
export type Grid = Readonly<Record<string, readonly unknown[]>>;

export interface SweepPlan extends Work {
  readonly grid: Grid;
  /** Runs with seeds of their own at each point of the grid. Default: 1. */
  readonly restarts?: number;
}

/** More than anybody waits for: a slip in a grid would otherwise fill the memory. */
const mostUnits = 100_000;

/**
 * One unit for each point of the grid and each restart, restarts next to each other.
 *
 * @throws CurvatureError ERR_ARGUMENT
 */
export function sweepUnits({ grid, restarts = 1, ...work }: SweepPlan): UnitOfWork[] {
  const { command, settings, seed, data } = checkedWork(work);
  if (!Number.isSafeInteger(restarts) || restarts < 1) {
    throw badPlan(`restarts must be a whole number of at least 1; received ${String(restarts)}`);
  }
  if (!Number.isSafeInteger(seed + restarts)) throw badPlan("seed is too large to count on from");
  const points = gridPoints(grid, settings, restarts);
  const units: UnitOfWork[] = [];
  for (const point of points) {
    const name = Object.entries(point).map(([key, value]) => `${key}=${idWord(value)}`);
    for (let r = 0; r < restarts; r++) {
      const id = [...name, `seed=${seed + r}`].join(",");
      units.push({ id, command, settings: { ...settings, ...point }, seed: seed + r, data });
    }
  }
  return units;
}

/** `n` runs that differ in their seeds. @throws CurvatureError ERR_ARGUMENT */
export const restartUnits = (n: number, work: Work): UnitOfWork[] =>
  sweepUnits({ ...work, grid: {}, restarts: n });

/**
 * Each point of the grid on each of `folds` parts of the data: settings `fold` (from 0) and `folds` say which rows are
 * held out. Which rows these are is the command's to know, by the seed alone.
 *
 * @throws CurvatureError ERR_ARGUMENT
 */
export function crossValidationUnits(
  folds: number,
  { grid, ...work }: Omit<SweepPlan, "restarts">,
): UnitOfWork[] {
  if (!Number.isSafeInteger(folds) || folds < 2) {
    throw badPlan(`folds must be a whole number of at least 2; received ${String(folds)}`);
  }
  if (folds > mostUnits) throw badPlan(`folds must be at most ${mostUnits}; received ${folds}`);
  const fold = Array.from({ length: folds }, (_, k) => k);
  return sweepUnits({ ...work, settings: { ...work.settings, folds }, grid: { ...grid, fold } });
}

/** SHA-256 of all that decides the results, in hexadecimal digits: two plans are the same if their hashes are. */
export function planHash(units: readonly UnitOfWork[], version: string): string {
  const hash = createHash("sha256").update(JSON.stringify(version));
  for (const { id, command, settings, seed, data } of units) {
    hash.update(sortedJson({ id, command, settings, seed, data }));
  }
  return hash.digest("hex");
}

function gridPoints(grid: Grid, settings: object, restarts: number): Record<string, unknown>[] {
  if (typeof grid !== "object" || grid === null || Array.isArray(grid)) {
    throw badPlan("the grid must be an object of arrays");
  }
  const axes = Object.entries(grid);
  let count = restarts;
  for (const [name, values] of axes) {
    if (!Array.isArray(values) || values.length === 0) {
      throw badPlan(`the grid's ${JSON.stringify(name)} must be an array with one value or more`);
    }
    if (Object.hasOwn(settings, name))
      throw badPlan(`${JSON.stringify(name)} is in the settings and in the grid`);
    const words = values.map((value) => idWord(value));
    const twice = words.find((word, k) => words.indexOf(word) < k);
    if (twice !== undefined) throw badPlan(`the grid's ${JSON.stringify(name)} has ${twice} twice`);
    count *= values.length;
  }
  if (count > mostUnits) throw badPlan(`the plan has ${count} units, and ${mostUnits} are the most`);
  let points: Record<string, unknown>[] = [{}];
  for (const [name, values] of axes) {
    points = points.flatMap((point) => values.map((value) => ({ ...point, [name]: value })));
  }
  return points;
}

function checkedWork({ command, settings = {}, seed = 0, data = [] }: Work): Required<Work> {
  if (typeof command !== "string" || command === "") throw badPlan("command must be the name of one");
  if (typeof settings !== "object" || settings === null || Array.isArray(settings)) {
    throw badPlan("settings must be an object");
  }
  for (const [name, value] of Object.entries(settings)) jsonWord(value, name);
  if (!Number.isSafeInteger(seed) || seed < 0) {
    throw badPlan(`seed must be a whole number of at least 0; received ${String(seed)}`);
  }
  if (!Array.isArray(data)) throw badPlan("data must be an array of references");
  return { command, settings, seed, data };
}

/** A value as it goes through JSON; what does not is refused, since a worker would get something else. */
function jsonWord(value: unknown, name: unknown = "the grid"): string {
  const word = plainJson(value) ? JSON.stringify(value) : undefined;
  if (word === undefined) throw badPlan(`${String(name)} has a value that JSON cannot hold`);
  return word;
}

/** Short where it can be: words and numbers stand for themselves. */
function idWord(value: unknown): string {
  const word = jsonWord(value);
  return typeof value === "string" && /^[\w.+-]{1,60}$/.test(value) ? value : word;
}

function plainJson(value: unknown, depth = 0): boolean {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || depth > 20) return false;
  if (Array.isArray(value)) return value.every((entry) => plainJson(entry, depth + 1));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  return Object.values(value).every((entry) => plainJson(entry, depth + 1));
}

function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

function badPlan(sentence: string): CurvatureError {
  return new CurvatureError("ERR_ARGUMENT", `Not a plan: ${sentence}.`, { path: "plan" });
}
