/**
 * Validation of arguments: text from the command line as values. Each function either returns a value or says in one
 * sentence what it expected; commander puts the option's name in front.
 */
import { type Option, strictlyBetween } from "@curvature/linalg";
import { InvalidArgumentError } from "commander";

/** By the rule of an option, as it reads text. */
export const by =
  <T>(rule: Pick<Option<T>, "accepts" | "expected" | "read">) =>
  (text: string): T => {
    const value = rule.read(text.trim());
    if (rule.accepts(value)) return value;
    throw new InvalidArgumentError(`It must be ${rule.expected}.`);
  };

const share = strictlyBetween(0, 1);

const percentage = /^\s*([-+]?[\d.]+)\s*%\s*$/;

/** What looks like a number, or like 20%, is a share: undefined for other words. */
const shareIn = (word: string): number | undefined => {
  const [, percent] = percentage.exec(word) ?? [];
  const value = share.read(percent ?? word);
  if (typeof value !== "number") return undefined;
  return percent === undefined ? value : value / 100;
};

/** Whether a word names a file where a share may stand, too. */
export const isNoShare = (word: string): boolean => shareIn(word) === undefined;

export const shareOrFile = (word: string): number | string => {
  const value = shareIn(word);
  if (value === undefined) return fileName(word);
  if (share.accepts(value)) return value;
  throw new InvalidArgumentError(
    "It must be a share between 0 and 1, as 0.2 or 20%, or the name of a file (for a file of this name: ./file).",
  );
};

/** A file's name, or - for a standard stream. */
export const fileArgument = (word: string): string => {
  if (word.trim() === "") throw new InvalidArgumentError("It must be the name of a file.");
  return word.startsWith("-") && word !== "-" ? `./${word}` : word; // it stood behind --
};

/** Of an argument that may be given several times. */
export const fileArguments = (word: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  fileArgument(word),
];

/** The same as an option's value: what looks like the next option is a name that was forgotten. */
export const fileName = (word: string): string => {
  if (/^--?[a-z]/i.test(word)) {
    throw new InvalidArgumentError(`It must be the name of a file (for a file of this name: ./${word}).`);
  }
  return fileArgument(word);
};
