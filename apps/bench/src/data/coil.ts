/**
 * COIL-10: 72 views each of ten turning objects, as the squared distances of all pairs, which is all that this repository has of them
 * (fixtures of `optim-spectral`: 16 × 16 grey values from 0 to 1, of the 128 × 128 of the Columbia Object Image Library, COIL-20; Nene,
 * Nayar, Murase 1996).
 */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { type DenseMatrix, lanczos, matrixTimesVector, zeros } from "@curvature/linalg";

const VIEWS = 720;
const POSES = 72;

export interface CoilDistances {
  /** N × N */
  readonly squaredDistances: DenseMatrix;
  /** Of each view its object. */
  readonly labels: Uint32Array;
}

/** Of the first objects, and of each so many poses in equal steps, one object after the other. */
export function coilDistances(objects = VIEWS / POSES, poses = POSES): CoilDistances {
  const file = "../../../../packages/optim-spectral/test/fixtures/coil10-squared-distances.u24.gz";
  const bytes = gunzipSync(readFileSync(new URL(file, import.meta.url)));
  const pairs = (VIEWS * (VIEWS - 1)) / 2;
  /** The lower triangle by rows, in three planes of bytes. */
  const squared = (i: number, j: number): number => {
    if (i === j) return 0;
    const k = (Math.max(i, j) * (Math.max(i, j) - 1)) / 2 + Math.min(i, j);
    return (bytes[k] + 256 * bytes[pairs + k] + 65536 * bytes[2 * pairs + k]) / 255 ** 2;
  };
  const N = objects * poses;
  const viewOf = (n: number): number =>
    POSES * Math.floor(n / poses) + Math.floor(((n % poses) * POSES) / poses);
  const squaredDistances = zeros(N, N);
  for (let i = 0; i < N; i++)
    for (let j = 0; j < N; j++) squaredDistances.data[i * N + j] = squared(viewOf(i), viewOf(j));
  return { squaredDistances, labels: Uint32Array.from({ length: N }, (_, n) => Math.floor(n / poses)) };
}

/** Classical scaling: the first principal scores of all 720 images, but for their signs. */
export function coilScores(count: number): DenseMatrix {
  const { squaredDistances } = coilDistances();
  const N = squaredDistances.rows;
  const centred = (v: Float64Array): Float64Array => {
    const mean = v.reduce((sum, x) => sum + x / N, 0);
    return v.map((x) => x - mean);
  };
  const { values, vectors } = lanczos(
    (v, out) => {
      matrixTimesVector(squaredDistances, centred(v), out);
      out.set(centred(out).map((x) => -0.5 * x));
    },
    N,
    { count },
  );
  const scores = zeros(N, count);
  for (let n = 0; n < N; n++)
    for (let i = 0; i < count; i++)
      scores.data[n * count + i] = Math.sqrt(Math.max(0, values[i])) * vectors.data[i * N + n];
  return scores;
}
