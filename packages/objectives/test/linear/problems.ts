/** Small random linear problems in every storage. */
import { type DenseMatrix, RandomGenerator, type SparseMatrix, toSparse } from "@curvature/linalg";
import {
  type Bias,
  type LinearLoss,
  type LinearProblem,
  linearLoss,
  type Rows,
} from "@curvature/objectives/linear";

export const storages = ["dense64", "dense32", "sparse64", "sparse32"] as const;
export type Storage = (typeof storages)[number];

/** n x d with about half of the entries zero, one row empty; single-precision numbers, so that all storages agree. */
export function randomRows(n: number, d: number, seed = 1): DenseMatrix {
  const random = new RandomGenerator(seed);
  const data = Float64Array.from({ length: n * d }, (_, k) => {
    const value = Math.fround(4 * random.uniform() - 2);
    return random.uniform() < 0.5 || Math.floor(k / d) === 3 ? 0 : value;
  });
  return { rows: n, columns: d, data };
}

export function stored(rows: DenseMatrix, storage: Storage): Rows {
  const sparse: SparseMatrix = toSparse(rows);
  if (storage === "dense64") return rows;
  if (storage === "dense32") return { ...rows, data: Float32Array.from(rows.data) };
  return storage === "sparse64" ? sparse : { ...sparse, values: Float32Array.from(sparse.values) };
}

export interface ProblemOptions {
  readonly storage?: Storage;
  readonly loss?: LinearLoss;
  readonly bias?: Bias;
  readonly weighted?: boolean;
}

export function randomProblem({
  storage = "sparse64",
  loss = linearLoss("squared-hinge"),
  bias = "none",
  weighted = false,
}: ProblemOptions = {}): LinearProblem {
  const random = new RandomGenerator(7);
  const n = 23;
  const draw = () =>
    loss.task === "classification" ? Math.sign(random.uniform() - 0.4) : 3 * random.uniform();
  return {
    rows: stored(randomRows(n, 6), storage),
    targets: Float64Array.from({ length: n }, draw),
    loss,
    lambda: 0.03,
    bias,
    ...(weighted ? { importances: Float64Array.from({ length: n }, (_, i) => (i % 4) / 2) } : {}),
  };
}
