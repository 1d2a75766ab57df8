/** Arrow's IPC files (Feather version 2) by flechette, which is loaded when such a file comes. */
import { CurvatureError } from "@curvature/linalg";
import { lz4Frame } from "../formats/lz4.js";
import { badColumn, checkRows, type Found, isoText, type TypedColumn, typedTable } from "./typed-columns.js";

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
      decode: (data, length) => zstd.compressors.ZSTD?.(data, length) ?? encode(),
      encode,
    });
  try {
    const table = tableFromIPC(bytes, { useBigInt: true, useBigIntTimestamp: true });
    const rows = table.numRows;
    checkRows(rows, bytes.length);
    const typed = table.children.map((column, j): TypedColumn => {
      const name = String(table.names[j]);
      const type = column.type.typeId === Type.Dictionary ? column.type.dictionary : column.type;
      const cells: ArrayLike<unknown> = column.toArray();
      if (column.length !== rows || cells.length < rows)
        throw new Error(`a column has ${cells.length} of ${rows} rows`);
      const { typeId } = type;
      if (
        [Type.Binary, Type.LargeBinary, Type.FixedSizeBinary, Type.BinaryView].some(
          (binary) => binary === typeId,
        )
      )
        throw badColumn(name, "bytes");
      const text =
        typeId === Type.Date ? dateText : typeId === Type.Timestamp ? momentText(type.unit) : undefined;
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

/** Milliseconds as a day. */
const dateText = (cell: unknown): unknown =>
  typeof cell === "number" ? isoText(BigInt(cell), 1000n).slice(0, 10) : null;

/** @param unit - seconds, and thousandths, millionths, … of them */
const momentText =
  (unit: number) =>
  (cell: unknown): unknown =>
    typeof cell === "bigint" ? isoText(cell, 1000n ** BigInt(unit)) : null;
