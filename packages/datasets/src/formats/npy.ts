/**
 * NumPy's array files (.npy), versions 1 to 3.
 *
 * Layout     "\x93NUMPY", major, minor, header length (uint16, from version 2 on uint32; little-endian), header,
 *            data. The header is a Python dictionary literal with the keys descr, fortran_order and shape.
 * Types      f2 f4 f8, i1 i2 i4, u1 u2 u4, b1 of either byte order; i8 and u8 where every value is exact in float64; in
 *            tables U and S (text), and records of all these
 *
 * NEP 1: A simple file format for NumPy arrays, https://numpy.org/neps/nep-0001-npy-format.html.
 */
import {
  type CurvatureError,
  checkFinite,
  type DenseMatrix,
  type MatrixLike,
  type OptionsOf,
  optionTable,
  toDense,
} from "@curvature/linalg";
import { allocate, type ByteSource, collected } from "./bytes.js";
import { isNpy, npyMagic } from "./first-bytes.js";
import { reading } from "./gzip.js";
import { type NpyField, type NpyHeader, npyError, parseNpyHeader } from "./npy-header.js";
import { inputSize } from "./shared-options.js";
import { numbered, type Table } from "./table.js";

export const npyOptions = optionTable(inputSize);
export type NpyOptions = OptionsOf<typeof npyOptions>;

/**
 * The array as a table: two dimensions are rows and columns, one dimension is one column.
 *
 * @throws CurvatureError ERR_PARSE for what is not such a file or not numbers, ERR_NON_FINITE for a NaN or an
 *   infinity (row and column counted from 0), ERR_MEMORY, ERR_OPTION
 */
export async function readNpy(source: ByteSource, options?: NpyOptions): Promise<Table> {
  const { maxBytes } = npyOptions.resolve("readNpy", options);
  const points = npyMatrix(await reading(source, maxBytes, collected));
  checkFinite(points, "The npy array");
  return { columns: numbered(points.columns), points, labels: undefined };
}

/** The file's numbers, NaN and infinities included. @throws CurvatureError as `readNpy` */
export function npyMatrix(bytes: Uint8Array<ArrayBuffer>): DenseMatrix {
  const array = npyArray(bytes);
  const { shape, fields, isRecord } = array;
  if (isRecord || "US".includes(fields[0].kind))
    throw npyError(
      `The npy array holds ${isRecord ? "records" : "texts"}, and not only numbers.`,
      "Read it with readTable.",
    );
  if (shape.length < 1 || shape.length > 2) {
    throw npyError(
      `The npy array has ${shape.length} dimensions.`,
      "Reshape it to two: points and coordinates.",
    );
  }
  const [rows, columns = 1] = shape;
  checkFilled(rows, columns);
  return { rows, columns, data: values(array, rows, columns) };
}

/** Without items a header may state any number of rows. @throws CurvatureError ERR_PARSE */
export function checkFilled(rows: number, columns: number): void {
  if (rows * columns === 0)
    throw npyError(`The npy array is empty (${rows} x ${columns}).`, "Save one with rows and columns.");
}

/** What an npy file holds: items of `itemSize` bytes. */
export interface NpyArray extends NpyHeader {
  /** Over the items alone. */
  readonly view: DataView<ArrayBuffer>;
}

/** @throws CurvatureError ERR_PARSE for what is no such file, or of another size than it says */
export function npyArray(bytes: Uint8Array<ArrayBuffer>): NpyArray {
  const header = npyHeader(bytes);
  const { shape, itemSize, dataStart } = header;
  const expected = dataStart + shape.reduce((product, size) => product * size, 1) * itemSize;
  if (bytes.length !== expected) {
    throw npyError(
      `The npy file promises ${shape.join(" x ")} items of ${itemSize} bytes, which makes ${expected} bytes in all; it has ${bytes.length}.`,
      "Save the array again.",
    );
  }
  return { ...header, view: new DataView(bytes.buffer, bytes.byteOffset + dataStart, expected - dataStart) };
}

function npyHeader(bytes: Uint8Array<ArrayBuffer>): NpyHeader {
  if (!isNpy(bytes))
    throw npyError("The input does not begin as an npy file does.", "Save it with numpy.save.");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const major = bytes.length > 7 ? bytes[6] : 0;
  if (major < 1 || major > 3) {
    throw npyError(
      `The npy file is of version ${major}; versions 1 to 3 are known.`,
      "Save it with numpy.save.",
    );
  }
  const textStart = major === 1 ? 10 : 12;
  if (bytes.length < textStart) throw cutOff();
  const dataStart = textStart + (major === 1 ? view.getUint16(8, true) : view.getUint32(8, true));
  if (bytes.length < dataStart) throw cutOff();
  const text = new TextDecoder(major === 3 ? "utf-8" : "latin1").decode(bytes.subarray(textStart, dataStart));
  return parseNpyHeader(text, dataStart);
}

const cutOff = (): CurvatureError =>
  npyError("The npy file ends inside its header.", "Save the array again.");

/** Row-major float64 whatever the file's type and order. */
function values({ view, fields, fortranOrder }: NpyArray, rows: number, columns: number): Float64Array {
  const [field] = fields;
  const { size } = field;
  const count = rows * columns;
  const data = allocate(() => new Float64Array(count), count * 8);
  const read = numberReader(view, field);
  if (!fortranOrder) for (let k = 0; k < count; k++) data[k] = read(k * size);
  else {
    for (let j = 0, k = 0; j < columns; j++)
      for (let i = 0; i < rows; i++, k++) data[i * columns + j] = read(k * size);
  }
  return data;
}

/** Reads the number that begins at an offset. */
export function numberReader(
  view: DataView,
  { kind, size, littleEndian }: NpyField,
): (offset: number) => number {
  switch (`${kind}${size}`) {
    case "f2":
      return (offset) => half(view.getUint16(offset, littleEndian));
    case "f4":
      return (offset) => view.getFloat32(offset, littleEndian);
    case "f8":
      return (offset) => view.getFloat64(offset, littleEndian);
    case "i1":
      return (offset) => view.getInt8(offset);
    case "i2":
      return (offset) => view.getInt16(offset, littleEndian);
    case "i4":
      return (offset) => view.getInt32(offset, littleEndian);
    case "i8":
      return (offset) => exact(view.getBigInt64(offset, littleEndian));
    case "u2":
      return (offset) => view.getUint16(offset, littleEndian);
    case "u4":
      return (offset) => view.getUint32(offset, littleEndian);
    case "u8":
      return (offset) => exact(view.getBigUint64(offset, littleEndian));
    default:
      return (offset) => view.getUint8(offset); // u1, b1
  }
}

/** Half precision: 1 bit of sign, 5 of exponent, 10 of fraction (IEEE 754-2019, binary16). */
function half(bits: number): number {
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  const size =
    exponent === 31
      ? fraction === 0
        ? Number.POSITIVE_INFINITY
        : Number.NaN
      : exponent === 0
        ? fraction * 2 ** -24
        : (1024 + fraction) * 2 ** (exponent - 25);
  return bits >> 15 === 0 ? size : -size;
}

function exact(value: bigint): number {
  const number = Number(value);
  if (BigInt(number) === value) return number;
  throw npyError(`The npy array holds ${value}, which float64 cannot hold exactly.`, "Save it as float64.");
}

/** `Uint8Array<ArrayBuffer>`, and what TypeScript before 5.7 has in its place. */
type OwnBytes = ReturnType<typeof Uint8Array.of>;

/**
 * The matrix as a version 1 file: float64, little-endian, row-major.
 *
 * @throws CurvatureError ERR_NON_FINITE, ERR_SHAPE, ERR_MEMORY
 */
export function writeNpy(points: MatrixLike): OwnBytes {
  const { rows, columns, data } = toDense(points, "points");
  const dictionary = `{'descr': '<f8', 'fortran_order': False, 'shape': (${rows}, ${columns}), }`;
  const dataStart = Math.ceil((10 + dictionary.length + 1) / 64) * 64;
  const header = `${dictionary.padEnd(dataStart - 11)}\n`;
  const bytes = allocate(() => new Uint8Array(dataStart + data.length * 8), dataStart + data.length * 8);
  bytes.set([...npyMagic, 1, 0]);
  const view = new DataView(bytes.buffer);
  view.setUint16(8, dataStart - 10, true);
  for (let i = 0; i < header.length; i++) bytes[10 + i] = header.charCodeAt(i);
  for (let k = 0; k < data.length; k++) view.setFloat64(dataStart + 8 * k, data[k], true);
  return bytes;
}
