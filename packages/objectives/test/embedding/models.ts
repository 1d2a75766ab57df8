/** The one list of embedding objectives that the tests run over, with small random data to make each of them from. */
import {
  type DenseMatrix,
  type RandomGenerator,
  type SparseMatrix,
  toSparse,
  zeros,
} from "@curvature/linalg";
import {
  type EmbeddingObjective,
  elasticEmbedding,
  type FamilyOptions,
  type ModelOptions,
  nonsymmetricEmbedding,
  nonsymmetricTsne,
  normalizedEmbedding,
  type OutOfSampleModel,
  type OutOfSampleObjective,
  outOfSampleObjective,
  sne,
  symmetricSne,
  tElasticEmbedding,
  tsne,
  unnormalizedEmbedding,
} from "@curvature/objectives/embedding";

export const N = 9;

export interface ModelOnList {
  readonly label: string;
  /** The name of the exported function. */
  readonly factory: string;
  /** Whether the kernel ends at t = 1, where derivatives of some order jump. */
  readonly finiteSupport: boolean;
  /** From dense weights, or from the same weights stored sparsely. */
  make(data: ModelData, options: ModelOptions, form?: "dense" | "sparse"): EmbeddingObjective;
}

export interface ModelData {
  /** Symmetric, of sum 1, some entries zero. */
  readonly joint: DenseMatrix;
  /** Rows of sum 1, not symmetric, some entries zero. */
  readonly conditional: DenseMatrix;
  /** Symmetric, of sum 1, no entry off the diagonal zero. */
  readonly repulsive: DenseMatrix;
}

const families: readonly FamilyOptions[] = [
  { kernel: "gaussian", attraction: "quadratic" },
  { kernel: "gaussian", attraction: "log-kernel" },
  { kernel: "student", attraction: "quadratic" },
  { kernel: "student", attraction: "log-kernel" },
  { kernel: "epanechnikov", attraction: "quadratic" },
  { kernel: "biweight", attraction: "quadratic" },
];

type Form = "dense" | "sparse";
const stored = (W: DenseMatrix, form: Form = "dense"): DenseMatrix | SparseMatrix =>
  form === "dense" ? W : toSparse(W);

const fromJoint = (factory: string, make: typeof tsne): ModelOnList => ({
  label: factory,
  factory,
  finiteSupport: false,
  make: (data, options, form) => make(stored(data.joint, form), options),
});

const fromConditional = (factory: string, make: typeof sne): ModelOnList => ({
  label: factory,
  factory,
  finiteSupport: false,
  make: (data, options, form) => make(stored(data.conditional, form), options),
});

const fromTwoWeights = (factory: string, make: typeof elasticEmbedding): ModelOnList => ({
  label: factory,
  factory,
  finiteSupport: false,
  make: (data, options, form) =>
    make({ attraction: stored(data.joint, form), repulsion: stored(data.repulsive, form) }, options),
});

const withConstantRepulsion = (factory: string, make: typeof elasticEmbedding): ModelOnList => ({
  label: `${factory} with constant repulsion`,
  factory,
  finiteSupport: false,
  make: (data, options, form) =>
    make({ attraction: stored(data.joint, form), repulsion: "constant" }, options),
});

const family = (member: (options: FamilyOptions) => ModelOnList): readonly ModelOnList[] =>
  families.map((options) => {
    const model = member(options);
    return {
      ...model,
      label: `${model.label}, ${options.kernel}, ${options.attraction}`,
      finiteSupport: options.kernel === "epanechnikov" || options.kernel === "biweight",
    };
  });

/** An objective of new points in a map of the N points, four of them. */
export interface OutOfSampleOnList {
  readonly label: string;
  readonly factory: "outOfSampleObjective";
  make(
    data: ModelData,
    map: Float64Array,
    options: { readonly dimensions: number; readonly lambda: number },
    form?: Form,
  ): OutOfSampleObjective;
}

const placing = (model: OutOfSampleModel, repulsion: "constant" | "given"): OutOfSampleOnList => ({
  label: `outOfSampleObjective, ${model}, ${repulsion} repulsion`,
  factory: "outOfSampleObjective",
  make: (data, map, { dimensions, lambda }, form) =>
    outOfSampleObjective(
      model,
      { rows: N, columns: dimensions, data: map },
      stored(firstRows(data.conditional, 4), form),
      {
        lambda,
        repulsion: repulsion === "constant" ? repulsion : stored(firstRows(data.repulsive, 4), form),
      },
    ),
});

const firstRows = (W: DenseMatrix, rows: number): DenseMatrix => ({
  rows,
  columns: W.columns,
  data: W.data.slice(0, rows * W.columns),
});

export const outOfSampleModels: readonly OutOfSampleOnList[] = [
  placing("tsne", "constant"),
  placing("ssne", "constant"),
  placing("sne", "constant"),
  placing("ee", "constant"),
  placing("ee", "given"),
  placing("tee", "constant"),
  placing("tee", "given"),
];

export const models: readonly ModelOnList[] = [
  fromJoint("tsne", tsne),
  fromJoint("symmetricSne", symmetricSne),
  fromConditional("sne", sne),
  fromConditional("nonsymmetricTsne", nonsymmetricTsne),
  fromTwoWeights("elasticEmbedding", elasticEmbedding),
  withConstantRepulsion("elasticEmbedding", elasticEmbedding),
  fromTwoWeights("tElasticEmbedding", tElasticEmbedding),
  withConstantRepulsion("tElasticEmbedding", tElasticEmbedding),
  ...family((f) => fromJoint("normalizedEmbedding", (P, o) => normalizedEmbedding(P, { ...o, ...f }))),
  ...family((f) =>
    fromConditional("nonsymmetricEmbedding", (P, o) => nonsymmetricEmbedding(P, { ...o, ...f })),
  ),
  ...family((f) =>
    fromTwoWeights("unnormalizedEmbedding", (W, o) => unnormalizedEmbedding(W, { ...o, ...f })),
  ),
  ...family((f) =>
    withConstantRepulsion("unnormalizedEmbedding", (W, o) => unnormalizedEmbedding(W, { ...o, ...f })),
  ),
];

/** Random weights; about a third of the attractive ones are zero, but each point keeps its two neighbours on a ring. */
export function randomData(random: RandomGenerator, points = N): ModelData {
  const joint = zeros(points, points);
  const conditional = zeros(points, points);
  const repulsive = zeros(points, points);
  for (let n = 0; n < points; n++) {
    for (let m = 0; m < points; m++) {
      if (n === m) continue;
      const neighbours = Math.abs(n - m) === 1 || Math.abs(n - m) === points - 1;
      const weight = neighbours || random.uniform() > 1 / 3 ? 0.1 + random.uniform() : 0;
      conditional.data[n * points + m] = weight;
      if (n < m) {
        setBoth(joint, n, m, neighbours || random.uniform() > 1 / 3 ? 0.1 + random.uniform() : 0);
        setBoth(repulsive, n, m, 0.1 + random.uniform());
      }
    }
    divideBySum(conditional.data.subarray(n * points, n * points + points));
  }
  divideBySum(joint.data);
  divideBySum(repulsive.data);
  return { joint, conditional, repulsive };
}

/** Points spread so that squared distances lie around 1, on both sides of the finite kernels' edge. */
export function randomMap(random: RandomGenerator, dimensions: number, points = N): Float64Array {
  const spread = 1.6 / Math.sqrt(dimensions);
  return Float64Array.from({ length: points * dimensions }, () => spread * (2 * random.uniform() - 1));
}

/** Such a map with no squared distance within `margin` of 1 and, for each point, another one well within 1. */
export function clearOfEdge(random: RandomGenerator, dimensions: number, margin: number): Float64Array {
  for (let attempt = 0; attempt < 10_000; attempt++) {
    const X = randomMap(random, dimensions);
    const t = squaredDistances(X, dimensions);
    const everyPointIsReached = t.every((row) => row.some((value) => value > 0 && value < 0.7));
    if (everyPointIsReached && t.flat().every((value) => Math.abs(value - 1) > margin)) return X;
  }
  throw new Error("no map found whose squared distances all keep off 1");
}

/** t_nm, N × N. */
export function squaredDistances(X: Float64Array, d: number): number[][] {
  const rows = Array.from({ length: X.length / d }, (_, n) => Array.from(X.subarray(n * d, n * d + d)));
  return rows.map((a) => rows.map((b) => a.reduce((sum, x, i) => sum + (x - b[i]) ** 2, 0)));
}

function setBoth(W: DenseMatrix, n: number, m: number, value: number): void {
  W.data[n * W.columns + m] = value;
  W.data[m * W.columns + n] = value;
}

function divideBySum(values: Float64Array): void {
  const sum = values.reduce((a, b) => a + b, 0);
  for (let i = 0; i < values.length; i++) values[i] /= sum;
}
