/** What can be chosen of a visitor's file: how it is read, and which of its columns are used and how. */
import { integerFrom, oneOf } from "@curvature/linalg";
import { optionalNumber, pick, wordsOf } from "../controls/declared.js";
import { codec, type StateOf } from "../state/codec.js";
import { list, ruled, words } from "../state/fields.js";

/** Options of `readTable`, under its names. */
export const readingFields = {
  header: pick(
    "auto",
    { auto: "auto", yes: "yes: in the first line", no: "no: the first line is data" },
    { label: "Names of the columns" },
  ),
  delimiter: pick(
    "auto",
    { auto: "auto", ",": "comma", ";": "semicolon", "\t": "tab", "|": "bar |", " ": "blanks" },
    { label: "Between columns" },
  ),
  decimal: pick("auto", { auto: "auto", ".": ". as in 1.5", ",": ", as in 1,5" }, { label: "Decimal mark" }),
  thousands: pick(
    "auto",
    {
      auto: "auto",
      none: "none, as in 1000",
      ",": ", as in 1,000",
      ".": ". as in 1.000",
      "'": "' as in 1'000",
      " ": "a blank, as in 1 000",
    },
    { label: "Mark of thousands" },
  ),
  encoding: pick(
    "auto",
    {
      auto: "auto",
      "utf-8": "UTF-8",
      "windows-1252": "Latin-1, Windows-1252",
      "windows-1250": "Windows-1250, Central Europe",
      "windows-1251": "Windows-1251, Cyrillic",
      "utf-16le": "UTF-16",
      shift_jis: "Shift JIS",
      gb18030: "GB 18030",
    },
    { label: "Encoding" },
  ),
  skip: optionalNumber(integerFrom(0), { label: "Lines before the table", placeholder: "auto", step: 1 }),
};
export type Reading = StateOf<typeof readingFields>;

/** How a sentence of the packages calls what has a control here. */
export function controlWords(option: string, value?: string): string | undefined {
  const labels: Readonly<Record<string, string>> = {
    ...Object.fromEntries(Object.entries(readingFields).map(([name, { words }]) => [name, words.label])),
    labels: "Labels",
    words: "Columns of words",
    missing: "Missing cells",
    ignore: "the columns’ ticks",
    columns: "the columns’ ticks",
  };
  const label = labels[option];
  if (label === undefined || label.startsWith("the ")) return label;
  return `“${label}”${value === undefined ? "" : ` (${valueWords[value] ?? value})`}`;
}

/** What the controls of words and missing cells offer. */
export const wordsNames = {
  "one-hot": "a column for each word",
  hash: "free text hashed",
  drop: "left out",
};
export const missingNames = {
  mean: "filled",
  drop: "their rows left out",
};

const valueWords: Readonly<Record<string, string>> = { ...wordsNames, mean: missingNames.mean };

/** Beyond so many ticks that differ from the suggested ones a link would be too long. */
const mostToggled = 1000;

/** What is undefined or empty is as it is suggested. */
const columnFields = {
  /** A column's index; −1 for none. */
  labels: ruled(integerFrom(-1)),
  /** Columns whose tick is not the one that was suggested. */
  toggled: list(ruled(integerFrom(0).default(0)), [], { least: 0, most: mostToggled }),
  words: ruled(oneOf(...wordsOf(wordsNames))),
  missing: ruled(oneOf(...wordsOf(missingNames))),
  scale: ruled(oneOf("none", "standard")),
};
export type TableChoices = StateOf<typeof columnFields>;

export const tableFields = {
  ...readingFields,
  ...columnFields,
  /** The mark of the file whose table was looked at and taken: no other runs by itself. */
  taken: words(60),
};
export type TableState = StateOf<typeof tableFields>;

/** Of a file of which nothing was chosen yet. */
export const untouched = codec<TableState>(tableFields).defaults;

/** The columns as they are suggested: another reading may have others. */
export const suggestedColumns = { ...codec<TableChoices>(columnFields).defaults, taken: "" };
