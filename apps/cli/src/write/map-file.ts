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
  writeCells(rowsBeside(map, axisNames(map.columns), labels, labelName, kept), { delimiter });

/** A header and rows of numbers, each with its label and the cells that were kept. */
export function* rowsBeside(
  { rows, columns, data }: DenseMatrix,
  names: readonly string[],
  labels: readonly string[] | undefined,
  labelName: string,
  kept: KeptCells,
): Generator<(string | number)[]> {
  const labelOf = (i: number): string[] => (labels === undefined ? [] : [labels[i]]);
  yield [...names, ...(labels === undefined ? [] : [labelName]), ...kept.names];
  for (let i = 0; i < rows; i++)
    yield [...data.subarray(i * columns, (i + 1) * columns), ...labelOf(i), ...(kept.rows[i] ?? [])];
}

/** x, y, z while they last. */
export function axisNames(dimensions: number): string[] {
  return dimensions <= 3
    ? ["x", "y", "z"].slice(0, dimensions)
    : Array.from({ length: dimensions }, (_, i) => `x${i + 1}`);
}
