/** The points of NOMAD's experiments. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { curves, doubleSwissRoll, moons, readIdx, readIdxLabels, twoRings } from "@curvature/datasets";
import { loadDigits } from "@curvature/datasets/digits";
import { type DenseMatrix, selectRows } from "@curvature/linalg";

export interface PointSet {
  readonly name: string;
  readonly points: DenseMatrix;
  /** K */
  readonly clusters: number;
  /** Of the true manifolds, where there are any. */
  readonly labels?: Uint32Array;
}

export const firstRows = ({ columns, data }: DenseMatrix, rows: number): DenseMatrix => ({
  rows,
  columns,
  data: data.slice(0, rows * columns),
});

/** The first n of the 1,797 digits, K = 16. */
export async function digits(n: number): Promise<PointSet> {
  const { points } = await loadDigits();
  return { name: `digits ${n}`, points: firstRows(points, n), clusters: 16 };
}

/** n points, or nearly, of each of the sets of one size. */
export function synthetic(n: number): PointSet[] {
  return [
    { name: `moons ${n}`, ...moons({ pointsPerMoon: Math.floor(n / 2) }), clusters: 16 },
    { name: `two rings ${n}`, ...twoRings({ pointsPerRing: Math.floor(n / 2) }), clusters: 16 },
    {
      name: `double Swiss roll ${n}`,
      ...doubleSwissRoll({ pointsPerRoll: Math.floor(n / 2) }),
      clusters: 32,
    },
    { name: `curves ${n} (784 pixels)`, ...curves({ count: n }), clusters: 32 },
  ];
}

/** The first n images of a digit of MNIST's training set, from a folder with its IDX files, gzipped or not. */
export async function mnistDigit(folder: string, digit: string, n: number): Promise<DenseMatrix> {
  const read = (name: string): Uint8Array => {
    try {
      return readFileSync(join(folder, name));
    } catch {
      return gunzipSync(readFileSync(join(folder, `${name}.gz`)));
    }
  };
  const { points } = await readIdx(read("train-images-idx3-ubyte"));
  const labels = await readIdxLabels(read("train-labels-idx1-ubyte"));
  const chosen = Array.from(labels.keys()).filter((i) => labels[i] === digit);
  return selectRows(points, chosen.slice(0, n));
}

export async function mnistZeros(folder: string, n: number): Promise<PointSet> {
  const points = await mnistDigit(folder, "0", n);
  return { name: `MNIST zeros ${points.rows} (784 pixels)`, points, clusters: n > 1000 ? 128 : 32 };
}
