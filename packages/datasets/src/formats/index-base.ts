/** From what the features of a LIBSVM text are counted. */
import type { Rule } from "@curvature/linalg";

/** 0, 1, or one of the words. */
export const indexBaseRule = (...words: readonly string[]): Rule => ({
  expected: [...words.map((word) => `"${word}"`), "0 or 1"].join(", "),
  accepts: (value) => value === 0 || value === 1 || words.some((word) => word === value),
});
