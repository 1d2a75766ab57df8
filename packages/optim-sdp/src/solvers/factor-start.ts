/**
 * The first factor of Burer-Monteiro by over-segmentation: k-means with as many centres as Y has columns.
 *
 * Seeding    the next centre is point i with probability ∝ min over the centres of ‖x_i − centre‖²   (k-means++)
 * Lloyd      each point to its nearest mean, each mean from its points, at most 15 times
 * Start      Y = indicator + 0.3 U / √r, U uniform on [0, 1)
 *
 * r centres and not K: indicators of K clusters are a local trap, from which noise does not free (2e-2 of the value on
 * digits; over twenty tables of k-means labels of clusterPoints as the start take 18 s to a gap of 1e-3 with r columns and noise, and 32 s
 * with K, where this one takes 10). Distances come from D: ‖x_i − mean_j‖² = D_ii − 2 (D z_j)_i + z_jᵀ D z_j, z_j the indicator over its size, so
 * that points, distances and Gram matrices are served alike; those of a D that is not positive semidefinite may be negative
 * and count as 0. Work is cut into parts of `WORK` multiplications, one for each call of `advance`.
 *
 * Arthur, Vassilvitskii: k-means++: the advantages of careful seeding. SODA 2007.
 */
import {
  CurvatureError,
  type DenseMatrix,
  dot,
  either,
  type MatrixLike,
  object,
  oneOf,
  type RandomGenerator,
} from "@curvature/linalg";
import { float64, int32, stateOf, whole } from "@curvature/optim-core/state";
import type { Gram } from "../gram.js";
import { symmetricNmf } from "../symmetric-nmf.js";
import type { FactorProducts } from "./factor-products.js";
import { type Support, supportOf } from "./factor-support.js";

/** Multiplications in one part of the work, some 20 ms. */
export const WORK = 5e7;
const SWEEPS = 15;

export class Oversegmentation {
  private readonly n: number;
  private readonly column: Float64Array;
  readonly state;

  constructor(
    private readonly gram: Gram,
    private readonly products: FactorProducts,
    private readonly r: number,
    private readonly random: RandomGenerator,
  ) {
    this.n = gram.n;
    const { n } = this;
    this.column = new Float64Array(n);
    const centre = { from: 0, to: r - 1 };
    this.state = stateOf({
      /** Squared distance of each point to the nearest centre. */
      nearest: float64(new Float64Array(n).fill(Number.POSITIVE_INFINITY)),
      labels: int32(new Int32Array(n), centre),
      next: int32(new Int32Array(n), centre),
      /** Centres chosen, sweeps of Lloyd made, rows of the current sweep done. */
      chosen: whole(0, { to: r }),
      sweep: whole(0, { to: SWEEPS }),
      cursor: whole(0, { to: n }),
    });
  }

  /** The nearest centre of each point. */
  get assignment(): Int32Array {
    return this.state.labels;
  }

  /** One part of the work. @returns whether it is done */
  advance(): boolean {
    if (this.state.chosen < this.r) {
      const parts = Math.max(1, Math.floor(WORK / (this.n * (this.gram.points?.columns ?? 1))));
      for (let k = 0; k < parts && this.state.chosen < this.r; k++) this.choose();
      return false;
    }
    return this.assign();
  }

  /** One more centre. */
  private choose(): void {
    const { n, column, gram } = this;
    const { nearest, labels } = this.state;
    const { chosen } = this.state;
    const centre = chosen === 0 ? this.random.integer(n) : this.draw();
    columnOf(gram, centre, column);
    for (let i = 0; i < n; i++) {
      const distance = Math.max(0, gram.diagonal[i] + gram.diagonal[centre] - 2 * column[i]);
      if (!(distance < nearest[i])) continue;
      nearest[i] = distance;
      labels[i] = chosen;
    }
    this.state.chosen++;
  }

  /** A point with probability ∝ its distance to the nearest centre; any, where all are centres. */
  private draw(): number {
    const { n } = this;
    const { nearest } = this.state;
    let total = 0;
    for (let i = 0; i < n; i++) total += nearest[i];
    const u = this.random.uniform();
    if (!(total > 0)) return Math.floor(u * n);
    let rest = u * total;
    for (let i = 0; i < n; i++) {
      rest -= nearest[i];
      if (rest < 0) return i;
    }
    return n - 1;
  }

  /** Some rows of a sweep of Lloyd's. @returns whether the sweeps are done */
  private assign(): boolean {
    const { n, r, gram, products } = this;
    const { labels, next } = this.state;
    const { support, values } = indicator(n, r, labels);
    const norms = meanNorms(support, values, products);
    const rows = Math.max(1, Math.floor(WORK / products.rowCost(support)));
    const from = this.state.cursor;
    const to = Math.min(n, from + rows);
    const { data } = products.ofRows(support, values, from, to);
    for (let i = from; i < to; i++) {
      let least = Number.POSITIVE_INFINITY;
      for (let j = 0, at = (i - from) * r; j < r; j++, at++) {
        const distance = norms[j] - 2 * data[at] + gram.diagonal[i];
        if (!(distance < least)) continue;
        least = distance;
        next[i] = j;
      }
    }
    this.state.cursor = to;
    if (to < n) return false;
    const isSame = next.every((label, i) => label === labels[i]);
    [this.state.labels, this.state.next] = [next, labels];
    this.state.cursor = 0;
    this.state.sweep++;
    return isSame || this.state.sweep === SWEEPS;
  }
}

/** Positive entries in a row of the first Y, about. */
const START_ENTRIES = 8;
const NMF_ITERATIONS = 100;

export type BurerMonteiroStart = "kmeans" | "symmetric-nmf" | "random" | MatrixLike;

export const startOption = either(oneOf("kmeans", "symmetric-nmf", "random"), object<MatrixLike>("a matrix"));

/**
 * The first Y, n × r by rows.
 *
 * @param labels - the nearest centre of each point, for "kmeans"
 */
export function firstFactor(
  gram: Gram,
  r: number,
  initialization: Exclude<BurerMonteiroStart, MatrixLike>,
  seed: number,
  random: RandomGenerator,
  labels: Int32Array,
): Float64Array {
  if (initialization === "symmetric-nmf")
    return symmetricNmf(gram.dense(), r, { seed, maxIterations: NMF_ITERATIONS }).factor.data;
  const Y = new Float64Array(gram.n * r);
  const size = initialization === "random" ? 1 : 0.3 / Math.sqrt(r);
  const density = Math.min(1, START_ENTRIES / r);
  for (let k = 0; k < Y.length; k++) {
    const u = random.uniform() / density;
    Y[k] = u < 1 ? size * u : 0;
  }
  if (initialization === "kmeans") for (let i = 0; i < gram.n; i++) Y[i * r + labels[i]] += 1;
  return Y;
}

/** Column `at` of D into `out`. */
function columnOf(gram: Gram, at: number, out: Float64Array): void {
  const { points, n } = gram;
  if (points === undefined) {
    out.set(gram.dense().data.subarray(at * n, (at + 1) * n));
    return;
  }
  const { columns: d, data } = points;
  const row = data.subarray(at * d, (at + 1) * d);
  for (let i = 0; i < n; i++) out[i] = dot(row, data.subarray(i * d, (i + 1) * d));
}

/** The clusters' indicators, each divided by its size. */
function indicator(n: number, r: number, labels: Int32Array): { support: Support; values: Float64Array } {
  const isInSupport = new Uint8Array(n * r);
  for (let i = 0; i < n; i++) isInSupport[i * r + labels[i]] = 1;
  const support = supportOf(n, r, isInSupport);
  const values = new Float64Array(n);
  const { starts } = support;
  for (let j = 0; j < r; j++) values.fill(1 / (starts[j + 1] - starts[j]), starts[j], starts[j + 1]);
  return { support, values };
}

/** z_jᵀ D z_j; Infinity where the cluster is empty. */
function meanNorms(support: Support, values: Float64Array, products: FactorProducts): Float64Array {
  const { r, starts } = support;
  const Dz = new Float64Array(values.length);
  products.onSupport(support, values, Dz);
  const norms = new Float64Array(r);
  for (let j = 0; j < r; j++) {
    if (starts[j] === starts[j + 1]) norms[j] = Number.POSITIVE_INFINITY;
    for (let k = starts[j]; k < starts[j + 1]; k++) norms[j] += values[k] * Dz[k];
  }
  return norms;
}

/** @throws CurvatureError ERR_SHAPE, ERR_ARGUMENT unless it is a first Y */
export function checkFactor({ rows, columns, data }: DenseMatrix, n: number, r: number): void {
  if (rows !== n || columns !== r || data.length !== n * r)
    throw new CurvatureError("ERR_SHAPE", `initialization must be ${n} x ${r}; it is ${rows} x ${columns}.`, {
      where: "BurerMonteiro",
      path: "initialization",
      expected: `${n} x ${r}`,
      received: `${rows} x ${columns}`,
    });
  const at = data.findIndex((entry) => !(entry >= 0 && entry < Number.POSITIVE_INFINITY));
  if (at >= 0 || !data.some((entry) => entry > 0))
    throw new CurvatureError(
      "ERR_ARGUMENT",
      at >= 0
        ? `BurerMonteiro: initialization must be at least 0 and finite; row ${Math.floor(at / r)}, column ${at % r} (counted from 0) has ${data[at]}.`
        : "BurerMonteiro: initialization is zero; it must have a positive entry.",
      { path: "initialization", expected: "numbers of at least 0", received: data[at] },
    );
}
