/**
 * Rows in the shapes that programs and services write as JSON: records, arrays, `{columns, data}` (pandas' split), an object of
 * columns, an object of rows, rows under a key, GeoJSON, and vectors inside records.
 */
import { CurvatureError } from "@curvature/linalg";
import { PLAIN } from "./cell.js";
import type { Dialect } from "./dialect.js";
import type { TextRecord } from "./records.js";

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
type JsonObject = { readonly [key: string]: Json };

const isArray = (value: Json): value is readonly Json[] => Array.isArray(value);
const isObject = (value: Json): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isScalar = (value: Json): boolean => !isArray(value) && !isObject(value);
const formOf = (value: Json): string =>
  isArray(value) ? "an array" : isObject(value) ? "an object" : "one value";
const isVector = (value: Json): value is readonly number[] =>
  isArray(value) && value.length > 1 && value.every((each) => typeof each === "number");

/**
 * @param lines - of the text on which the rows stand, where there is one for each
 * @throws CurvatureError ERR_PARSE for what is no table
 */
export function jsonRecords(document: Json, lines?: readonly number[]): Dialect {
  const notes: string[] = [];
  const { rows, names, labels } = rowsOf(document, notes);
  if (rows.length === 0) throw shapeError("has no rows");
  const placeOf = (i: number): string => (lines === undefined ? `row ${i + 1}` : `line ${lines[i]}`);
  const other = rows.findIndex((row) => formOf(row) !== formOf(rows[0]));
  if (other >= 0)
    throw shapeError(
      `has ${formOf(rows[other])} in ${placeOf(other)}, and ${formOf(rows[0])} in ${placeOf(0)}`,
    );
  if (rows.every(isArray)) {
    const width = names?.length ?? rows[0].length;
    const odd = rows.findIndex((row) => row.length !== width);
    if (odd >= 0)
      throw shapeError(
        `has ${rows[odd].length} entries in ${placeOf(odd)}, and ${names === undefined ? `${width} in ${placeOf(0)}` : `names for ${width}`}`,
      );
    if (width === 0) throw shapeError("has no columns");
    for (const [i, row] of rows.entries())
      if (!row.every(isScalar))
        throw shapeError(
          `has an array or an object in ${placeOf(i)}, column ${row.findIndex((cell) => !isScalar(cell)) + 1}`,
        );
    return records(rows, names, width, notes, lines, labels);
  }
  if (rows.every(isScalar))
    return records(
      rows.map((value) => [value]),
      ["value"],
      1,
      notes,
      lines,
    );
  if (!rows.every(isObject)) throw shapeError("has no rows");
  const flat = rows.map((row, i) => flattened(row, placeOf(i)));
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
    lines,
  );
}

interface Rows {
  readonly rows: readonly Json[];
  readonly names?: readonly string[] | undefined;
  /** The index of their column. */
  readonly labels?: number | undefined;
}

function rowsOf(document: Json, notes: string[]): Rows {
  if (isArray(document)) return { rows: document };
  if (!isObject(document)) throw shapeError("is one value");
  const { columns = null, data = null, labels = null } = document;
  if (isArray(data) && data.length > 0 && data.every(isArray) && (isArray(columns) || isArray(labels)))
    return splitRows(columns, data, labels);
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

/** `{columns, data}` as pandas writes it, `{columns, labels, data}` as `writeJson` does. */
function splitRows(columns: Json, data: readonly (readonly Json[])[], labels: Json): Rows {
  const names = isArray(columns)
    ? columns.map((name) => (isArray(name) ? name.join(" ") : String(name)))
    : undefined;
  if (!isArray(labels)) return { rows: data, names };
  if (labels.length !== data.length || !labels.every(isScalar))
    throw shapeError(`has ${labels.length} labels for ${data.length} rows`);
  return {
    rows: data.map((row, i) => [...row, labels[i]]),
    names: names && [...names, "label"],
    labels: names?.length ?? data[0].length,
  };
}

/** GeoJSON's point as longitude and latitude, and the properties. */
function featureRow(feature: Json): Json {
  const { geometry = null, properties = null } = isObject(feature) ? feature : {};
  const coordinates = isObject(geometry) ? (geometry["coordinates"] ?? null) : null;
  const [lon = null, lat = null] = isVector(coordinates) ? coordinates : [];
  return { lon, lat, ...(isObject(properties) ? properties : undefined) };
}

/** Nested objects and arrays of numbers as columns of their own: position.x, embedding.0. */
function flattened(row: JsonObject, place: string): Map<string, Json> {
  const flat = new Map<string, Json>();
  const add = (key: string, value: Json, depth: number): void => {
    if (isScalar(value)) {
      if (flat.has(key)) throw shapeError(`has two values for "${key}" in ${place}`);
      flat.set(key, value);
    } else if (isArray(value) && !value.every(isScalar))
      throw shapeError(`has an array of arrays or objects under "${key}" in ${place}`);
    else if (depth === MAX_DEPTH) throw shapeError(`has objects in objects in ${place}, ${MAX_DEPTH} deep`);
    else for (const [inner, each] of Object.entries(value ?? {})) add(`${key}.${inner}`, each, depth + 1);
  };
  for (const [key, value] of Object.entries(row)) add(key, value, 1);
  return flat;
}

/** What is deeper is no table, and would end in the engine's stack. */
const MAX_DEPTH = 100;

/** Strings are as cells in quotes. */
function records(
  rows: readonly (readonly Json[])[],
  names: readonly string[] | undefined,
  width: number,
  notes: readonly string[],
  lines: readonly number[] | undefined,
  labels?: number,
): Dialect {
  const textOf = (value: Json): string =>
    value === null || value === undefined ? "" : Object.is(value, -0) ? "-0" : String(value);
  const all = rows.map(
    (row, i): TextRecord => ({
      line: lines?.[i] ?? 0,
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
    labels,
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
