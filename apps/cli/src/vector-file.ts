/** Parameters as a file: one number per row, in the form that the file's name asks for. */
import { extname } from "node:path";
import { writeCsv, writeNpy } from "@curvature/datasets";
import { usageError } from "./failure.js";
import type { Content } from "./output.js";

const matrixOf = (x: Float64Array) => ({ rows: x.length, columns: 1, data: x });

const formats = {
  ".npy": (x: Float64Array) => writeNpy(matrixOf(x)),
  ".csv": (x: Float64Array) => writeCsv(matrixOf(x)),
  ".json": (x: Float64Array) => `${JSON.stringify(Array.from(x))}\n`,
} as const;

type VectorFormat = keyof typeof formats;

const isFormat = (extension: string): extension is VectorFormat => Object.hasOwn(formats, extension);

/** @throws CurvatureError ERR_OPTION if the name does not end in a known way */
export function vectorFormat(path: string): VectorFormat {
  const extension = path === "-" || path.startsWith("/dev/") ? ".csv" : extname(path).toLowerCase();
  if (isFormat(extension)) return extension;
  throw usageError(`--out ${path}: the name must end in ${Object.keys(formats).join(", ")}.`, "out");
}

export const vectorContent = (format: VectorFormat, x: Float64Array): Content => formats[format](x);
