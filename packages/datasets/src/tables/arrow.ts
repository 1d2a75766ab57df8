/** Arrow's IPC files (Feather version 2) by flechette, which is loaded when such a file comes. */
import { CurvatureError, shown } from "@curvature/linalg";
import { isArrow } from "../formats/first-bytes.js";
import { lz4Frame } from "../formats/lz4.js";
import { badColumn, checkCount, type Found, isoText, type TypedColumn, typedTable } from "./typed-columns.js";

type Types = typeof import("@uwdata/flechette").Type;

/** @throws CurvatureError ERR_PARSE for damaged files, cells that are no table's, and where flechette is not installed */
export async function arrowTable(bytes: Uint8Array<ArrayBuffer>): Promise<Found> {
  const { CompressionType, setCompressionCodec, tableFromIPC, Type } = await import(
    "@uwdata/flechette"
  ).catch((cause: unknown) => {
    throw new CurvatureError(
      "ERR_PARSE",
      "The input is an Arrow (Feather) file, which @uwdata/flechette reads. Install it: npm install @uwdata/flechette",
      { path: "input", cause },
    );
  });
  const encode = (): never => {
    throw new Error("only read");
  };
  setCompressionCodec(CompressionType.LZ4_FRAME, { decode: lz4Frame, encode });
  const zstd = await import("hyparquet-compressors").catch(() => undefined);
  if (zstd !== undefined)
    setCompressionCodec(CompressionType.ZSTD, {
      decode: (data, length) =>
        zstd.compressors.ZSTD?.(data, length).slice() ?? encode() /* where its numbers are aligned */,
      encode,
    });
  try {
    checkMessages(bytes);
    const table = tableFromIPC(bytes, { useBigInt: true, useBigIntTimestamp: true });
    const rows = table.numRows;
    checkCount(rows, bytes.length);
    const typed = table.children.map((column, j): TypedColumn => {
      const name = String(table.names[j]);
      if (column.length !== rows) throw new Error(`a column has ${column.length} of ${rows} rows`);
      for (const part of column.data) checkPart(part, name, Type);
      const type = column.type.typeId === Type.Dictionary ? column.type.dictionary : column.type;
      const cells: ArrayLike<unknown> = column.toArray();
      const text =
        type.typeId === Type.Date
          ? dateText
          : type.typeId === Type.Timestamp
            ? momentText(type.unit)
            : undefined;
      return { name, chunks: [text === undefined ? cells : Array.from(cells, text)] };
    });
    return typedTable(typed, rows);
  } catch (cause) {
    if (cause instanceof CurvatureError) throw cause;
    const reason = cause instanceof Error ? cause.message.replace(/\p{C}/gu, " ").slice(0, 200) : "";
    const remedy = reason.includes("ZSTD")
      ? "Install what expands it: npm install hyparquet-compressors"
      : `Convert it to CSV: python -c "import pandas as pd; pd.read_feather('file.arrow').to_csv('points.csv', index=False)"`;
    throw new CurvatureError(
      "ERR_PARSE",
      `The Arrow file is damaged, or written as flechette cannot read it: ${reason}. ${remedy}`,
      { path: "arrow", cause },
    );
  }
}

/**
 * How many cells the messages promise, since flechette makes dictionaries of that length at once.
 *
 *   message   ff ff ff ff, length (4), flatbuffer: 1 kind (2 a dictionary, 3 rows), 2 header, 3 length of the body (8)   body
 *   header    of a dictionary: 1 rows; of rows: 1 for each part its length and nulls (8 each), 2 its buffers (16 each)
 */
function checkMessages(bytes: Uint8Array<ArrayBuffer>): void {
  const isFile = isArrow(bytes);
  if (isFile && !isArrow(bytes.subarray(-6))) throw new Error("its end is missing");
  const stream = isFile ? bytes.subarray(8) : bytes;
  const view = new DataView(stream.buffer, stream.byteOffset, stream.length);
  const behind = (at: number): number => at + view.getUint32(at, true);
  /** Where the field of a flatbuffer's table stands. */
  const fieldAt = (table: number, k: number): number => {
    const fields = table - view.getInt32(table, true);
    const offset = 4 + 2 * k < view.getUint16(fields, true) ? view.getUint16(fields + 4 + 2 * k, true) : 0;
    if (offset === 0) throw new Error("a field is missing");
    return table + offset;
  };
  for (let at = 0; at < stream.length && view.getUint32(at, true) === 0xffffffff; ) {
    const length = view.getUint32(at + 4, true);
    if (length === 0) break;
    const message = behind(at + 8);
    const kind = view.getUint8(fieldAt(message, 1));
    if (kind === 2 || kind === 3) {
      const header = behind(fieldAt(message, 2));
      const batch = kind === 2 ? behind(fieldAt(header, 1)) : header;
      const [parts, buffers] = [behind(fieldAt(batch, 1)), behind(fieldAt(batch, 2))];
      const count = view.getUint32(parts, true);
      if (16 * Math.max(count, view.getUint32(buffers, true)) > length) throw new Error("a list is too long");
      for (let k = 0; k < count; k++)
        checkCount(Number(view.getBigInt64(parts + 4 + 16 * k, true)), bytes.length);
      at += Number(view.getBigUint64(fieldAt(message, 3), true));
    }
    at += 8 + length;
  }
}

/** Of flechette's Batch. */
interface Part {
  readonly length: number;
  readonly type: { readonly typeId: number; readonly stride?: number };
  readonly values?: ArrayLike<unknown>;
  readonly offsets?: ArrayLike<number | bigint>;
  readonly children?: readonly Part[];
}

/**
 * That lengths and lists are within the data, which flechette does not ask.
 *
 * @throws Error where they are not, CurvatureError for a kind that is no table's
 */
function checkPart({ length, type, values, offsets, children }: Part, name: string, Type: Types): void {
  const { typeId, stride = 0 } = type;
  const fail = (): Error => new Error(`column ${shown(name)} is not as long as it says`);
  const [child] = children ?? [];
  switch (typeId) {
    case Type.Null:
    case Type.Decimal:
      return;
    case Type.Bool:
      if (8 * (values?.length ?? 0) < length) throw fail();
      return;
    case Type.Int:
    case Type.Float:
    case Type.Date:
    case Type.Time:
    case Type.Timestamp:
    case Type.Duration:
    case Type.Dictionary:
    case Type.Utf8View:
      if ((values?.length ?? 0) < length) throw fail();
      return;
    case Type.Utf8:
    case Type.LargeUtf8:
      if ((offsets?.length ?? 0) <= length && length > 0) throw fail();
      return;
    case Type.List:
    case Type.LargeList:
      for (let i = 0, last = 0; i <= length && length > 0; i++) {
        const offset = Number(offsets?.[i]);
        if (!(offset >= last && offset <= child.length)) throw fail();
        last = offset;
      }
      checkPart(child, name, Type);
      return;
    case Type.FixedSizeList:
      if (length * stride > child.length) throw fail();
      checkPart(child, name, Type);
      return;
    case Type.Binary:
    case Type.LargeBinary:
    case Type.FixedSizeBinary:
    case Type.BinaryView:
      throw badColumn(name, "bytes");
    default:
      throw badColumn(name, "neither numbers nor texts nor lists of numbers");
  }
}

/** Milliseconds as a day. */
const dateText = (cell: unknown): unknown =>
  typeof cell === "number" ? isoText(BigInt(cell), 1000n).slice(0, 10) : null;

/** @param unit - seconds, and thousandths, millionths, … of them */
const momentText =
  (unit: number) =>
  (cell: unknown): unknown =>
    typeof cell === "bigint" ? isoText(cell, 1000n ** BigInt(unit)) : null;
