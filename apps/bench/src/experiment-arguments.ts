/** An experiment's own arguments; those that it does not know end it with a sentence and the exit code for such commands. */
import { type ParseArgsConfig, parseArgs } from "node:util";

export function experimentArguments<T extends ParseArgsConfig>(config: T): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
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

/** A whole number, from 1 on unless told otherwise. */
export function wholeNumber(option: string, text: string | number, least = 1): number {
  const value = Number(text);
  if (text === "" || !Number.isSafeInteger(value) || value < least)
    refuse(`--${option} must be a whole number from ${least} on, not "${text}"`);
  return value;
}

/** A number above 0. */
export function positiveNumber(option: string, text: string | number): number {
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
