/** Records of words, of delimited text as it stands, or of any other table that `readTable` takes: JSON, Parquet, NPY. */
import { CurvatureError, optionName } from "@curvature/linalg";
import { textAt } from "@curvature/linalg/tables";
import { tableOf } from "../tables/read-table.js";
import { type TableOptions, tableOptions } from "../tables/table-form.js";
import { type ByteSource, peeked } from "./bytes.js";
import { isArrow, isIdx, isNpy, isNpz, isParquet } from "./first-bytes.js";
import { reading } from "./gzip.js";
import { type RecordTaker, readRecords } from "./records.js";
import { saveIt } from "./text.js";

interface RecordSource {
  readonly format: NonNullable<TableOptions["format"]>;
  readonly delimiter: string;
  readonly encoding: string;
  readonly maxRecordBytes: number;
  readonly maxBytes: number;
}

/**
 * @param take - takes each record; the names of the columns of other tables come first, as line 0
 * @throws CurvatureError as `readTable`
 */
export function answerRecords(
  where: string,
  source: ByteSource,
  settings: RecordSource,
  take: RecordTaker,
): Promise<{ readonly notes: readonly string[] }> {
  const { format, delimiter } = settings;
  return reading(source, settings.maxBytes, async (bytes) => {
    const { head, all } = await peeked(bytes, 512);
    const isOther = format === "auto" ? isOtherTable(head) : format !== "csv" && format !== "tsv";
    if (!isOther) {
      const mark = format === "tsv" && delimiter === "auto" ? "\t" : delimiter;
      const { decoded, otherEncoding } = await import("../tables/encoding.js");
      const text = settings.encoding === "auto" ? all : (await decoded(where, all, settings.encoding)).text;
      await readRecords(where, text, { ...settings, delimiter: mark }, take).catch((error: unknown) =>
        sayEncoding(error, otherEncoding),
      );
      return { notes: [] };
    }
    const { maxBytes, maxRecordBytes, encoding } = settings;
    const table = await tableOf(where, all, {
      ...tableOptions.defaults,
      format,
      encoding,
      maxBytes,
      maxRecordBytes,
    });
    if (table.isNamed)
      take(
        table.columns.map(({ name }) => name),
        0,
      );
    for (let row = 0; row < table.rows; row++)
      take(
        table.columns.map((column) => textAt(column, row)),
        table.lines?.[row] || row + 1,
      );
    return { notes: table.notes };
  });
}

/** Text that is not UTF-8 needs its encoding. */
function sayEncoding(error: unknown, remedy: string): never {
  if (!(error instanceof CurvatureError)) throw error;
  if (error.received === "UTF-16" || error.message.endsWith("Give plain text in UTF-8."))
    throw new CurvatureError(
      error.code,
      `${error.message.replace(/(Save|Give) [^.]*\.$/, "")}If it is text in UTF-16, give ${optionName("encoding", "utf-16le")} (or utf-16be).`,
      { path: error.path },
    );
  if (!error.message.endsWith(saveIt)) throw error;
  throw new CurvatureError(error.code, error.message.replace(saveIt, remedy), { path: error.path });
}

function isOtherTable(head: Uint8Array): boolean {
  if (isNpy(head) || isNpz(head) || isParquet(head) || isArrow(head) || isIdx(head)) return true;
  const first = new TextDecoder().decode(head).trimStart();
  return /^\uFEFF?\s*(\{\s*["}]|\[\s*[[{\]])/.test(first);
}
