/**
 * Validation of arguments: text from the command line as values. Each function either returns a value or says in one
 * sentence what it expected; commander puts the option's name in front.
 */
import type { ColumnChoice } from "@curvature/datasets";
import { InvalidArgumentError } from "commander";

const decimal = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

function numberFrom(word: string, expected: string, accepts: (value: number) => boolean): number {
  const value = decimal.test(word.trim()) ? Number(word) : Number.NaN;
  if (!Number.isFinite(value) || !accepts(value)) throw new InvalidArgumentError(`It must be ${expected}.`);
  return value;
}

export const wholeNumber =
  (least: number) =>
  (word: string): number =>
    numberFrom(word, `a whole number of at least ${least}`, (v) => Number.isSafeInteger(v) && v >= least);

export const numberAbove =
  (bound: number) =>
  (word: string): number =>
    numberFrom(word, `a number above ${bound}`, (v) => v > bound);

export const nonNegativeNumber = (word: string): number =>
  numberFrom(word, "a number of at least 0", (v) => v >= 0);

/** One of the words, or a whole number of at least `least`. */
export const wordOrCount =
  <Word extends string>(words: readonly Word[], least: number) =>
  (word: string): Word | number => {
    const known = words.find((candidate) => candidate === word);
    if (known !== undefined) return known;
    const expected = `${words.map((w) => `"${w}"`).join(" or ")}, or a whole number of at least ${least}`;
    return numberFrom(word, expected, (v) => Number.isSafeInteger(v) && v >= least);
  };

export const oneOf =
  <Word extends string>(words: readonly Word[]) =>
  (word: string): Word => {
    const known = words.find((candidate) => candidate === word);
    if (known === undefined) throw new InvalidArgumentError(`It must be one of: ${words.join(", ")}.`);
    return known;
  };

/** A file's name, or - for a standard stream. What looks like the next option is a name that was forgotten. */
export const fileName = (word: string): string => {
  if (word.trim() === "") throw new InvalidArgumentError("It must be the name of a file.");
  if (/^--?[a-z]/i.test(word)) {
    throw new InvalidArgumentError(`It must be the name of a file (for a file of this name: ./${word}).`);
  }
  return word;
};

/** Columns by name, or by index from 0, with commas between; given again, they are more. */
export const columnList = (word: string, before: readonly ColumnChoice[] = []): readonly ColumnChoice[] => {
  const columns = word.split(",").map((column) => column.trim());
  if (columns.some((column) => column === "" || column.startsWith("-")))
    throw new InvalidArgumentError(
      "It must be columns with commas between, each by its name, or by its index from 0 (as it must be where a name is empty, begins with a hyphen or has a comma).",
    );
  return [...before, ...columns.map((column) => (/^\d{1,9}$/.test(column) ? Number(column) : column))];
};
