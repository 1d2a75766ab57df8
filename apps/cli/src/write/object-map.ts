/**
 * A map of objects as a file: the object, then its place; an object without a place has empty cells. What is written
 * reads back.
 */
import { readCells, writeCells } from "@curvature/datasets";
import { CurvatureError, type DenseMatrix, shown } from "@curvature/linalg";
import { bytesOf, inFile, shownName } from "../read/file.js";
import { objectNames } from "../read/object-names.js";
import type { Content } from "./atomic-file.js";
import { formatNamed } from "./file-format.js";
import { axisNames } from "./map-file.js";

export interface ObjectMap {
  /** n × p; rows of NaN are objects without a place. */
  readonly map: DenseMatrix;
  /** Of the n objects; undefined if they are called 0, 1, 2, …. */
  readonly names: readonly string[] | undefined;
}

const formats = {
  ".csv": (data: ObjectMap) => delimited(data, ","),
  ".tsv": (data: ObjectMap) => delimited(data, "\t"),
  ".json": (data: ObjectMap) => json(data),
} as const;

type ObjectMapFormat = keyof typeof formats;

/** @throws CurvatureError ERR_OPTION if the name does not end in a known way */
export const objectMapFormat = (path: string): ObjectMapFormat => formatNamed(path, "--out", formats);

export function objectMapContent(format: ObjectMapFormat, data: ObjectMap): Content {
  return formats[format](data);
}

function delimited(data: ObjectMap, delimiter: string): Content {
  return writeCells(rowsOf(data), { delimiter });
}

function* rowsOf({ map, names }: ObjectMap): Generator<(string | number)[]> {
  yield ["object", ...axisNames(map.columns)];
  const called = objectNames(names, map.rows);
  for (let n = 0; n < map.rows; n++) yield [called[n], ...placeOf(map, n)];
}

function json({ map, names }: ObjectMap): Content {
  const places = Array.from({ length: map.rows }, (_, n) => [...placeOf(map, n)]);
  const document = { columns: axisNames(map.columns), labels: objectNames(names, map.rows), data: places };
  return `${JSON.stringify(document)}\n`;
}

const placeOf = ({ columns, data }: DenseMatrix, n: number): Float64Array =>
  data.subarray(n * columns, (n + 1) * columns);

/** Of the objects, those that have a place. */
export function placedOnly({ map, names }: ObjectMap): {
  readonly map: DenseMatrix;
  readonly names: readonly string[];
} {
  const called = objectNames(names, map.rows);
  const placed = Array.from(called.keys()).filter((n) => placeOf(map, n).every(Number.isFinite));
  const data = Float64Array.from(placed.flatMap((n) => [...placeOf(map, n)]));
  return {
    map: { rows: placed.length, columns: map.columns, data },
    names: placed.map((n) => called[n]),
  };
}

/**
 * A map that `curvature ordinal` wrote as CSV or TSV.
 *
 * @throws CurvatureError ERR_PARSE, ERR_NON_FINITE with the line; ERR_IO
 */
export async function readObjectMap(path: string, signal: AbortSignal): Promise<ObjectMap> {
  const { cells, lines } = await readCells(bytesOf(path, signal)).catch((error: unknown) => {
    throw inFile(path, error);
  });
  const width = cells[0]?.length ?? 0;
  const failure = (k: number, what: string): CurvatureError =>
    new CurvatureError(
      "ERR_PARSE",
      `${shownName(path)}: line ${lines[k]} ${what}. Give a map as curvature ordinal writes it: a header, then per line an object and its place.`,
      { path },
    );
  if (cells.length < 2 || width < 2) {
    throw new CurvatureError(
      "ERR_PARSE",
      `${shownName(path)} holds no map. Give one as curvature ordinal writes it: a header, then per line an object and its place.`,
      { path },
    );
  }
  if (cells[0].slice(1).some((cell) => isNumber(cell))) throw failure(0, "is no header");
  const names: string[] = [];
  const known = new Set<string>();
  const data = new Float64Array((cells.length - 1) * (width - 1));
  for (const [k, record] of cells.entries()) {
    if (k === 0) continue;
    if (record.length !== width) throw failure(k, `has ${record.length} cells, the header has ${width}`);
    const [name, ...place] = record;
    if (known.has(name)) throw failure(k, `is the second one of ${shown(name)}`);
    known.add(name);
    names.push(name);
    const empty = place.every((cell) => cell === "");
    const wrong = empty ? undefined : place.find((cell) => !isNumber(cell));
    if (wrong !== undefined) throw failure(k, `has ${shown(wrong)} in place of a number`);
    data.set(empty ? place.map(() => Number.NaN) : place.map(Number), (k - 1) * (width - 1));
  }
  const numbered = names.every((name, n) => name === String(n));
  return {
    map: { rows: names.length, columns: width - 1, data },
    names: numbered ? undefined : names,
  };
}

const isNumber = (cell: string): boolean => cell.trim() !== "" && Number.isFinite(Number(cell));
