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

/** What looks like a number is a share. */
export const shareOrFile = (word: string): number | string => {
  if (typeof share.read(word) === "string") return fileName(word);
  return by({ ...share, expected: "a number between 0 and 1, or the name of a file" })(word);
};

/** A file's name, or - for a standard stream. */
export const fileArgument = (word: string): string => {
  if (word.trim() === "") throw new InvalidArgumentError("It must be the name of a file.");
  return word.startsWith("-") && word !== "-" ? `./${word}` : word; // it stood behind --
};

/** The same as an option's value: what looks like the next option is a name that was forgotten. */
export const fileName = (word: string): string => {
  if (/^--?[a-z]/i.test(word)) {
    throw new InvalidArgumentError(`It must be the name of a file (for a file of this name: ./${word}).`);
  }
  return fileArgument(word);
};
