/** Arrow's IPC files (Feather version 2) by flechette, which is loaded when such a file comes. */
import { CurvatureError, shown } from "@curvature/linalg";
import { lz4Frame } from "../formats/lz4.js";
import { checkMessages } from "./arrow-messages.js";
import { expanders } from "./expanders.js";
import type { Found } from "./table-form.js";
import {
  badColumn,
  checkCount,
  isoText,
  type TypedColumn,
  typedTable,
  unreadableFile,
} from "./typed-columns.js";

type Types = typeof import("@uwdata/flechette").Type;

/** @throws CurvatureError ERR_PARSE for damaged files, cells that are no table's, and where flechette is not installed */
export async function arrowTable(bytes: Uint8Array<ArrayBuffer>): Promise<Found> {
  const flechette = await import("@uwdata/flechette").catch(notInstalled);
  if (!("setCompressionCodec" in flechette)) notInstalled(tooOld());
  const { CompressionType, setCompressionCodec, tableFromIPC, Type } = flechette;
  const encode = (): never => {
    throw new Error("only read");
  };
  setCompressionCodec(CompressionType.LZ4_FRAME, { decode: lz4Frame, encode });
  const expand = await expanders().catch(() => undefined);
  if (expand !== undefined)
    setCompressionCodec(CompressionType.ZSTD, {
      decode: (data, length) =>
        expand.ZSTD?.(data, length).slice() ?? encode() /* where its numbers are aligned */,
      encode,
    });
  try {
    checkMessages(bytes);
    const table = tableFromIPC(bytes, { useBigInt: true, useBigIntTimestamp: true });
    const rows = table.numRows;
    if (!Number.isSafeInteger(rows)) throw new Error("a column of it has no rows");
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
    const isLacking = cause instanceof Error && /Missing compression codec.*ZSTD/.test(cause.message);
    throw unreadableFile(
      "Arrow",
      "flechette (2.5 or later)",
      cause,
      isLacking
        ? "Install what expands it: npm install hyparquet-compressors"
        : `Write it again, or convert it to CSV: python -c "import pandas as pd; pd.read_feather('file.arrow').to_csv('points.csv', index=False)"`,
    );
  }
}

const tooOld = (): Error => new Error("flechette is older than 2.5");

function notInstalled(cause: unknown): never {
  throw new CurvatureError(
    "ERR_PARSE",
    "The input is an Arrow (Feather) file, which @uwdata/flechette reads from version 2.5 on. Install it: npm install @uwdata/flechette@2",
    { path: "input", cause },
  );
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
      if ((values?.length ?? 0) < length) throw fail();
      return;
    case Type.Utf8View:
      if ((values?.length ?? 0) < 16 * length) throw fail();
      return;
    case Type.Utf8:
    case Type.LargeUtf8:
    case Type.List:
    case Type.LargeList: {
      const isList = typeId === Type.List || typeId === Type.LargeList;
      const end = (isList ? child?.length : values?.length) ?? 0;
      for (let i = 0, last = 0; i <= length && length > 0; i++) {
        const offset = Number(offsets?.[i]);
        if (!(offset >= last && offset <= end)) throw fail();
        last = offset;
      }
      if (isList) checkPart(child, name, Type);
      return;
    }
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
  (cell: unknown): unknown => {
    if (typeof cell === "number") notInstalled(tooOld());
    return typeof cell === "bigint" ? isoText(cell, 1000n ** BigInt(unit)) : null;
  };
