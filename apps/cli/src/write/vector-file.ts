/** Parameters as a file: one number per row, in the form that the file's name asks for. */
import { writeCsv, writeNpy } from "@curvature/datasets";
import type { Content } from "./atomic-file.js";
import { formatNamed } from "./file-format.js";

const matrixOf = (x: Float64Array) => ({ rows: x.length, columns: 1, data: x });

const formats = {
  ".npy": (x: Float64Array) => writeNpy(matrixOf(x)),
  ".csv": (x: Float64Array) => writeCsv(matrixOf(x)),
  ".json": (x: Float64Array) => `${JSON.stringify(Array.from(x))}\n`,
} as const;

type VectorFormat = keyof typeof formats;

/** @throws CurvatureError ERR_OPTION if the name does not end in a known way */
export const vectorFormat = (path: string): VectorFormat => formatNamed(path, "--out", formats);

export const vectorContent = (format: VectorFormat, x: Float64Array): Content => formats[format](x);
