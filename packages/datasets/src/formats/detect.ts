/** One reader for all formats: by the stated format, else the first bytes, else the file's name, else the text. */
import {
  badOption,
  CurvatureError,
  checkOptions,
  either,
  flag,
  integerFrom,
  oneOf,
  optional,
  type Rules,
  text,
} from "@curvature/linalg";
import { type ByteSource, peeked, pieces } from "./bytes.js";
import { ignoreRule, labelsRule } from "./column-roles.js";
import { type CsvOptions, csvDefaults, readCsv } from "./csv.js";
import { isGzip, maxBytesRule, reading } from "./gzip.js";
import { isIdx, readIdx } from "./idx.js";
import { indexBaseRule } from "./index-base.js";
import { readJson } from "./json.js";
import { readJsonLines } from "./json-lines.js";
import { type LibsvmBatch, readLibsvm } from "./libsvm.js";
import { denseTable } from "./libsvm-table.js";
import { isNpy, readNpy } from "./npy.js";
import type { Table } from "./table.js";

export type Format = "csv" | "tsv" | "npy" | "idx" | "jsonl" | "json" | "libsvm";

export interface ReadOptions extends CsvOptions {
  /** The file's name, whose ending (with or without .gz) tells the format where the first bytes do not. */
  readonly name: string | undefined;
  /** The format, if name and bytes cannot tell it. Default `"auto"`. */
  readonly format: Format | "auto";
  /** For LIBSVM text: see `LibsvmOptions`. */
  readonly indexBase: "auto" | 0 | 1;
}

/** What `readRows` gives: a table, or of LIBSVM text the sparse rows. */
export type Rows =
  | ({ readonly kind: "dense" } & Table)
  | ({ readonly kind: "sparse" } & LibsvmBatch<Float32Array>);

export const readDefaults: ReadOptions = Object.freeze({
  ...csvDefaults,
  name: undefined,
  format: "auto",
  indexBase: "auto",
});

const rules: Rules<ReadOptions> = {
  delimiter: text,
  header: either(flag, oneOf("auto")),
  labels: labelsRule,
  ignore: ignoreRule,
  maxRecordBytes: integerFrom(1),
  maxBytes: maxBytesRule,
  name: optional(text),
  format: oneOf("auto", "csv", "tsv", "npy", "idx", "jsonl", "json", "libsvm"),
  indexBase: indexBaseRule("auto"),
};

const endings: readonly (readonly [Format, RegExp])[] = [
  ["csv", /\.csv$/],
  ["tsv", /\.(tsv|tab)$/],
  ["npy", /\.npy$/],
  ["idx", /(\.idx|[.-]idx\d-ubyte|\.ubyte)$/],
  ["jsonl", /\.(jsonl|ndjson)$/],
  ["json", /\.json$/],
  ["libsvm", /\.(svm|libsvm|svmlight)$/],
];

/** Endings of any text: LIBSVM's, if it begins so, else a table. */
const plainText = /\.(txt|dat)$/;

const sniffedBytes = 256;

/**
 * Points from any of the formats CSV, TSV, NPY, IDX, JSON Lines, JSON and LIBSVM, plain or gzip. LIBSVM's sparse rows
 * are written out with their zeros, and its labels are the table's.
 *
 * @throws CurvatureError as the format's own reader; ERR_PARSE for a name in .gz whose content is not gzip;
 *   ERR_OPTION for chosen columns in a format without text; ERR_MEMORY for sparse rows that are too many to write out
 */
export async function readPoints(source: ByteSource, options?: Partial<ReadOptions>): Promise<Table> {
  const settings = checkOptions("readPoints", options, readDefaults, rules);
  return detecting(source, settings, async (format, input) =>
    format === "libsvm"
      ? denseTable(
          await readLibsvm(input, { ...sparseSettings("readPoints", settings), precision: "double" }),
        )
      : readTable("readPoints", format, input, settings),
  );
}

/**
 * The same, but LIBSVM's rows as they are: sparse, in single precision.
 *
 * @throws CurvatureError as `readPoints`
 */
export async function readRows(source: ByteSource, options?: Partial<ReadOptions>): Promise<Rows> {
  const settings = checkOptions("readRows", options, readDefaults, rules);
  return detecting(source, settings, async (format, input) =>
    format === "libsvm"
      ? { kind: "sparse", ...(await readLibsvm(input, sparseSettings("readRows", settings))) }
      : { kind: "dense", ...(await readTable("readRows", format, input, settings)) },
  );
}

/** Hands the expanded bytes and their format on. */
async function detecting<T>(
  source: ByteSource,
  settings: ReadOptions,
  read: (format: Format, input: AsyncGenerator<Uint8Array>) => Promise<T>,
): Promise<T> {
  const name = (settings.name ?? "").toLowerCase();
  const { head, all } = await peeked(pieces(source), 2);
  return reading(all, settings.maxBytes, async (input) => {
    const content = await peeked(input, sniffedBytes);
    if (name.endsWith(".gz") && !isGzip(head)) throw notGzip(settings.name);
    const bare = name.replace(/\.gz$/, "");
    return read(settings.format === "auto" ? detected(bare, content.head) : settings.format, content.all);
  });
}

async function readTable(
  where: string,
  format: Exclude<Format, "libsvm">,
  input: AsyncGenerator<Uint8Array>,
  { delimiter, header, labels, ignore, maxRecordBytes, maxBytes }: ReadOptions,
): Promise<Table> {
  switch (format) {
    case "csv":
    case "tsv": {
      const mark = format === "tsv" && delimiter === "auto" ? "\t" : delimiter;
      return readCsv(input, { delimiter: mark, header, labels, ignore, maxRecordBytes, maxBytes });
    }
    case "jsonl":
      return readJsonLines(input, { labels, ignore, maxRecordBytes, maxBytes });
    case "json":
      return readJson(input, { labels, ignore, maxBytes });
    case "npy":
    case "idx":
      if (labels !== undefined) throw badOption(where, "labels", `left out for the format ${format}`, labels);
      if (ignore.length > 0) throw nothingToIgnore(where, format);
      return format === "npy" ? readNpy(input, { maxBytes }) : readIdx(input, { maxBytes });
  }
}

function sparseSettings(
  where: string,
  { labels, ignore, indexBase, maxBytes }: ReadOptions,
): Pick<ReadOptions, "indexBase" | "maxBytes"> {
  if (labels !== undefined)
    throw badOption(
      where,
      "labels",
      "left out for the format libsvm, whose lines begin with their labels",
      labels,
    );
  if (ignore.length > 0) throw nothingToIgnore(where, "libsvm");
  return { indexBase, maxBytes };
}

const nothingToIgnore = (where: string, format: Format): CurvatureError =>
  new CurvatureError(
    "ERR_OPTION",
    `${where}: ignore must be left out for the format ${format}, whose columns are no text.`,
    { path: "ignore" },
  );

function notGzip(name: string | undefined): CurvatureError {
  return new CurvatureError(
    "ERR_PARSE",
    "The name ends in .gz, but the content is not gzip. Rename or compress it.",
    { path: "name", received: name },
  );
}

function detected(name: string, head: Uint8Array): Format {
  if (isNpy(head)) return "npy";
  if (isIdx(head)) return "idx";
  const stated = endings.find(([, ending]) => ending.test(name))?.[0];
  return stated ?? sniffed(head, plainText.test(name));
}

/**
 * A nested array or an object over several lines is a document; other brackets and braces begin JSON Lines. A label
 * and an entry, blanks between, begin LIBSVM text.
 */
function sniffed(head: Uint8Array, isPlainText: boolean): Format {
  const start = new TextDecoder().decode(head).trimStart();
  if (/^[^\s:,;"]+[ \t]+(qid:\d+[ \t]+)?\d+:[-+.\d][^\s:,;]*(\s|$)/.test(start)) return "libsvm";
  if (isPlainText) return "csv";
  if (/^\[\s*[[{]/.test(start) || /^\{\s*"(columns|data|labels)"\s*:\s*\[/.test(start)) return "json";
  return start.startsWith("[") || start.startsWith("{") ? "jsonl" : "csv";
}
