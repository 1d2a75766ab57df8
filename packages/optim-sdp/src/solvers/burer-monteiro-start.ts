/**
 * The first factor of Burer-Monteiro by over-segmentation: k-means with as many centres as Y has columns.
 *
 * Seeding    the next centre is point i with probability ∝ min over the centres of ‖x_i − centre‖²   (k-means++)
 * Lloyd      each point to its nearest mean, each mean from its points, at most 15 times
 * Start      Y = indicator + 0.3 U / √r, U uniform on [0, 1)
 *
 * r centres and not K: indicators of K clusters are a local trap, from which noise does not free (2e-2 of the value on
 * digits). Distances come from D: ‖x_i − mean_j‖² = D_ii − 2 (D z_j)_i + z_jᵀ D z_j, z_j the indicator over its size, so
 * that points, distances and Gram matrices are served alike; those of a D that is not positive semidefinite may be negative
 * and count as 0. Work is cut into parts of `WORK` multiplications, one for each call of `advance`.
 *
 * Arthur, Vassilvitskii: k-means++: the advantages of careful seeding. SODA 2007.
 */
import { dot, type RandomGenerator } from "@curvature/linalg";
import type { SnapshotReader, SnapshotValue } from "@curvature/optim-core";
import type { Gram } from "../gram/gram.js";
import { symmetricNmf } from "../symmetric-nmf.js";
import { type Places, placesOf } from "./burer-monteiro-factor.js";
import type { BurerMonteiroSettings } from "./burer-monteiro-options.js";
import type { FactorProducts } from "./factor-products.js";

/** Multiplications in one part of the work, some 20 ms. */
export const WORK = 5e7;
const SWEEPS = 15;

export class Oversegmentation {
  private readonly n: number;
  private readonly nearest: Float64Array;
  private labels: Int32Array;
  private next: Int32Array;
  /** Centres chosen, sweeps of Lloyd made, rows of the current sweep done. */
  private chosen = 0;
  private sweep = 0;
  private cursor = 0;
  private readonly column: Float64Array;

  constructor(
    private readonly gram: Gram,
    private readonly products: FactorProducts,
    private readonly r: number,
    private readonly random: RandomGenerator,
  ) {
    this.n = gram.n;
    this.nearest = new Float64Array(this.n).fill(Number.POSITIVE_INFINITY);
    this.labels = new Int32Array(this.n);
    this.next = new Int32Array(this.n);
    this.column = new Float64Array(this.n);
  }

  /** The nearest centre of each point. */
  get assignment(): Int32Array {
    return this.labels;
  }

  /** One part of the work. @returns whether it is done */
  advance(): boolean {
    if (this.chosen < this.r) {
      const parts = Math.max(1, Math.floor(WORK / (this.n * (this.gram.points?.columns ?? 1))));
      for (let k = 0; k < parts && this.chosen < this.r; k++) this.choose();
      return false;
    }
    return this.assign();
  }

  /** One more centre. */
  private choose(): void {
    const { n, nearest, labels, column, gram } = this;
    const centre = this.chosen === 0 ? this.random.integer(n) : this.draw();
    columnOf(gram, centre, column);
    for (let i = 0; i < n; i++) {
      const distance = Math.max(0, gram.diagonal[i] + gram.diagonal[centre] - 2 * column[i]);
      if (!(distance < nearest[i])) continue;
      nearest[i] = distance;
      labels[i] = this.chosen;
    }
    this.chosen++;
  }

  /** A point with probability ∝ its distance to the nearest centre; any, where all are centres. */
  private draw(): number {
    const { n, nearest } = this;
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
    const { n, r, gram, labels, next, products } = this;
    const { places, values } = indicator(n, r, labels);
    const norms = meanNorms(places, values, products);
    const rows = Math.max(1, Math.floor(WORK / products.rowCost(places)));
    const to = Math.min(n, this.cursor + rows);
    const { data } = products.ofRows(places, values, this.cursor, to);
    for (let i = this.cursor; i < to; i++) {
      let least = Number.POSITIVE_INFINITY;
      for (let j = 0, at = (i - this.cursor) * r; j < r; j++, at++) {
        const distance = norms[j] - 2 * data[at] + gram.diagonal[i];
        if (!(distance < least)) continue;
        least = distance;
        next[i] = j;
      }
    }
    this.cursor = to;
    if (to < n) return false;
    const isSame = next.every((label, i) => label === labels[i]);
    [this.labels, this.next] = [next, labels];
    this.cursor = 0;
    this.sweep++;
    return isSame || this.sweep === SWEEPS;
  }

  save(): { readonly [key: string]: SnapshotValue } {
    const { chosen, sweep, cursor } = this;
    return {
      nearest: this.nearest.slice(),
      labels: this.labels.slice(),
      next: this.next.slice(),
      ...{ chosen, sweep, cursor },
    };
  }

  /** Reads all fields, and gives back what takes them. @throws CurvatureError ERR_SNAPSHOT */
  read(state: SnapshotReader): () => void {
    const nearest = state.float64("nearest", this.n);
    const labels = state.int32("labels", this.n);
    const next = state.int32("next", this.n);
    const chosen = state.integer("chosen", 0, this.r);
    const sweep = state.integer("sweep", 0, SWEEPS);
    const cursor = state.integer("cursor", 0, this.n);
    return () => {
      this.nearest.set(nearest);
      this.labels.set(labels);
      this.next.set(next);
      [this.chosen, this.sweep, this.cursor] = [chosen, sweep, cursor];
    };
  }
}

/** Positive entries in a row of the first Y, about. */
const START_PLACES = 8;
const NMF_ITERATIONS = 100;

/**
 * The first Y, n × r by rows, as the options ask for it.
 *
 * @param labels - the nearest centre of each point, for "kmeans"
 */
export function firstFactor(
  gram: Gram,
  r: number,
  { initialization, seed }: BurerMonteiroSettings,
  random: RandomGenerator,
  labels: Int32Array,
): Float64Array {
  if (typeof initialization !== "string") return initialization.data;
  if (initialization === "symmetric-nmf")
    return symmetricNmf(gram.dense(), r, { seed, maxIterations: NMF_ITERATIONS }).factor.data;
  const Y = new Float64Array(gram.n * r);
  const size = initialization === "random" ? 1 : 0.3 / Math.sqrt(r);
  const density = Math.min(1, START_PLACES / r);
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
function indicator(n: number, r: number, labels: Int32Array): { places: Places; values: Float64Array } {
  const isPlace = new Uint8Array(n * r);
  for (let i = 0; i < n; i++) isPlace[i * r + labels[i]] = 1;
  const places = placesOf(n, r, isPlace);
  const values = new Float64Array(n);
  const { starts } = places;
  for (let j = 0; j < r; j++) values.fill(1 / (starts[j + 1] - starts[j]), starts[j], starts[j + 1]);
  return { places, values };
}

/** z_jᵀ D z_j; Infinity where the cluster is empty. */
function meanNorms(places: Places, values: Float64Array, products: FactorProducts): Float64Array {
  const { r, starts } = places;
  const Dz = new Float64Array(values.length);
  products.atPlaces(places, values, Dz);
  const norms = new Float64Array(r);
  for (let j = 0; j < r; j++) {
    if (starts[j] === starts[j + 1]) norms[j] = Number.POSITIVE_INFINITY;
    for (let k = starts[j]; k < starts[j + 1]; k++) norms[j] += values[k] * Dz[k];
  }
  return norms;
}
