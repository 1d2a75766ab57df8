/** Parquet by hyparquet, which is loaded when such a file comes. */
import { CurvatureError, shown } from "@curvature/linalg";
import { expanders } from "./expanders.js";
import { checkedFooter, checkPages } from "./parquet-pages.js";
import type { Found } from "./table-form.js";
import {
  badColumn,
  checkCount,
  isoText,
  type TypedColumn,
  typedTable,
  unreadableFile,
} from "./typed-columns.js";

/** @throws CurvatureError ERR_PARSE for damaged files, cells that are no table's, and where hyparquet is not installed */
export async function parquetTable(bytes: Uint8Array<ArrayBuffer>): Promise<Found> {
  const hyparquet = await import("hyparquet").catch(notInstalled);
  if (!("rowIndex" in hyparquet)) notInstalled(new Error("hyparquet is older than 1.30"));
  const { parquetMetadata, parquetRead, parquetSchema } = hyparquet;
  const compressors = await expanders().catch(notInstalled);
  const columns = new Map<string, { rowStart: number; data: ArrayLike<unknown> }[]>();
  /** Columns of bytes, of which old writers do not say that they are texts. */
  const bare = new Set<string>();
  let rows = 0;
  try {
    const metadata = parquetMetadata(checkedFooter(bytes));
    const schema = parquetSchema(metadata);
    checkCount(Number(metadata.num_rows), bytes.length);
    checkPages(bytes, metadata, schema, compressors);
    for (const { element } of schema.children) {
      const { name, type, logical_type, converted_type } = element;
      if (type === "FIXED_LEN_BYTE_ARRAY" && logical_type === undefined && converted_type === undefined)
        throw badColumn(name, "bytes");
      if (type === "BYTE_ARRAY" && logical_type === undefined && converted_type === undefined) bare.add(name);
      if (columns.has(name))
        throw new CurvatureError(
          "ERR_PARSE",
          `The Parquet file has two columns of the name ${shown(name)}. Give each a name of its own.`,
          { path: name },
        );
      columns.set(name, []);
    }
    rows = Number(metadata.num_rows);
    await parquetRead({
      file: { byteLength: bytes.length, slice: (start, end) => bytes.slice(start, end).buffer },
      metadata,
      compressors,
      parsers: {
        timestampFromMilliseconds: (count) => isoText(count, 1000n),
        timestampFromMicroseconds: (count) => isoText(count, 1_000_000n),
        timestampFromNanoseconds: (count) => isoText(count, 1_000_000_000n),
        dateFromDays: (days) => isoText(BigInt(days) * 86_400n, 1n).slice(0, -9),
      },
      onChunk: ({ columnName, columnData, rowStart }) =>
        columns.get(columnName)?.push({ rowStart, data: columnData }),
    });
  } catch (cause) {
    throw cause instanceof CurvatureError ? cause : damaged(cause);
  }
  const typed = [...columns].map(([name, parts]): TypedColumn => {
    const chunks = parts.sort((a, b) => a.rowStart - b.rowStart).map(({ data }) => data);
    const found = chunks.reduce((sum, { length }) => sum + length, 0);
    if (found !== rows) throw damaged(new Error(`column ${shown(name)} has ${found} of ${rows} rows`));
    if (bare.has(name) && chunks.some((cells) => Array.prototype.some.call(cells, isBroken)))
      throw badColumn(name, "bytes");
    return { name, chunks };
  });
  return typedTable(typed, rows);
}

/** Bytes that are no UTF-8 become U+FFFD, and different ones the same. */
const isBroken = (cell: unknown): boolean => typeof cell === "string" && cell.includes("\uFFFD");

function notInstalled(cause: unknown): never {
  throw new CurvatureError(
    "ERR_PARSE",
    "The input is a Parquet file, which hyparquet reads from version 1.31.4 on. Install it: npm install hyparquet@1 hyparquet-compressors@1",
    { path: "input", cause },
  );
}

const damaged = (cause: unknown): CurvatureError =>
  unreadableFile(
    "Parquet",
    "hyparquet (1.31.4 or later)",
    cause,
    `Write it again, or convert it to CSV: python -c "import pandas as pd; pd.read_parquet('file.parquet').to_csv('points.csv', index=False)"`,
  );
