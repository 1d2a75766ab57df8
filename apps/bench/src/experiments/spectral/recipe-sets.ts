/**
 * Data sets on which the numbers of the default recipe are judged: none of them had a part in its choice. What needs a
 * folder that was not given is left out.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readIdx } from "@curvature/datasets";
import { fillNormal, principalComponents, RandomGenerator } from "@curvature/linalg";
import { clusterTree, type PointSet, table } from "./sets.ts";

export interface SetFolders {
  readonly mnist: string | undefined;
  readonly tables: string | undefined;
}

export async function heldOutSets({ mnist, tables }: SetFolders, N: number): Promise<PointSet[]> {
  return [
    ...(tables === undefined ? [] : [await table(tables, "letter", N), await table(tables, "pendigits", N)]),
    ...(mnist === undefined ? [] : [await laterImages(mnist, N)]),
    clusterTree(N, 100),
    unequalClusters(N, 100),
  ];
}

/** Images from the 30,001st on: the recipe was chosen on the first ones. */
async function laterImages(folder: string, N: number): Promise<PointSet> {
  const { points } = await readIdx(readFileSync(join(folder, "train-images-idx3-ubyte")));
  const from = 30_000 * points.columns;
  const grey = Float64Array.from(points.data.subarray(from, from + N * points.columns), (x) => x / 255);
  const images = { rows: grey.length / points.columns, columns: points.columns, data: grey };
  const { scores } = principalComponents(images, { count: 50 });
  return {
    name: `MNIST-${scores.rows}`,
    description: `${scores.rows} images of MNIST from the 30,001st on, /255, PCA 50`,
    points: scores,
  };
}

/** Ten round clusters in 50 dimensions whose spreads grow from 0.5 to 2.75: hard, since the widest overlap. */
export function unequalClusters(N: number, seed: number): PointSet {
  const [D, count] = [50, 10];
  const random = new RandomGenerator(seed);
  const centres = new Float64Array(count * D);
  fillNormal(random, centres);
  const data = new Float64Array(N * D);
  fillNormal(random, data);
  for (let n = 0; n < N; n++) {
    const c = n % count;
    for (let i = 0; i < D; i++) data[n * D + i] = 4 * centres[c * D + i] + (0.5 + 0.25 * c) * data[n * D + i];
  }
  return {
    name: `clusters-${N}`,
    description: `${N} points of ${count} normal clusters in ${D} dimensions, spreads 0.5 to 2.75, seed ${seed}`,
    points: { rows: N, columns: D, data },
  };
}

/** Clusters of spread 1 at distances of thousands: no neighbour of a point lies in another one. Point n is of n mod count. */
export function islands(N: number, count: number, seed: number): PointSet {
  const D = 10;
  const random = new RandomGenerator(seed);
  const centres = new Float64Array(count * D);
  fillNormal(random, centres);
  const data = new Float64Array(N * D);
  fillNormal(random, data);
  for (let n = 0; n < N; n++)
    for (let i = 0; i < D; i++) data[n * D + i] += 1000 * centres[(n % count) * D + i];
  return {
    name: `${count} islands`,
    description: `${N} points of ${count} clusters in ${D} dimensions, of spread 1 and thousands apart, seed ${seed}`,
    points: { rows: N, columns: D, data },
  };
}
