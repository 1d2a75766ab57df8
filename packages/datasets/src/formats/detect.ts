/** One reader for all formats: by the stated format, else the first bytes, else the file's name, else the text. */
import {
  badOption,
  CurvatureError,
  type OptionsOf,
  oneOf,
  optionName,
  optionTable,
  type SettingsOf,
  text,
} from "@curvature/linalg";
import { type ByteSource, peeked, pieces } from "./bytes.js";
import { csvOptions, readCsv } from "./csv.js";
import { isGzip, reading } from "./gzip.js";
import { isIdx, readIdx } from "./idx.js";
import { readJson } from "./json.js";
import { readJsonLines } from "./json-lines.js";
import { libsvmOptions, readLibsvm } from "./libsvm.js";
import { denseTable } from "./libsvm-table.js";
import { isNpy, readNpy } from "./npy.js";
import type { Table } from "./table.js";

export const readOptions = optionTable({
  ...csvOptions.entries,
  /** The file's name, whose ending (with or without .gz) tells the format where the first bytes do not. */
  name: text,
  /** The format, if name and bytes cannot tell it. */
  format: oneOf("auto", "csv", "tsv", "npy", "idx", "jsonl", "json", "libsvm").default("auto"),
  /** For LIBSVM text: see `LibsvmOptions`. */
  indexBase: libsvmOptions.entries.indexBase,
});
export type ReadOptions = OptionsOf<typeof readOptions>;
type ReadSettings = SettingsOf<typeof readOptions>;
export type Format = Exclude<ReadSettings["format"], "auto">;

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
export async function readPoints(source: ByteSource, options?: ReadOptions): Promise<Table> {
  const settings = readOptions.resolve("readPoints", options);
  return detecting(source, settings, async (format, input) =>
    format === "libsvm"
      ? denseTable(
          await readLibsvm(input, { ...sparseSettings("readPoints", settings), precision: "double" }),
        )
      : readTable("readPoints", format, input, settings),
  );
}

/** Hands the expanded bytes and their format on. */
async function detecting<T>(
  source: ByteSource,
  settings: ReadSettings,
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
  { delimiter, header, labels, ignore, maxRecordBytes, maxBytes }: ReadSettings,
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
  { labels, ignore, indexBase, maxBytes }: ReadSettings,
): Pick<ReadSettings, "indexBase" | "maxBytes"> {
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
    `${optionName("ignore")} must be left out for the format ${format}, whose columns are no text.`,
    { where, path: "ignore" },
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
