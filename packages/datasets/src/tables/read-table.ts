/** Any file of rows that people have: read as a table, with an account of what was decided. */
import { CurvatureError } from "@curvature/linalg";
import { type ByteSource, collected, peeked, pieces } from "../formats/bytes.js";
import { isArrow, isIdx, isNpy, isNpz, isParquet, isStrange } from "../formats/first-bytes.js";
import { isGzip, reading } from "../formats/gzip.js";
import type { LibsvmBatch } from "../formats/libsvm.js";
import { noData } from "../formats/table.js";
import { type ReadTable, type TableOptions, type TableSettings, tableOptions } from "./table-form.js";
import { found } from "./table-kind.js";

/** LIBSVM's rows as they are, in single precision. */
export type SparseRows = { readonly kind: "sparse" } & LibsvmBatch<Float32Array>;

/**
 * A table from delimited text, JSON, JSON Lines, ARFF, NPY, NPZ, Parquet, Arrow, IDX, LIBSVM or Matrix Market, plain, gzip or zstd.
 * Zeros of sparse formats are written out; LIBSVM's labels are the first column.
 *
 * @throws CurvatureError ERR_PARSE that names line and column and says what to do: for what is no table, what may be read in two ways
 *   (with the option that decides), and formats that are not read (with the command that converts them); ERR_OPTION; ERR_MEMORY
 */
export async function readTable(source: ByteSource, options?: TableOptions): Promise<ReadTable> {
  return tableOf("readTable", source, tableOptions.resolve("readTable", options));
}

/** @param where - whose options these are, for messages */
export const tableOf = (where: string, source: ByteSource, settings: TableSettings): Promise<ReadTable> =>
  detecting(where, source, settings, async (bytes) =>
    found(await (await import("./libsvm-columns.js")).libsvmColumns(bytes, settings), "libsvm"),
  );

/**
 * The same, but LIBSVM's rows as they are: sparse, in single precision.
 *
 * @throws CurvatureError as `readTable`
 */
export async function readRows(source: ByteSource, options?: TableOptions): Promise<ReadTable | SparseRows> {
  const settings = tableOptions.resolve("readRows", options);
  return detecting<ReadTable | SparseRows>("readRows", source, settings, async (bytes) => ({
    kind: "sparse",
    ...(await (await import("./libsvm-columns.js")).sparseRows(bytes, settings)),
  }));
}

/** By the stated format, the first bytes, and the text. */
async function detecting<T>(
  where: string,
  source: ByteSource,
  settings: TableSettings,
  sparse: (bytes: AsyncGenerator<Uint8Array>) => Promise<T>,
): Promise<T | ReadTable> {
  const name = (settings.name ?? "").toLowerCase();
  const outer = await peeked(pieces(source), 2);
  return reading<T | ReadTable>(outer.all, settings.maxBytes, async (bytes) => {
    const { head, all } = await peeked(bytes, 512);
    if (name.endsWith(".gz") && !isGzip(outer.head)) throw notGzip(settings.name);
    if (head.length === 0) throw noData("The input is empty.");
    const { format } = settings;
    const is = (wanted: TableSettings["format"], holds: () => boolean): boolean =>
      format === "auto" ? holds() : format === wanted;
    if (is("idx", () => isIdx(head)))
      return found((await import("./idx-columns.js")).idxColumns(await collected(all)), "idx");
    if (is("npy", () => isNpy(head)))
      return found((await import("./numpy.js")).npyTable(await collected(all)), "npy");
    if (is("npz", () => isNpz(head)))
      return found(
        await (await import("./numpy.js")).npzTable(await collected(all), settings.maxBytes),
        "npz",
      );
    if (is("parquet", () => isParquet(head)))
      return found(await (await import("./parquet.js")).parquetTable(await collected(all)), "parquet");
    if (is("arrow", () => isArrow(head)))
      return found(await (await import("./arrow.js")).arrowTable(await collected(all)), "arrow");
    if (format === "auto" && isStrange(head)) (await import("./unreadable.js")).refuseUnreadable(head);
    if (is("libsvm", () => /\.(svm|libsvm|svmlight)(\.(gz|zst))?$/.test(name))) return sparse(all);
    return (await import("./text-table.js")).textTable(where, all, settings, sparse);
  }).catch((cause: unknown) => {
    throw cause instanceof RangeError && /call stack|string length/i.test(cause.message)
      ? tooDeep(cause)
      : cause;
  });
}

const tooDeep = (cause: unknown): CurvatureError =>
  new CurvatureError(
    "ERR_PARSE",
    "The input is nested too deep, or has a line that is too long. Check its brackets, quotes and line ends.",
    { path: "input", cause },
  );

function notGzip(name: string | undefined): CurvatureError {
  return new CurvatureError(
    "ERR_PARSE",
    "The name ends in .gz, but the content is not gzip. Rename or compress it.",
    { path: "name", received: name },
  );
}
