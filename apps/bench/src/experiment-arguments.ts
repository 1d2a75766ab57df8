/** An experiment's own arguments; those that it does not know end it with a sentence and the exit code for such commands. */
import { parseArgs } from "node:util";

/** What an argument stands for, also where it is left out. */
interface Argument<T> {
  readonly type: "string" | "boolean";
  read(option: string, given: string | boolean | undefined, isQuick: boolean): T;
}

/** @param quick - in a run that only shows whether the experiment works */
function argument<T>(
  full: string | number,
  quick: string | number,
  read: (option: string, text: string) => T,
): Argument<T> {
  return {
    type: "string",
    read: (option, given, isQuick) => read(option, String(given ?? (isQuick ? quick : full))),
  };
}

/** A whole number, from 1 on unless told otherwise. */
export const whole = (full: number, quick = full, least = 1): Argument<number> =>
  argument(full, quick, (option, words) => wholeNumber(option, words, least));

/** A number above 0. */
export const positive = (full: number, quick = full): Argument<number> =>
  argument(full, quick, positiveNumber);

/** Words; undefined where they are left out and there are none by default. */
export function string(): Argument<string | undefined>;
export function string(full: string, quick?: string): Argument<string>;
export function string(full?: string, quick = full): Argument<string | undefined> {
  const words = (given: string | boolean | undefined): string | undefined =>
    typeof given === "string" ? given : undefined;
  return { type: "string", read: (_, given, isQuick) => words(given) ?? (isQuick ? quick : full) };
}

export const yes = (): Argument<boolean> => ({ type: "boolean", read: (_, given) => given === true });

/** The arguments by their names, and whether `--quick` is among them. */
export function experimentArguments<T extends object>(
  known: {
    readonly [K in keyof T]: Argument<T[K]>;
  },
): T & { readonly isQuick: boolean } {
  const isWhole = (read: Partial<T>): read is T => Object.keys(known).every((name) => name in read);
  const given = parsed({ ...known, quick: yes() });
  const isQuick = given.get("quick") === true;
  const values: Partial<T> = {};
  for (const name in known) values[name] = known[name].read(name, given.get(name), isQuick);
  return isWhole(values) ? { ...values, isQuick } : refuse("The arguments could not be read");
}

type Options = Readonly<Record<string, { readonly type: "string" | "boolean" }>>;

function parsed(known: Options): ReadonlyMap<string, string | boolean | undefined> {
  try {
    const options = Object.fromEntries(Object.entries(known).map(([name, { type }]) => [name, { type }]));
    return new Map(Object.entries(parseArgs({ options }).values));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const [sentence] = error.message.split(". ");
    return refuse(sentence.replace(/\.$/, ""));
  }
}

/** One sentence, and where to read on; exit code 64. */
export function refuse(sentence: string): never {
  process.stderr.write(`${sentence}; the head of the experiment's file lists its arguments.\n`);
  process.exit(64);
}

/** @param least - from which on numbers are accepted */
export function wholeNumber(option: string, text: string | number, least = 1): number {
  const value = Number(text);
  if (text === "" || !Number.isSafeInteger(value) || value < least)
    refuse(`--${option} must be a whole number from ${least} on, not "${text}"`);
  return value;
}

export function positiveNumber(option: string, text: string): number {
  const value = Number(text);
  if (!(value > 0 && value < Number.POSITIVE_INFINITY))
    refuse(`--${option} must be a number above 0, not "${text}"`);
  return value;
}

/** Names with commas between them, of those that are known. */
export function namesOf<Name extends string>(option: string, text: string, known: readonly Name[]): Name[] {
  return text.split(",").map((word) => {
    const name = known.find((one) => one === word);
    return name ?? refuse(`--${option}: there is no "${word}", but ${known.join(", ")}`);
  });
}

const isRefusal = (error: unknown): error is Error =>
  error instanceof Error &&
  "code" in error &&
  typeof error.code === "string" &&
  error.code.startsWith("ERR_PARSE_ARGS_");
