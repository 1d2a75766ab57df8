/**
 * 1,797 handwritten digits, 8 × 8 grey values, bundled.
 *
 * Each pixel counts the ink in a 4 × 4 block of a 32 × 32 bitmap, so its value is a whole number from 0 to 16.
 *
 * Source: E. Alpaydin, C. Kaynak: Optical Recognition of Handwritten Digits. UCI Machine Learning Repository, 1998.
 * doi:10.24432/C50P49; its test part. Licence: Creative Commons Attribution 4.0 (CC BY 4.0).
 */
import { CurvatureError, type DenseMatrix } from "@curvature/linalg";
import { collected } from "../formats/bytes.js";
import { reading } from "../formats/gzip.js";
import { digitsGzipBase64 } from "./digits-data.js";

const count = 1797;
const pixels = 64;

export interface Digits {
  /** 1797 × 64, row-major images of 8 × 8, values 0 … 16. */
  readonly points: DenseMatrix;
  /** The digit each image shows, 0 … 9. */
  readonly labels: Uint8Array;
}

/**
 * The digits as new arrays; about 45 kB of the bundle belong to those who import this.
 *
 * @throws CurvatureError ERR_PARSE if the bundled data were damaged on their way
 */
export async function loadDigits(): Promise<Digits> {
  const gzip = Uint8Array.from(atob(digitsGzipBase64.join("")), (mark) => mark.charCodeAt(0));
  const bytes = await reading(gzip, count * (pixels + 1), collected);
  if (bytes.length !== count * (pixels + 1)) {
    throw new CurvatureError("ERR_PARSE", "The bundled digits are incomplete. Install the package again.", {
      expected: `${count * (pixels + 1)} bytes`,
      received: bytes.length,
    });
  }
  const data = Float64Array.from(bytes.subarray(0, count * pixels));
  return { points: { rows: count, columns: pixels, data }, labels: bytes.slice(count * pixels) };
}
