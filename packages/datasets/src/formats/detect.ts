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
import { type CsvOptions, csvDefaults, readCsv } from "./csv.js";
import { isGzip, maxBytesRule, reading } from "./gzip.js";
import { isIdx, readIdx } from "./idx.js";
import { readJson } from "./json.js";
import { readJsonLines } from "./json-lines.js";
import { isNpy, readNpy } from "./npy.js";
import { labelsRule, type Table } from "./table.js";

export type Format = "csv" | "tsv" | "npy" | "idx" | "jsonl" | "json";

export interface ReadOptions extends CsvOptions {
  /** The file's name, whose ending (with or without .gz) tells the format where the first bytes do not. */
  readonly name: string | undefined;
  /** The format, if name and bytes cannot tell it. Default `"auto"`. */
  readonly format: Format | "auto";
}

export const readDefaults: ReadOptions = Object.freeze({ ...csvDefaults, name: undefined, format: "auto" });

const rules: Rules<ReadOptions> = {
  delimiter: text,
  header: either(flag, oneOf("auto")),
  labels: labelsRule,
  maxRecordBytes: integerFrom(1),
  maxBytes: maxBytesRule,
  name: optional(text),
  format: oneOf("auto", "csv", "tsv", "npy", "idx", "jsonl", "json"),
};

const endings: readonly (readonly [Format, RegExp])[] = [
  ["csv", /\.(csv|txt|dat)$/],
  ["tsv", /\.(tsv|tab)$/],
  ["npy", /\.npy$/],
  ["idx", /(\.idx|[.-]idx\d-ubyte|\.ubyte)$/],
  ["jsonl", /\.(jsonl|ndjson)$/],
  ["json", /\.json$/],
];

const sniffedBytes = 256;

/**
 * Points from any of the formats CSV, TSV, NPY, IDX, JSON Lines and JSON, plain or gzip.
 *
 * @throws CurvatureError as the format's own reader; ERR_PARSE for a name in .gz whose content is not gzip;
 *   ERR_OPTION for a label column in a format without text
 */
export async function readPoints(source: ByteSource, options?: Partial<ReadOptions>): Promise<Table> {
  const settings = checkOptions("readPoints", options, readDefaults, rules);
  const { delimiter, header, labels, maxRecordBytes, maxBytes } = settings;
  const name = (settings.name ?? "").toLowerCase();
  const { head, all } = await peeked(pieces(source), 2);
  return reading(all, maxBytes, async (input) => {
    const content = await peeked(input, sniffedBytes);
    if (name.endsWith(".gz") && !isGzip(head)) throw notGzip(settings.name);
    const bare = name.replace(/\.gz$/, "");
    const format = settings.format === "auto" ? detected(bare, content.head) : settings.format;
    switch (format) {
      case "csv":
      case "tsv": {
        const mark = format === "tsv" && delimiter === "auto" ? "\t" : delimiter;
        return readCsv(content.all, { delimiter: mark, header, labels, maxRecordBytes, maxBytes });
      }
      case "jsonl":
        return readJsonLines(content.all, { labels, maxRecordBytes, maxBytes });
      case "json":
        return readJson(content.all, { labels, maxBytes });
      case "npy":
      case "idx":
        if (labels !== undefined)
          throw badOption("readPoints", "labels", `left out for the format ${format}`, labels);
        return format === "npy" ? readNpy(content.all, { maxBytes }) : readIdx(content.all, { maxBytes });
    }
  });
}

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
  return endings.find(([, ending]) => ending.test(name))?.[0] ?? sniffed(head);
}

/** A nested array or an object over several lines is a document; other brackets and braces begin JSON Lines. */
function sniffed(head: Uint8Array): Format {
  const start = new TextDecoder().decode(head).trimStart();
  if (/^\[\s*[[{]/.test(start) || /^\{\s*"(columns|data|labels)"\s*:\s*\[/.test(start)) return "json";
  return start.startsWith("[") || start.startsWith("{") ? "jsonl" : "csv";
}
