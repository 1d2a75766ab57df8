/**
 * Rows in the shapes that programs and services write as JSON: records, arrays, `{columns, data}` (pandas' split), an object of
 * columns, an object of rows, rows under a key, GeoJSON, and vectors inside records.
 */
import { CurvatureError } from "@curvature/linalg";
import { PLAIN } from "./cell.js";
import type { Dialect } from "./dialect.js";
import type { TextRecord } from "./records.js";

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
type JsonObject = { readonly [key: string]: Json };

const isArray = (value: Json): value is readonly Json[] => Array.isArray(value);
const isObject = (value: Json): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isScalar = (value: Json): boolean => !isArray(value) && !isObject(value);
const isVector = (value: Json): value is readonly number[] =>
  isArray(value) && value.length > 1 && value.every((each) => typeof each === "number");

export function jsonRecords(document: Json): Dialect {
  const notes: string[] = [];
  const { rows, names } = rowsOf(document, notes);
  if (rows.length === 0) throw shapeError("has no rows");
  if (rows.every(isArray)) {
    const width = Math.max(...rows.map((row) => row.length));
    const odd = rows.findIndex((row) => row.length !== width);
    if (odd >= 0) throw shapeError(`has ${rows[odd].length} entries in row ${odd}, and ${width} in others`);
    const nested = rows.findIndex((row) => !row.every(isScalar));
    if (nested >= 0) throw shapeError(`has an array or an object within row ${nested}`);
    if (names !== undefined && names.length !== width)
      throw shapeError(`has ${names.length} names for ${width} columns`);
    return records(rows, names, width, notes);
  }
  if (rows.every(isScalar))
    return records(
      rows.map((value) => [value]),
      ["value"],
      1,
      notes,
    );
  if (!rows.every(isObject)) throw shapeError("has rows of different forms: arrays, objects or values");
  const flat = rows.map(flattened);
  const keys = [...new Set(flat.flatMap((row) => [...row.keys()]))];
  const vectors = rows.map((row) => Object.keys(row).filter((key) => isVector(row[key])));
  const [vector] = vectors[0];
  const isEmbedding = vectors.every((found) => found.length === 1 && found[0] === vector);
  const kept = !isEmbedding
    ? keys
    : keys.filter((key) => {
        const values = flat.map((row) => row.get(key));
        const isCount =
          values.every((value, i) => value === i) || values.every((value, i) => value === i + 1);
        const isConstant = typeof values[0] === "string" && values.every((value) => value === values[0]);
        if (isCount || isConstant)
          notes.push(
            `Key "${key}" ${isCount ? "counts the rows" : "is the same in all rows"}; it is left out.`,
          );
        return !isCount && !isConstant;
      });
  return records(
    flat.map((row) => kept.map((key) => row.get(key) ?? null)),
    kept,
    kept.length,
    notes,
  );
}

function rowsOf(document: Json, notes: string[]): { rows: readonly Json[]; names?: readonly string[] } {
  if (isArray(document)) return { rows: document };
  if (!isObject(document)) throw shapeError("is one value");
  const { columns, data } = document;
  if (columns !== undefined && isArray(columns) && data !== undefined && isArray(data) && data.every(isArray))
    return { rows: data, names: columns.map((name) => (isArray(name) ? name.join(" ") : String(name))) };
  const entries = Object.entries(document);
  if (document["type"] === "FeatureCollection" && isArray(document["features"] ?? null)) {
    const features = document["features"];
    notes.push('GeoJSON: the rows are under "features", their cells under "properties" and "geometry".');
    return { rows: isArray(features) ? features.map(featureRow) : [] };
  }
  const tables = entries.filter(
    ([, value]) => isArray(value) && value.length > 0 && (value.every(isObject) || value.every(isArray)),
  );
  if (tables.length === 1) {
    const [[key, value]] = tables;
    notes.push(`The rows are under "${key}".`);
    return { rows: isArray(value) ? value : [] };
  }
  if (tables.length > 1)
    throw shapeError(`has rows under each of the keys ${tables.map(([key]) => `"${key}"`).join(", ")}`);
  if (entries.length > 0 && entries.every(([, value]) => isArray(value))) {
    const lengths = new Set(entries.map(([, value]) => (isArray(value) ? value.length : 0)));
    if (lengths.size > 1) throw shapeError("has columns of different lengths");
    const [length] = lengths;
    const names = entries.map(([name]) => name);
    const at = (value: Json, i: number): Json => (isArray(value) ? value[i] : null);
    return { rows: Array.from({ length }, (_, i) => entries.map(([, value]) => at(value, i))), names };
  }
  if (entries.length > 0 && entries.every(([, value]) => isObject(value))) {
    const inner = entries.map(([, value]) => (isObject(value) ? value : {}));
    const keys = [...new Set(inner.flatMap((value) => Object.keys(value)))];
    const areCounts = (all: readonly string[]): boolean => all.every((key) => /^\d+$/.test(key));
    if (areCounts(keys) && !areCounts(entries.map(([name]) => name))) {
      notes.push("An object of columns, each keyed by row.");
      return {
        rows: keys.map((key) => inner.map((value) => value[key] ?? null)),
        names: entries.map(([name]) => name),
      };
    }
    notes.push("An object of rows; its keys are left out.");
    return { rows: inner };
  }
  throw shapeError("is one object");
}

/** GeoJSON's point as longitude and latitude, and the properties. */
function featureRow(feature: Json): Json {
  const { geometry = null, properties = null } = isObject(feature) ? feature : {};
  const coordinates = isObject(geometry) ? (geometry["coordinates"] ?? null) : null;
  const [lon = null, lat = null] = isVector(coordinates) ? coordinates : [];
  return { lon, lat, ...(isObject(properties) ? properties : undefined) };
}

/** Nested objects and arrays of numbers as columns of their own: position.x, embedding.0. */
function flattened(row: JsonObject): Map<string, Json> {
  const flat = new Map<string, Json>();
  const add = (key: string, value: Json): void => {
    if (isScalar(value)) flat.set(key, value);
    else if (isArray(value) && !value.every(isScalar))
      throw shapeError(`has an array of arrays or objects under "${key}"`);
    else for (const [inner, each] of Object.entries(value ?? {})) add(`${key}.${inner}`, each);
  };
  for (const [key, value] of Object.entries(row)) add(key, value);
  return flat;
}

/** Strings are as cells in quotes. */
function records(
  rows: readonly (readonly Json[])[],
  names: readonly string[] | undefined,
  width: number,
  notes: readonly string[],
): Dialect {
  const textOf = (value: Json): string => (value === null || value === undefined ? "" : String(value));
  const all = rows.map(
    (row, i): TextRecord => ({
      line: i + 1,
      at: 0,
      cells: row.map(textOf),
      quoted: row.map((value) => typeof value === "string"),
    }),
  );
  return {
    delimiter: ",",
    quote: '"',
    comment: undefined,
    width,
    names,
    units: undefined,
    form: PLAIN,
    rows: all,
    notes,
    doubts: [],
  };
}

const shapeError = (what: string): CurvatureError =>
  new CurvatureError(
    "ERR_PARSE",
    `The JSON document ${what}. Write an array of rows: objects with the same keys, or arrays of one length.`,
    { path: "json" },
  );

/** NaN and infinities, as Python writes them, which JSON does not know: missing, and beyond all numbers. */
export const withoutNaN = (text: string): string =>
  text.replace(/("(?:[^"\\]|\\.)*")|(-?)\b(NaN|Infinity)\b/g, (all, quoted, sign, word) =>
    quoted !== undefined ? all : word === "NaN" ? "null" : `${sign}1e999`,
  );
