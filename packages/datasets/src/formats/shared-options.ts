/** Options that several readers and writers have, to be spread into their tables. */
import { either, integerFrom, type Option, option, type SettingsOf, text } from "@curvature/linalg";

/** A column by its name, or by its index counted from 0. */
export type ColumnChoice = string | number;

const column = either(text, integerFrom(0));

/** Columns that are no numbers of the matrix. */
export const columnEntries = {
  /** The column that is kept as text: its name (or key), or its index counted from 0. Left out: none. */
  labels: column,
  /** Columns that are left out, whatever their cells hold. */
  ignore: option<readonly ColumnChoice[]>(
    "an array of columns, by name or by index from 0",
    (value): value is readonly ColumnChoice[] =>
      Array.isArray(value) && Array.from(value).every((choice) => column.accepts(choice)),
  ).default(Object.freeze([])),
};
export type OtherColumns = SettingsOf<{ readonly entries: typeof columnEntries }>;

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

/** From what the features of a LIBSVM text are counted. */
export const zeroOrOne: Option<0 | 1> = option(
  "0 or 1",
  (value): value is 0 | 1 => value === 0 || value === 1,
  (word) => (word === "0" ? 0 : word === "1" ? 1 : word),
);
