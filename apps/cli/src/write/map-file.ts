/**
 * A map as a file: one row per point, in the input's order, in the form that the file's name asks for.
 */
import { writeCells, writeJson, writeNpy } from "@curvature/datasets";
import type { DenseMatrix } from "@curvature/linalg";
import type { KeptCells } from "../read/data.js";
import type { Content } from "./atomic-file.js";
import { formatNamed } from "./file-format.js";

export interface MapData {
  readonly map: DenseMatrix;
  readonly labels: readonly string[] | undefined;
  readonly labelName: string;
  /** Columns of the data that go beside. */
  readonly kept: KeptCells;
}

const formats = {
  ".csv": (data: MapData) => delimited(data, ","),
  ".tsv": (data: MapData) => delimited(data, "\t"),
  ".npy": ({ map }: MapData) => writeNpy(map),
  ".json": ({ map, labels }: MapData) => writeJson(map, { columns: axisNames(map.columns), labels }),
} as const;

type MapFormat = keyof typeof formats;

/** @throws CurvatureError ERR_OPTION if the name does not end in a known way */
export const mapFormat = (path: string, option = "--out"): MapFormat => formatNamed(path, option, formats);

export function mapContent(format: MapFormat, data: MapData): Content {
  return formats[format](data);
}

const delimited = ({ map, labels, labelName, kept }: MapData, delimiter: string): Content =>
  writeCells(rowsBeside(map, axisNames(map.columns), labels, labelName, kept, "map"), { delimiter });

/** The names of results beside columns of the data: each one that is taken there begins with the prefix, as `map_x`. */
export function namesBeside(names: readonly string[], taken: readonly string[], prefix: string): string[] {
  const all = new Set(taken);
  return names.map((name) => {
    let free = name;
    while (all.has(free)) free = `${prefix}_${free}`;
    all.add(free);
    return free;
  });
}

/**
 * A header and rows of numbers, each with its label and the cells that were kept.
 *
 * @param prefix - of names that a column of the data has, too
 */
export function* rowsBeside(
  { rows, columns, data }: DenseMatrix,
  names: readonly string[],
  labels: readonly string[] | undefined,
  labelName: string,
  kept: KeptCells,
  prefix: string,
): Generator<(string | number)[]> {
  const isBeside = labels === undefined || kept.names.includes(labelName); // kept, it stands there
  const labelOf = (i: number): string[] => (isBeside ? [] : [labels[i]]);
  const others = [...(isBeside ? [] : [labelName]), ...kept.names];
  yield [...namesBeside(names, others, prefix), ...others];
  for (let i = 0; i < rows; i++)
    yield [...data.subarray(i * columns, (i + 1) * columns), ...labelOf(i), ...(kept.rows[i] ?? [])];
}

/** x, y, z while they last. */
export function axisNames(dimensions: number): string[] {
  return dimensions <= 3
    ? ["x", "y", "z"].slice(0, dimensions)
    : Array.from({ length: dimensions }, (_, i) => `x${i + 1}`);
}
