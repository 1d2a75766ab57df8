/**
 * One door for options: a flat object is checked against its frozen defaults and a table of rules. An unknown
 * name, a wrong type or a value out of range is an error that names the option, what was expected and, for a
 * misspelt name, the nearest known one.
 */
import { CurvatureError, type ErrorCode } from "./errors.js";

/** Decides whether one option's value is acceptable; `expected` completes the sentence "… must be …". */
export interface Rule {
  readonly expected: string;
  accepts(value: unknown): boolean;
}

export type Rules<T> = { readonly [K in keyof T]-?: Rule };

const rule = (expected: string, accepts: (value: unknown) => boolean): Rule => ({ expected, accepts });
const isNumber = (value: unknown): value is number => typeof value === "number";

export const integerFrom = (least: number, most = Number.POSITIVE_INFINITY): Rule =>
  rule(
    most === Number.POSITIVE_INFINITY
      ? `a whole number of at least ${least}`
      : `a whole number from ${least} to ${most}`,
    (v) => isNumber(v) && Number.isSafeInteger(v) && v >= least && v <= most,
  );
export const positive: Rule = rule(
  "a finite number above 0",
  (v) => isNumber(v) && Number.isFinite(v) && v > 0,
);
export const nonNegative: Rule = rule(
  "a finite number of at least 0",
  (v) => isNumber(v) && Number.isFinite(v) && v >= 0,
);
export const between = (low: number, high: number): Rule =>
  rule(`a number from ${low} to ${high}`, (v) => isNumber(v) && v >= low && v <= high);
export const flag: Rule = rule("true or false", (v) => typeof v === "boolean");
export const text: Rule = rule("a string", (v) => typeof v === "string");
export const callback: Rule = rule("a function", (v) => typeof v === "function");
/** Of an object that does something. */
export const havingMethod = (method: string, expected: string): Rule =>
  rule(expected, (v) => {
    const known: unknown = typeof v === "object" && v !== null ? Reflect.get(v, method) : undefined;
    return typeof known === "function";
  });
export const oneOf = (...choices: readonly string[]): Rule =>
  rule(`one of ${choices.map((c) => `"${c}"`).join(", ")}`, (v) => choices.some((choice) => choice === v));
export const either = (...rules: readonly Rule[]): Rule =>
  rule(rules.map((r) => r.expected).join(" or "), (v) => rules.some((r) => r.accepts(v)));
export const optional = (inner: Rule): Rule =>
  rule(`${inner.expected} (or left out)`, (v) => v === undefined || inner.accepts(v));
/** For values that have a check of their own further in (arrays, signals). */
export const anything: Rule = rule("a value", () => true);

/**
 * The options as used: `given` over `defaults`. Only own properties of `given` count, and undefined ones do not.
 *
 * @param where - the function or class whose options these are, for the message
 * @throws CurvatureError ERR_OPTION
 */
export function checkOptions<T extends object>(
  where: string,
  given: Partial<T> | undefined,
  defaults: T,
  rules: Rules<T>,
): T {
  if (given === undefined) return { ...defaults };
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    throw new CurvatureError("ERR_OPTION", `${where}: options must be an object.`, {
      path: where,
      received: given,
    });
  }
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(rules, name)) throw unknownOption(where, name, Object.keys(rules));
  }
  const settings: T = { ...defaults };
  for (const name in rules) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (value !== undefined) settings[name] = value;
    if (!rules[name].accepts(settings[name]))
      throw badOption(where, name, rules[name].expected, settings[name]);
  }
  return settings;
}

export function badOption(where: string, name: string, expected: string, received: unknown): CurvatureError {
  return unfit("ERR_OPTION", where, name, expected, received);
}

export function badArgument(
  where: string,
  name: string,
  expected: string,
  received: unknown,
): CurvatureError {
  return unfit("ERR_ARGUMENT", where, name, expected, received);
}

export function unfit(
  code: ErrorCode,
  where: string,
  name: string,
  expected: string,
  received: unknown,
): CurvatureError {
  const message = `${where}: ${name} must be ${expected}; received ${shown(received)}.`;
  return new CurvatureError(code, message, { path: name, expected, received });
}

function unknownOption(where: string, name: string, known: readonly string[]): CurvatureError {
  const nearest = nearestName(name, known);
  const hint = nearest === undefined ? `Known options: ${known.join(", ")}.` : `Did you mean "${nearest}"?`;
  return new CurvatureError("ERR_OPTION", `${where}: unknown option ${shown(name)}. ${hint}`, {
    path: name,
    expected: known.join(", "),
    received: name,
  });
}

/** The known name at the smallest edit distance, if that is small enough to be a slip of the hand. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const distances = known.map((candidate) => editDistance(name.toLowerCase(), candidate.toLowerCase()));
  const least = Math.min(...distances);
  const slip = least < name.length && least <= Math.max(2, Math.floor(name.length / 3));
  return slip ? known[distances.indexOf(least)] : undefined;
}

function editDistance(a: string, b: string): number {
  if (a.length > 64 || b.length > 64) return Number.POSITIVE_INFINITY;
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substitution, row[j] + 1, next[j - 1] + 1));
    }
    row = next;
  }
  return row[b.length];
}

/** A received value in a message: short, and never a whole data set. */
export function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(shortened(value));
  if (Array.isArray(value)) return `an array of length ${value.length}`;
  if (ArrayBuffer.isView(value)) return `a ${className(value)}`;
  if (typeof value === "object" && value !== null) return `an object (${className(value)})`;
  if (typeof value === "function") return "a function";
  return shortened(String(value));
}

function className(value: object): string {
  const name: unknown = value.constructor?.name;
  return typeof name === "string" ? shortened(name) : "no prototype";
}

const shortened = (words: string): string => (words.length > 60 ? `${words.slice(0, 57)}...` : words);
