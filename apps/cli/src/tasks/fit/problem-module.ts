/**
 * A module of the user's as a problem: its default export is a sum of functions with a first point, or a function
 * that returns one (or a promise of one). Nothing about it is trusted: the module is loaded here, in the thread that
 * computes, and the result of each of its evaluations is checked.
 *
 * What is passed to the problem is its own: a copy of the point, and a gradient array full of NaN, so that an entry that
 * was never written is found, and not mistaken for a number of an evaluation before.
 */
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { CurvatureError, shown } from "@curvature/linalg";
import { fingerprintOf } from "@curvature/optim-core";
import { fileError, isFileError } from "../../run/failure.js";
import type { FitProblem, FitValidation } from "./problem.js";

/** The argument of a module's default export, if it is a function. */
interface ModuleArgument {
  readonly seed: number;
}

/**
 * @param path - absolute
 * @param name - of the module, for messages
 * @throws CurvatureError ERR_IO; ERR_PARSE for what is no module or no problem, ERR_SHAPE and ERR_NON_FINITE for its
 *   first point
 */
export async function problemFromModule(path: string, name: string, seed: number): Promise<FitProblem> {
  const bytes = bytesOfModule(path, name);
  const exported = await defaultExport(path, name);
  const argument: ModuleArgument = { seed };
  const made = typeof exported === "function" ? await returned(exported, argument, name) : exported;
  if (typeof made !== "object" || made === null) {
    const what = typeof exported === "function" ? "its default export returns" : "its default export is";
    throw refused(name, `${what} ${shown(made)}, and no problem`);
  }
  const dimension = countIn(made, "dimension", name);
  const count = countIn(made, "count", name);
  const evaluate: unknown = fieldIn(made, "evaluate", name);
  if (typeof evaluate !== "function")
    throw refused(name, `evaluate must be a function (index, x, gradient?); it is ${shown(evaluate)}`);
  const initial = initialIn(made, dimension, name);
  const raw: unknown = fieldIn(made, "fingerprint", name);
  const validation = validationIn(made, name);
  if (validation !== undefined) await tryValidation(validation, initial, name);
  return {
    name,
    dimension,
    count,
    initial,
    fingerprint: typeof raw === "string" ? raw : fingerprintOf("module", bytes),
    evaluate: (index, x, gradient) => {
      gradient?.fill(Number.NaN);
      const words = gradient === undefined ? [index, x.slice()] : [index, x.slice(), gradient];
      const value: unknown = Reflect.apply(evaluate, made, words);
      return isThenable(value)
        ? Promise.resolve(value).then((settled: unknown) => numberFrom(settled, index, name))
        : numberFrom(value, index, name);
    },
    layout: undefined,
    whole: undefined,
    model: undefined,
    classes: [],
    targets: undefined,
    validation,
  };
}

/** Its own figure for early stopping. */
function validationIn(made: object, name: string): FitValidation | undefined {
  const validate: unknown = fieldIn(made, "validate", name);
  if (validate === undefined) return undefined;
  if (typeof validate !== "function")
    throw refused(
      name,
      `validate must be a function (x) that returns a number, or a promise of one; it is ${shown(validate)}`,
    );
  const checked = (value: unknown): number => {
    if (typeof value === "number" && Number.isFinite(value)) return value;
    const what = `validate must return a finite number, or a promise of one; it returned ${shown(value)}`;
    throw new CurvatureError("ERR_PARSE", `${name}: ${what}.`, { path: "validate", received: value });
  };
  const evaluate = (x: Float64Array): number | Promise<number> => {
    const value: unknown = Reflect.apply(validate, made, [x]);
    return isThenable(value) ? Promise.resolve(value).then(checked) : checked(value);
  };
  return { rows: undefined, evaluate };
}

/** What is wrong from the start is an error, as it is of subfunctions. */
async function tryValidation({ evaluate }: FitValidation, x: Float64Array, name: string): Promise<void> {
  try {
    await evaluate(x.slice());
  } catch (error) {
    if (error instanceof CurvatureError) throw error;
    throw thrown(name, `${name}: at the first point validate threw: ${reasonOf(error)}`, error, "validate");
  }
}

function bytesOfModule(path: string, name: string): Uint8Array {
  try {
    return new Uint8Array(readFileSync(path));
  } catch (error) {
    throw fileError("read", name, error);
  }
}

async function defaultExport(path: string, name: string): Promise<unknown> {
  let namespace: unknown;
  try {
    namespace = await import(pathToFileURL(path).href);
  } catch (error) {
    const advice = error instanceof SyntaxError ? ` (node --check ${name} shows where.)` : "";
    throw thrown(name, `${name} cannot be loaded: ${reasonOf(error)}${advice}`, error);
  }
  const exported: unknown =
    typeof namespace === "object" && namespace !== null && "default" in namespace
      ? namespace.default
      : undefined;
  if (exported === undefined) throw refused(name, "it has no default export");
  return exported;
}

async function returned(make: object, argument: ModuleArgument, name: string): Promise<unknown> {
  try {
    const value: unknown = typeof make === "function" ? Reflect.apply(make, undefined, [argument]) : make;
    return await value;
  } catch (error) {
    throw thrown(name, `${name}: its default export threw: ${reasonOf(error)}`, error);
  }
}

/** What the module's own code threw, as an error of ours: a file that it cannot read, or a problem that is none. */
export function thrown(name: string, message: string, cause: unknown, path = name): CurvatureError {
  return isFileError(cause)
    ? new CurvatureError("ERR_IO", `Cannot read ${name}, or what it reads: ${reasonOf(cause)}`, {
        path,
        cause,
      })
    : new CurvatureError("ERR_PARSE", message, { path, cause });
}

/** A field, which may be a getter, and so any code. */
function fieldIn(problem: object, key: string, name: string): unknown {
  try {
    return Reflect.get(problem, key);
  } catch (error) {
    throw thrown(name, `${name}: reading its ${key} threw: ${reasonOf(error)}`, error);
  }
}

function countIn(problem: object, key: "dimension" | "count", name: string): number {
  const value: unknown = fieldIn(problem, key, name);
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 1) return value;
  throw refused(name, `${key} must be a whole number of at least 1; it is ${shown(value)}`);
}

function initialIn(problem: object, dimension: number, name: string): Float64Array {
  const raw: unknown = fieldIn(problem, "initial", name);
  const isList = Array.isArray(raw) || raw instanceof Float64Array || raw instanceof Float32Array;
  if (!isList) {
    throw refused(
      name,
      `initial, the first point, must be an array of ${dimension} numbers; it is ${shown(raw)}`,
    );
  }
  if (raw.length !== dimension) {
    const message = `${name}: initial must have ${dimension} numbers, as many as dimension says; it has ${raw.length}.`;
    throw new CurvatureError("ERR_SHAPE", message, { path: "initial", received: raw.length });
  }
  const entries: readonly unknown[] = Array.from(raw);
  const point = new Float64Array(dimension);
  for (const [j, entry] of entries.entries()) {
    if (typeof entry !== "number" || !Number.isFinite(entry)) {
      const message = `${name}: initial has ${shown(entry)} at ${j} (counted from 0). Start at finite numbers.`;
      throw new CurvatureError("ERR_NON_FINITE", message, { path: `initial[${j}]`, received: entry });
    }
    point[j] = entry;
  }
  return point;
}

/** @throws CurvatureError ERR_ARGUMENT */
function numberFrom(value: unknown, index: number, name: string): number {
  if (typeof value === "number") return value;
  throw new CurvatureError(
    "ERR_ARGUMENT",
    `${name}: evaluate must return a number or a promise of one, and write the gradient into its third argument; for subfunction ${index} it returned ${shown(value)}.`,
    { path: "evaluate", expected: "a number", received: value },
  );
}

const refused = (name: string, what: string): CurvatureError =>
  new CurvatureError(
    "ERR_PARSE",
    `${name}: ${what}. Export as default an object { dimension, count, initial, evaluate(index, x, gradient?) }, or a function that returns one.`,
    { path: name },
  );

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";

/** What was thrown, in its own words. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return `${shown(error)}.`;
  const message = error.message || error.name;
  return `${message}${/[.?!]$/.test(message) ? "" : "."}`;
}
