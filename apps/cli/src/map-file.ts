/**
 * A map as a file: one row per point, in the input's order, in the form that the file's name asks for.
 */
import { extname } from "node:path";
import { writeCsv, writeJson, writeNpy } from "@curvature/datasets";
import type { DenseMatrix } from "@curvature/linalg";
import { usageError } from "./failure.js";
import type { Content } from "./output.js";

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

const isFormat = (extension: string): extension is MapFormat => Object.hasOwn(formats, extension);

/** @throws CurvatureError ERR_OPTION if the name does not end in a known way */
export function mapFormat(path: string, option = "--out"): MapFormat {
  const extension = path === "-" || isDevice(path) ? ".csv" : extname(path).toLowerCase();
  if (isFormat(extension)) return extension;
  throw usageError(
    `${option} ${path}: the name must end in ${Object.keys(formats).join(", ")}.`,
    option.replace(/^--/, ""),
  );
}

const isDevice = (path: string): boolean => path.startsWith("/dev/");

export function mapContent(format: MapFormat, data: MapData): Content {
  return formats[format](data);
}

function delimited({ map, labels, labelName }: MapData, delimiter: string): Content {
  const columns = axisNames(map.columns);
  return writeCsv(map, { columns, delimiter, ...(labels && { labels, labelsName: labelName }) });
}

/** x, y, z while they last. */
export function axisNames(dimensions: number): string[] {
  return dimensions <= 3
    ? ["x", "y", "z"].slice(0, dimensions)
    : Array.from({ length: dimensions }, (_, i) => `x${i + 1}`);
}
