/**
 * IDX, the files of the MNIST digits.
 *
 * Layout     0, 0, type, number of dimensions, each dimension as uint32, data; all big-endian
 * Types      8 unsigned byte, 9 signed byte, 11 int16, 12 int32, 13 float32, 14 float64
 *
 * LeCun, Cortes, Burges: The MNIST database of handwritten digits, section "File formats".
 */
import {
  CurvatureError,
  checkFinite,
  type DenseMatrix,
  type OptionsOf,
  optionTable,
} from "@curvature/linalg";
import { allocate, type ByteSource, collected } from "./bytes.js";
import { idxItemSizes, isIdx } from "./first-bytes.js";
import { reading } from "./gzip.js";
import { inputSize } from "./shared-options.js";
import { numbered, type Table } from "./table.js";

export const idxOptions = optionTable(inputSize);
export type IdxOptions = OptionsOf<typeof idxOptions>;

/**
 * The array as a table: the first dimension counts the points, all others together their coordinates (images of
 * r × c become rows of r · c, row-major; one dimension is one column).
 *
 * @throws CurvatureError ERR_PARSE for what is not such a file, ERR_NON_FINITE, ERR_MEMORY, ERR_OPTION
 */
export async function readIdx(source: ByteSource, options?: IdxOptions): Promise<Table> {
  const { shape, data } = await readArray("readIdx", source, options);
  const [rows] = shape;
  const columns = data.length / rows;
  const points = { rows, columns, data };
  checkFinite(points, "The IDX array");
  return { columns: numbered(columns), points, labels: undefined };
}

/**
 * The labels of a file with one dimension, in decimal.
 *
 * @throws CurvatureError as `readIdx`, ERR_PARSE for more than one dimension
 */
export async function readIdxLabels(source: ByteSource, options?: IdxOptions): Promise<string[]> {
  const { shape, data } = await readArray("readIdxLabels", source, options);
  if (shape.length !== 1) {
    throw idxError(
      `An IDX file of labels has one dimension; this one has ${shape.length}.`,
      "Read it with readIdx.",
    );
  }
  return Array.from(data, String);
}

interface IdxArray {
  readonly shape: readonly number[];
  readonly data: Float64Array;
}

async function readArray(where: string, source: ByteSource, options?: IdxOptions): Promise<IdxArray> {
  const { maxBytes } = idxOptions.resolve(where, options);
  return idxArray(await reading(source, maxBytes, collected));
}

/** The file's numbers as `readIdx` has them, NaN and infinities included. */
export function idxMatrix(bytes: Uint8Array<ArrayBuffer>): DenseMatrix {
  const { shape, data } = idxArray(bytes);
  const [rows] = shape;
  return { rows, columns: data.length / rows, data };
}

function idxArray(bytes: Uint8Array<ArrayBuffer>): IdxArray {
  const itemSize = idxItemSizes.get(bytes[2]);
  if (!isIdx(bytes) || itemSize === undefined) {
    throw idxError("The input does not begin as an IDX file does.", "Choose the file's own format.");
  }
  const dataStart = 4 + 4 * bytes[3];
  if (bytes.length < dataStart) throw idxError("The IDX file ends inside its header.", "Fetch it again.");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const shape = Array.from({ length: bytes[3] }, (_, axis) => view.getUint32(4 + 4 * axis));
  const count = shape.reduce((product, size) => product * size, 1);
  if (bytes.length !== dataStart + count * itemSize) {
    throw idxError(
      `The IDX file promises ${shape.join(" x ")} numbers of ${itemSize} bytes, which makes ${dataStart + count * itemSize} bytes in all; it has ${bytes.length}.`,
      "Fetch it again.",
    );
  }
  if (count === 0) throw idxError(`The IDX array is empty (${shape.join(" x ")}).`, "Give one with numbers.");
  const data = allocate(() => new Float64Array(count), count * 8);
  const read = itemReader(view, bytes[2]);
  for (let k = 0; k < count; k++) data[k] = read(dataStart + k * itemSize);
  return { shape, data };
}

function itemReader(view: DataView, type: number): (offset: number) => number {
  switch (type) {
    case 9:
      return (offset) => view.getInt8(offset);
    case 11:
      return (offset) => view.getInt16(offset);
    case 12:
      return (offset) => view.getInt32(offset);
    case 13:
      return (offset) => view.getFloat32(offset);
    case 14:
      return (offset) => view.getFloat64(offset);
    default:
      return (offset) => view.getUint8(offset);
  }
}

function idxError(what: string, remedy: string): CurvatureError {
  return new CurvatureError("ERR_PARSE", `${what} ${remedy}`, { path: "idx" });
}
