/** NumPy's arrays as tables: npy with records and texts, and npz with one table or a matrix of SciPy. */
import { CurvatureError, shown } from "@curvature/linalg";
import type { Column } from "@curvature/linalg/tables";
import { denseZeros } from "../formats/dense-zeros.js";
import { bomb, mostExpanded } from "../formats/gzip.js";
import { checkFilled, type NpyArray, npyArray, npyMatrix, numberReader } from "../formats/npy.js";
import { type NpyField, npyError } from "../formats/npy-header.js";
import { numbered } from "../formats/table.js";
import { memberBytes, zipMembers } from "../formats/zip.js";
import { matrixTable } from "./column-store.js";
import type { Found } from "./table-form.js";
import { typedTable } from "./typed-columns.js";

type Bytes = Uint8Array<ArrayBuffer>;

const isText = ({ kind }: NpyField): boolean => kind === "U" || kind === "S";

/** @throws CurvatureError as `readNpy`, but NaN is a missing value and text a word */
export function npyTable(bytes: Bytes): Found {
  const array = npyArray(bytes);
  const { shape, fields, isRecord, itemSize, fortranOrder } = array;
  const [field] = fields;
  if (!isRecord && !isText(field)) {
    return matrixTable(npyMatrix(bytes));
  }
  const [rows, columns = 1] = shape;
  if (shape.length < 1 || shape.length > (isRecord ? 1 : 2))
    throw npyError(
      `The npy array of ${isRecord ? "records" : "texts"} has ${shape.length} dimensions.`,
      isRecord ? "Save it with one: a.ravel()." : "Save it with one or two: rows and columns.",
    );
  checkFilled(rows, columns);
  if (isRecord)
    return typedTable(
      fields.map((each) => ({
        name: each.name,
        chunks: [cellsOf(array, each, rows, (row) => row * itemSize)],
      })),
      rows,
    );
  const place = (row: number, j: number): number =>
    (fortranOrder ? j * rows + row : row * columns + j) * itemSize;
  const table = typedTable(
    numbered(columns).map((name, j) => ({
      name,
      chunks: [cellsOf(array, field, rows, (row) => place(row, j))],
    })),
    rows,
  );
  return { ...table, isNamed: false };
}

function cellsOf(
  { view }: NpyArray,
  field: NpyField,
  rows: number,
  itemAt: (row: number) => number,
): ArrayLike<unknown> {
  const { kind, offset } = field;
  if (isText(field)) {
    const read = textReader(view, field);
    return Array.from({ length: rows }, (_, row) => read(itemAt(row) + offset));
  }
  const read = numberReader(view, field);
  if (kind === "b") return Array.from({ length: rows }, (_, row) => read(itemAt(row) + offset) !== 0);
  return Float64Array.from({ length: rows }, (_, row) => read(itemAt(row) + offset));
}

/** U is UTF-32, S bytes; zeros fill up both. */
function textReader(
  view: DataView<ArrayBuffer>,
  { kind, size, littleEndian }: NpyField,
): (at: number) => string {
  if (kind === "S") {
    const decoder = new TextDecoder();
    return (at) =>
      decoder.decode(new Uint8Array(view.buffer, view.byteOffset + at, size)).replace(/\0+$/, "");
  }
  return (at) => {
    let text = "";
    for (let k = 0; k < size; k += 4) {
      const letter = view.getUint32(at + k, littleEndian);
      if (letter > 0x10ffff)
        throw npyError(`The npy array has a text with the letter ${letter}.`, "Save it again.");
      text += String.fromCodePoint(letter);
    }
    return text.replace(/\0+$/, "");
  };
}

function npzError(what: string, remedy: string, cause?: unknown): CurvatureError {
  return new CurvatureError("ERR_PARSE", `${what} ${remedy}`, { path: "npz", cause });
}

/**
 * One array, a matrix and a vector of as many entries (X and y), or a sparse matrix of SciPy, zeros written out.
 *
 * @throws CurvatureError ERR_PARSE for other arrays, and for damaged archives; ERR_MEMORY
 */
export async function npzTable(bytes: Bytes, maxBytes: number): Promise<Found> {
  const files = new Map<string, Bytes>();
  let left = maxBytes;
  for (const member of zipMembers(bytes)) {
    if (!member.name.endsWith(".npy"))
      throw npzError(
        `The npz file has the member ${shown(member.name)}, which is no array.`,
        "Save it with numpy.savez.",
      );
    const content = await memberBytes(member, left);
    left -= content.length;
    if (maxBytes - left > mostExpanded(bytes.length)) throw bomb("npz file"); // each member may be small enough
    files.set(member.name.slice(0, -4), content);
  }
  const [[only, file] = ["", new Uint8Array(0)]] = files;
  if (files.has("format") && files.has("shape")) return sparseTable(files);
  if (files.size === 1) return inArray(only, () => npyTable(file));
  const shapes = [...files].map(([name, content]) => {
    const { shape, isRecord } = inArray(name, () => npyArray(content));
    return { name, content, shape, isRecord };
  });
  const matrices = shapes.filter(({ shape, isRecord }) => shape.length === 2 && !isRecord);
  const vectors = shapes.filter(({ shape, isRecord }) => shape.length === 1 && !isRecord);
  const [matrix] = matrices;
  const [vector] = vectors;
  if (
    shapes.length !== 2 ||
    matrices.length !== 1 ||
    vectors.length !== 1 ||
    vector.shape[0] !== matrix.shape[0]
  ) {
    const all = shapes
      .map(({ name, shape }) => `${shown(name)} (${shape.join(" x ") || "one value"})`)
      .join(", ");
    throw npzError(
      `The npz file holds ${shapes.length} arrays: ${all}.`,
      `Save the one that is the table: python -c "import numpy as np; np.save('points.npy', np.load('file.npz')[${shown(matrix?.name ?? only)}])"`,
    );
  }
  const X = inArray(matrix.name, () => npyTable(matrix.content));
  const y = inArray(vector.name, () => npyTable(vector.content));
  const label = y.columns.map((column): Column => ({ ...column, name: vector.name }));
  return { rows: X.rows, columns: [...X.columns, ...label], isNamed: true };
}

/** Errors name the array. */
function inArray<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (!(cause instanceof CurvatureError) || cause.code !== "ERR_PARSE") throw cause;
    throw npzError(`Array ${shown(name)} of the npz file:`, cause.message, cause);
  }
}

/** As `scipy.sparse.save_npz` writes one. */
function sparseTable(files: ReadonlyMap<string, Bytes>): Found {
  const fail = (what: string): CurvatureError =>
    npzError(
      `The sparse matrix in the npz file ${what}.`,
      `Save it again: python -c "import scipy.sparse as s; s.save_npz('points.npz', s.load_npz('file.npz').tocsr())"`,
    );
  const member = (name: string): Bytes => {
    const file = files.get(name);
    if (file === undefined) throw fail(`has no array ${shown(name)}`);
    return file;
  };
  const numbers = (name: string): Float64Array => inArray(name, () => npyMatrix(member(name))).data;
  const { view } = inArray("format", () => npyArray(member("format")));
  const form = new TextDecoder().decode(view).replaceAll("\0", "");
  if (form !== "csr" && form !== "csc" && form !== "coo")
    throw fail(`is stored as ${shown(form.slice(0, 20))}; known are csr, csc and coo`);
  const [rows = 0, columns = 0, ...more] = numbers("shape");
  if (
    !(rows >= 1 && columns >= 1 && Number.isSafeInteger(rows) && Number.isSafeInteger(columns)) ||
    more.length > 0
  )
    throw fail("has no shape of two whole numbers");
  const data = denseZeros(rows, columns, {
    bytes: [...files.values()].reduce((sum, { length }) => sum + length, 0),
    python: "from scipy.sparse import load_npz; A = load_npz('file.npz').tocsr()",
  });
  const isEmpty = inArray("data", () => npyArray(member("data"))).shape[0] === 0;
  const values = isEmpty ? new Float64Array(0) : numbers("data");
  const indices = (name: string, below: number): Float64Array => {
    const all = isEmpty ? values : numbers(name);
    if (all.length !== values.length)
      throw fail(`has ${all.length} of ${shown(name)} for ${values.length} numbers`);
    if (!all.every((index) => index >= 0 && index < below && Number.isInteger(index)))
      throw fail(`has an index in ${shown(name)} that is not below ${below}`);
    return all;
  };
  if (form === "coo") {
    const row = indices("row", rows);
    const column = indices("col", columns);
    for (let k = 0; k < values.length; k++) data[row[k] * columns + column[k]] += values[k];
  } else {
    const [outer, inner] = form === "csr" ? [rows, columns] : [columns, rows];
    const inside = indices("indices", inner);
    const pointers = numbers("indptr");
    if (
      pointers.length !== outer + 1 ||
      pointers[0] !== 0 ||
      pointers[outer] !== values.length ||
      pointers.some((pointer, i) => !Number.isInteger(pointer) || pointer < pointers[i - 1])
    )
      throw fail("has pointers (indptr) that do not fit");
    for (let i = 0; i < outer; i++)
      for (let p = pointers[i]; p < pointers[i + 1]; p++)
        data[form === "csr" ? i * columns + inside[p] : inside[p] * columns + i] += values[p];
  }
  return matrixTable({ rows, columns, data });
}
