/**
 * Options: each is declared once, in a table, as a rule with its default. The TypeScript types, the frozen defaults and the
 * argument validation follow from the table; so do flags, help and controls where a front end has them.
 *
 *   export const sgdOptions = optionTable({
 *     // δ of the schedule B / (1 + δ k).
 *     decay: nonNegative.default(0.01),
 *     seed: integerFrom(0).default(0),
 *   });
 *   export type SgdOptions = OptionsOf<typeof sgdOptions>;   // { readonly decay?: number | undefined; … }
 *   const settings = sgdOptions.resolve("Sgd", options);      // { decay: number; seed: number }
 *
 * A comment before an entry is the option's documentation: editors show it, and help and reference are made of it.
 * Bundlers may leave out rules and tables that nobody uses, which `@__NO_SIDE_EFFECTS__` tells them of rules, and the build
 * (`tsup.config.base.ts`) of tables.
 */
import { CurvatureError, type ErrorCode, optionName } from "./errors.js";

/** What values are accepted, in code and in words. */
export interface Rule {
  /** Completes the sentence "… must be …"; says all of the rule. */
  readonly expected: string;
  accepts(value: unknown): boolean;
}

interface TypedRule<T> extends Rule {
  accepts(value: unknown): value is T;
  /** The words that it accepts, for those who list them; empty where there are none. */
  readonly words: readonly string[];
  /** The value that a text stands for, as on a command line; the text itself where it stands for nothing else. */
  read(text: string): unknown;
}

/** An option without a default of its own: undefined where it is left out. */
export interface Option<T> extends TypedRule<T> {
  readonly hasDefault: false;
  default(value: T): DefaultedOption<T>;
}

export interface DefaultedOption<T> extends TypedRule<T> {
  readonly hasDefault: true;
  readonly fallback: T;
}

type Entry = Option<unknown> | DefaultedOption<unknown>;
/** What a table is made of. */
export type OptionEntries = { readonly [name: string]: Entry };

/** Options as a user gives them: each may be left out, or undefined. */
export type OptionsOf<T extends { readonly entries: OptionEntries }> = {
  readonly [K in keyof T["entries"]]?: Accepted<T["entries"][K]> | undefined;
};

/** Options as used: each is there; undefined only where there is no default. */
export type SettingsOf<T extends { readonly entries: OptionEntries }> = Settings<T["entries"]>;

type Settings<E extends OptionEntries> = {
  readonly [K in keyof E]: E[K] extends DefaultedOption<infer T> ? T : Accepted<E[K]> | undefined;
};
type Accepted<E> = E extends TypedRule<infer T> ? T : never;

/** The first must be below the second (`<`), or not above it (`<=`), wherever both are numbers. */
export type Relation<Name> = readonly [Name, "<" | "<=", Name];

export interface OptionTable<E extends OptionEntries> {
  readonly entries: E;
  readonly relations: readonly Relation<string>[];
  /** Frozen. Undefined is what depends on the data or on other options: see the entry's comment. */
  readonly defaults: Settings<E>;
  /**
   * The options as used. Only own properties of `options` count, and undefined ones do not.
   *
   * @param where - the function or class whose options these are, for the message
   * @throws CurvatureError ERR_OPTION that names the option, what was expected and what was received; the nearest known name
   *   for an unknown one
   */
  resolve(where: string, options: { readonly [K in keyof E]?: unknown } | undefined): Settings<E>;
  /** The settings of this table among those of a larger one. */
  part(settings: Settings<E>): Settings<E>;
}

/**
 * @param relations - between options: `["sufficientDecrease", "<", "curvature"]`
 * @__NO_SIDE_EFFECTS__
 */
export function optionTable<const E extends OptionEntries>(
  entries: E,
  relations: readonly Relation<keyof E & string>[] = [],
): OptionTable<E> {
  const names = Object.keys(entries);
  const isComplete = (settings: object): settings is Settings<E> =>
    names.every((name) => fits(entries[name], Reflect.get(settings, name)));
  /** @throws CurvatureError */
  const completed = (where: string, options: object): Settings<E> => {
    const settings = Object.fromEntries(
      names.map((name) => {
        const value: unknown = Object.hasOwn(options, name) ? Reflect.get(options, name) : undefined;
        return [name, value === undefined ? fallbackOf(entries[name]) : value];
      }),
    );
    if (isComplete(settings)) {
      for (const relation of relations) checkRelation(where, relation, settings);
      return settings;
    }
    const name = names.find((each) => !fits(entries[each], settings[each])) ?? "";
    throw badOption(where, name, entries[name].expected, settings[name]);
  };
  let defaults: Settings<E> | undefined;
  return {
    entries,
    relations,
    get defaults() {
      defaults ??= Object.freeze(completed("defaults", {})); // programs load many tables, and ask few of them
      return defaults;
    },
    resolve(where, options) {
      if (options === undefined) return completed(where, {});
      checkNames(where, options, names);
      return completed(where, options);
    },
    part: (settings) => completed("settings", settings),
  };
}

const fallbackOf = (entry: Entry): unknown => (entry.hasDefault ? entry.fallback : undefined);
const fits = (entry: Entry, value: unknown): boolean =>
  (value === undefined && !entry.hasDefault) || entry.accepts(value);

function checkNames(where: string, options: object, known: readonly string[]): void {
  if (typeof options !== "object" || options === null || Array.isArray(options))
    throw unfit("ERR_OPTION", where, "options", "an object", options);
  for (const name of Object.keys(options)) if (!known.includes(name)) throw unknownOption(where, name, known);
}

function checkRelation(where: string, [low, sign, high]: Relation<string>, settings: object): void {
  const lower: unknown = Reflect.get(settings, low);
  const upper: unknown = Reflect.get(settings, high);
  if (typeof lower !== "number" || typeof upper !== "number") return;
  if (sign === "<" ? lower < upper : lower <= upper) return;
  throw badOption(where, low, `${sign === "<" ? "below" : "at most"} ${high}, ${upper}`, lower);
}

/**
 * An option with a rule of one's own.
 *
 * @param expected - completes "… must be …"
 * @__NO_SIDE_EFFECTS__
 */
export function option<T>(
  expected: string,
  accepts: (value: unknown) => value is T,
  read: (text: string) => unknown = (text) => text,
  words: readonly string[] = [],
): Option<T> {
  const rule = { expected, accepts, words, read };
  return {
    ...rule,
    hasDefault: false,
    default: (fallback) => ({ ...rule, hasDefault: true, fallback }),
  };
}

const MAX_WHOLE = Number.MAX_SAFE_INTEGER;

function readNumber(text: string): unknown {
  if (text.toLowerCase() === "infinity") return Number.POSITIVE_INFINITY;
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : text;
}

/** A number for which `holds`. */
export const numberThat = /* @__NO_SIDE_EFFECTS__ */ (
  expected: string,
  holds: (value: number) => boolean,
): Option<number> =>
  option(expected, (value): value is number => typeof value === "number" && holds(value), readNumber);

export const integerFrom = /* @__NO_SIDE_EFFECTS__ */ (
  min: number,
  max: number = MAX_WHOLE,
): Option<number> =>
  numberThat(
    `a whole number from ${min} to ${max === MAX_WHOLE ? "2^53 - 1" : max}`,
    (v) => Number.isSafeInteger(v) && v >= min && v <= max,
  );
/** For limits: Infinity is none. */
export const integerOrInfinity = (min: number): Option<number> =>
  numberThat(
    `a whole number from ${min} to 2^53 - 1, or Infinity`,
    (v) => (Number.isSafeInteger(v) && v >= min) || v === Number.POSITIVE_INFINITY,
  );
export const finite: Option<number> = numberThat("a finite number", Number.isFinite);
export const positive: Option<number> = numberThat(
  "a finite number above 0",
  (v) => Number.isFinite(v) && v > 0,
);
export const atLeast = /* @__NO_SIDE_EFFECTS__ */ (low: number): Option<number> =>
  numberThat(`a finite number of at least ${low}`, (v) => Number.isFinite(v) && v >= low);
export const nonNegative: Option<number> = atLeast(0);
/** For limits: Infinity is none. @param unit - as in "a number of seconds" */
export const nonNegativeOrInfinity = (unit = "a number"): Option<number> =>
  numberThat(`${unit} of at least 0, or Infinity`, (v) => v >= 0);
export const positiveOrInfinity = (unit = "a number"): Option<number> =>
  numberThat(`${unit} above 0, or Infinity`, (v) => v > 0);
/** From `low` to `high`, both included. */
export const between = (low: number, high: number): Option<number> =>
  numberThat(`a number from ${low} to ${high}`, (v) => v >= low && v <= high);
/** Between `low` and `high`, neither included. */
export const strictlyBetween = (low: number, high: number): Option<number> =>
  numberThat(`a number above ${low} and below ${high}`, (v) => v > low && v < high);
export const flag: Option<boolean> = option(
  "true or false",
  (value): value is boolean => typeof value === "boolean",
  (text) => (text === "true" ? true : text === "false" ? false : text),
);
export const text: Option<string> = option("a string", (value): value is string => typeof value === "string");
export const oneOf = <const W extends string>(...words: readonly W[]): Option<W> =>
  option(
    words.length === 1 ? `"${words[0]}"` : `one of ${words.map((word) => `"${word}"`).join(", ")}`,
    (value): value is W => words.some((word) => word === value),
    undefined,
    words,
  );
/** A function; what it takes and gives is its caller's to keep to. */
export const callable = <F extends (...args: never[]) => unknown>(): Option<F> =>
  option("a function", (value): value is F => typeof value === "function");
/** An object with a method of this name. */
export const havingMethod = <T extends object>(method: string, expected: string): Option<T> =>
  option(expected, (value): value is T => hasFunction(value, method));
/** An object or function whose content has a check of its own further in (matrices, data). */
export const object = <T extends object>(expected: string): Option<T> =>
  option(expected, (value): value is T => typeof value === "object" && value !== null);
export const instance = <T>(expected: string, make: abstract new (...args: never[]) => T): Option<T> =>
  option(expected, (value): value is T => value instanceof make);
/** Any of these, whatever their defaults. */
export const either = <const O extends readonly TypedRule<unknown>[]>(
  ...options: O
): Option<Accepted<O[number]>> =>
  option(
    options.map(({ expected }) => expected).join(" or "),
    (value): value is Accepted<O[number]> => options.some((each) => each.accepts(value)),
    (words) => options.map((each) => each.read(words)).find((value, k) => options[k].accepts(value)) ?? words,
    options.flatMap(({ words }) => words),
  );

const hasFunction = (value: unknown, name: string): boolean =>
  ((typeof value === "object" && value !== null) || typeof value === "function") &&
  typeof Reflect.get(value, name) === "function";

/** @throws CurvatureError ERR_ARGUMENT unless the rule accepts the argument */
export function checkArgument<T>(
  where: string,
  name: string,
  rule: Option<T>,
  value: unknown,
): asserts value is T {
  if (!rule.accepts(value)) throw badArgument(where, name, rule.expected, value);
}

export const badOption = (where: string, name: string, expected: string, received: unknown): CurvatureError =>
  unfit("ERR_OPTION", where, name, expected, received);

export const badArgument = (
  where: string,
  name: string,
  expected: string,
  received: unknown,
): CurvatureError => unfit("ERR_ARGUMENT", where, name, expected, received);

export function unfit(
  code: ErrorCode,
  where: string,
  name: string,
  expected: string,
  received: unknown,
): CurvatureError {
  const subject = code === "ERR_OPTION" ? optionName(name) : name;
  const sentence = `${subject} must be ${expected}; received ${shown(received)}.`;
  return new CurvatureError(code, sentence, { where, path: name, expected, received });
}

function unknownOption(where: string, name: string, known: readonly string[]): CurvatureError {
  const nearest = nearestName(name, known);
  const hint = nearest === undefined ? `Known options: ${known.join(", ")}.` : `Did you mean "${nearest}"?`;
  return new CurvatureError("ERR_OPTION", `unknown option ${shown(name)}. ${hint}`, {
    where,
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
