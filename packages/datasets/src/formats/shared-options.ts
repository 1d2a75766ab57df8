/** Options that several readers and writers have, to be spread into their tables. */
import { either, integerFrom, type Option, oneOf, option, text } from "@curvature/linalg";

export const inputSize = {
  /** Longer input (after expansion) is refused. 16 GiB. */
  maxBytes: integerFrom(1).default(2 ** 34),
};

export const recordSizes = {
  /** A longer record is refused. 64 MiB. */
  maxRecordBytes: integerFrom(1).default(2 ** 26),
  ...inputSize,
};

export const delimiterEntry = {
  /**
   * The mark between columns, or `" "` for runs of blanks, or `"auto"`: the first of tab, semicolon, comma and blank that
   * stands in the first line.
   */
  delimiter: text.default("auto"),
};

export const zeroOrOne: Option<0 | 1> = option(
  "0 or 1",
  (value): value is 0 | 1 => value === 0 || value === 1,
  (word) => (word === "0" ? 0 : word === "1" ? 1 : word),
);

/**
 * What LIBSVM text counts features from; its feature 1 is then column 1 or column 0. "auto": 0 if the index 0 occurs
 * (in a stream: in the first batch), else 1.
 */
export const indexBase = either(oneOf("auto"), zeroOrOne).default("auto");
