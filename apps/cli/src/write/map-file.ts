/**
 * A map as a file: one row per point, in the input's order, in the form that the file's name asks for.
 */
import { writeCsv, writeJson, writeNpy } from "@curvature/datasets";
import type { DenseMatrix } from "@curvature/linalg";
import type { Content } from "./atomic-file.js";
import { formatNamed } from "./file-format.js";

export interface MapData {
  readonly map: DenseMatrix;
  readonly labels: readonly string[] | undefined;
  readonly labelName: string;
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

function delimited({ map, labels, labelName }: MapData, delimiter: string): Content {
  const columns = axisNames(map.columns);
  return writeCsv(map, { columns, delimiter, labels, labelsName: labelName });
}

/** x, y, z while they last. */
export function axisNames(dimensions: number): string[] {
  return dimensions <= 3
    ? ["x", "y", "z"].slice(0, dimensions)
    : Array.from({ length: dimensions }, (_, i) => `x${i + 1}`);
}
