/** The optical digits of the UCI repository (E. Alpaydin, C. Kaynak; CC BY 4.0): 1797 images of 8 × 8, grey 0 … 16. */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { DenseMatrix } from "@curvature/linalg";

const fixture = (name: string): URL => new URL(`../fixtures/${name}`, import.meta.url);

/** The first `rows` images, 64 columns, scaled to [0, 1]. */
export function digits(rows = 1797): DenseMatrix {
  const bytes = gunzipSync(readFileSync(fixture("digits-8x8.u8.gz")));
  return { rows, columns: 64, data: Float64Array.from(bytes.subarray(0, rows * 64), (b) => b / 16) };
}
