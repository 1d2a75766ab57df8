/**
 * New points in a finished map: M of them, each alone with the N training points x_m, which stay where they are.
 *
 *   t-SNE, s-SNE, SNE   E(x) = Σ_m p_m A(t_m) + λ log Σ_m K(t_m)
 *                       g    = 2 Σ_m (p_m A′ + λ q_m K′/K) (x − x_m),   q_m = K(t_m) / Σ K
 *   EE, t-EE            E(x) = 2 Σ_m (w⁺_m A(t_m) + λ w⁻_m K(t_m)),   w⁺_m = p_m / N
 *                       g    = 4 Σ_m (w⁺_m A′ + λ w⁻_m K′) (x − x_m)
 *
 * with t_m = ‖x − x_m‖². The spectral direction is −g / b with a number b: 2 Σ p_m = 2 for the normalised models, 4 Σ w⁺_m = 4 / N
 * for the others.
 *
 * | symbol | variable   | shape                              |
 * |--------|------------|------------------------------------|
 * | x_m    | map        | N × d, as d arrays of length N     |
 * | p      | affinities | M × N, rows of sum 1               |
 * | w⁻     | repulsion  | M × N, or 1 / (N (N − 1)) for all  |
 *
 * Carreira-Perpiñán: The elastic embedding algorithm for dimensionality reduction, ICML 2010, section 5 (the elastic
 * embedding); the others are what the training objective says of one new point, all that is constant left out. For the
 * Gaussian kernel Σ K is computed relative to its largest term, so that a far point has a value too. Where cells of training
 * points sum up the repulsion (`tree-field.ts`) and leave less than `SPARSE` of it, it is summed point by point.
 */
import { CurvatureError, type DenseMatrix, log } from "@curvature/linalg";
import { fingerprintOf, type Objective } from "@curvature/optim-core";
import { checkIndex, checkPoint, checkVector } from "../checks.js";
import { fingerprintOfWeights } from "./fingerprint.js";
import { gaussian } from "./kernels/gaussian.js";
import type { PairFunction } from "./kernels/pair-function.js";
import type { NewPointModel, OutOfSampleModel } from "./new-point-models.js";
import { everyEntry, type PairRows, sameRow } from "./pair-rows.js";
import { Planes } from "./planes.js";
import { TreeField } from "./repulsion/tree/tree-field.js";
import { newPointProbabilities, newPointWeights, type WeightsLike } from "./weights.js";

/** S of a Gaussian below which what cells are off by might matter. */
const SPARSE = 1e-3;
const WHERE = "outOfSampleObjective";

/** A sum over new points that do not know of each other: X is M × d, row-major. */
export interface OutOfSampleObjective extends Objective {
  /** M */
  readonly points: number;
  /** d */
  readonly dimensions: number;
  /** λ */
  readonly lambda: number;
  readonly fingerprint: string;
  /** Σ_m p_m x_m of each new point: where to start. A copy, M × d. */
  start(): Float64Array;
  /** b: a point's spectral direction is −g / b. */
  readonly scale: number;
  /**
   * b with A′ taken at x (length d), not at 0: 2 Σ p A′ or 4 Σ w⁺A′. A parabola of this curvature majorises the attraction
   * too, and where the kernel's tail is heavy its steps are longer.
   */
  scaleAt(point: number, x: Float64Array): number;
  /** E, and with an array ∇E. NaN where X is not a number; +∞ where a term overflows; the gradient means nothing there. */
  evaluate(X: Float64Array, gradient?: Float64Array): number;
  /** E and gradient of one of the points, at x (length d): for those who move each point by itself. */
  evaluatePoint(point: number, x: Float64Array, gradient?: Float64Array): number;
  /**
   * The objective of other new points in the same map, which shares what is kept of that.
   *
   * @throws CurvatureError as `outOfSampleObjective`
   */
  ofOthers(affinities: WeightsLike, repulsion: WeightsLike | "constant"): OutOfSampleObjective;
}

export class NewPoints implements OutOfSampleObjective {
  readonly points: number;
  readonly dimensions: number;
  readonly dimension: number;
  readonly lambda: number;
  readonly scale: number;

  private readonly map: Planes;
  /** Of constant w⁻, where cells are to sum it. */
  private readonly field: TreeField | undefined;
  private readonly p: PairRows;
  /** w⁻, or the same row of ones for every point. */
  private readonly w: PairRows;
  /** What the sums over p, and over w⁻ of unnormalised models, are multiplied by. */
  private readonly attractionFactor: number;
  private readonly repulsionFactor: number;
  /** t of the pairs of a sum, and the sum's wφ′. */
  private readonly t: Float64Array;
  private readonly a: Float64Array;
  private readonly digest: () => string;

  constructor(
    private readonly name: OutOfSampleModel,
    private readonly model: NewPointModel,
    private readonly places: DenseMatrix,
    affinities: WeightsLike,
    lambda: number,
    repulsion: WeightsLike | "constant",
    private readonly theta: number | undefined,
    shared?: NewPoints,
  ) {
    const map = places;
    const { rows: N, columns: d } = map;
    if (N < 2 || d < 1) throw emptyMap(N, d);
    const p = newPointProbabilities(affinities, N, "affinities");
    const w =
      model.isNormalized || repulsion === "constant" ? undefined : newPointWeights(repulsion, N, "repulsion");
    if (w !== undefined && w.rows !== p.rows) throw unequalRows(p.rows, w.rows);
    this.points = p.rows;
    this.dimensions = d;
    this.dimension = p.rows * d;
    this.lambda = lambda;
    this.digest = () => {
      const data = w === undefined ? fingerprintOfWeights(p) : fingerprintOfWeights(p, w);
      const way = this.field === undefined ? [] : [`barnes-hut theta=${theta}`];
      return fingerprintOf("out of sample", name, lambda, map.data, data, ...way);
    };
    const { name: kernel } = model.kernel;
    const hasCells =
      theta !== undefined && w === undefined && (kernel === "student" || kernel === "gaussian");
    this.map = shared?.map ?? planesOf(map);
    this.field = shared?.field ?? (hasCells ? new TreeField(kernel, map, theta) : undefined);
    this.p = everyEntry(p);
    this.w = w === undefined ? sameRow(p.rows, N) : everyEntry(w);
    this.attractionFactor = model.isNormalized ? 1 : 2 / N;
    this.repulsionFactor = w === undefined ? 2 / (N * (N - 1)) : 2;
    this.scale = 2 * this.attractionFactor;
    this.t = new Float64Array(N);
    this.a = new Float64Array(N);
  }

  /** Made when it is asked for: it takes all numbers. */
  get fingerprint(): string {
    return this.digest();
  }

  ofOthers(affinities: WeightsLike, repulsion: WeightsLike | "constant"): NewPoints {
    const { name, model, places, lambda, theta } = this;
    return new NewPoints(name, model, places, affinities, lambda, repulsion, theta, this);
  }

  start(): Float64Array {
    const { p, map, points, dimensions: d } = this;
    const X = new Float64Array(points * d);
    for (let i = 0; i < points; i++) {
      for (let j = 0; j < p.count[i]; j++) {
        const m = p.columns[p.columnStart[i] + j];
        const weight = p.values[p.valueStart[i] + j];
        for (let k = 0; k < d; k++) X[i * d + k] += weight * map.coordinates[k][m];
      }
    }
    return X;
  }

  evaluate(X: Float64Array, gradient?: Float64Array): number {
    checkPoint(WHERE, X, gradient, this.dimension);
    let E = 0;
    for (let i = 0; i < this.points; i++) E += this.evaluateAt(i, X, gradient, i * this.dimensions);
    return E;
  }

  evaluatePoint(point: number, x: Float64Array, gradient?: Float64Array): number {
    checkIndex(WHERE, point, this.points);
    checkPoint(WHERE, x, gradient, this.dimensions);
    return this.evaluateAt(point, x, gradient, 0);
  }

  scaleAt(point: number, x: Float64Array): number {
    checkIndex(WHERE, point, this.points);
    checkVector(WHERE, "x", x, this.dimensions);
    this.measure(this.p, point, x, 0);
    this.sum(this.model.attraction, this.p, point);
    let pull = 0;
    for (let j = 0; j < this.p.count[point]; j++) pull += this.a[j];
    return this.scale * pull;
  }

  /** E of point i at the d numbers of X from `offset` on; its gradient to the same place. */
  private evaluateAt(i: number, X: Float64Array, gradient: Float64Array | undefined, offset: number): number {
    const { model, p, w, lambda, attractionFactor, repulsionFactor } = this;
    gradient?.fill(0, offset, offset + this.dimensions);
    this.measure(p, i, X, offset);
    const attraction = attractionFactor * this.sum(model.attraction, p, i);
    if (gradient !== undefined) this.addForces(p, i, X, gradient, offset, 2 * attractionFactor);
    if (lambda === 0) return attraction;
    const byCells = this.field?.at(X, offset) ?? 0;
    if (this.field !== undefined && byCells >= SPARSE) {
      const factor = model.isNormalized ? 1 / byCells : repulsionFactor;
      const force = 2 * lambda * factor;
      if (gradient !== undefined)
        for (let k = 0; k < this.dimensions; k++) gradient[offset + k] += force * this.field.force[k];
      return attraction + lambda * (model.isNormalized ? log(byCells) : factor * byCells);
    }
    this.measure(w, i, X, offset);
    const least = model.isNormalized && model.kernel === gaussian ? leastOf(this.t) : 0;
    if (least === Number.POSITIVE_INFINITY) return attraction; // out of range, or not a number
    if (least !== 0) for (let m = 0; m < this.t.length; m++) this.t[m] -= least;
    const S = this.sum(model.kernel, w, i);
    const factor = model.isNormalized ? 1 / S : repulsionFactor;
    if (gradient !== undefined) this.addForces(w, i, X, gradient, offset, 2 * lambda * factor);
    if (!model.isNormalized) return attraction + lambda * factor * S;
    return S === 0 ? Number.POSITIVE_INFINITY : attraction + lambda * (log(S) - least);
  }

  /** t_m of the training points of row i. */
  private measure(
    { columns, columnStart, count }: PairRows,
    i: number,
    X: Float64Array,
    offset: number,
  ): void {
    const { t, map } = this;
    const start = columnStart[i];
    const pairs = count[i];
    for (let k = 0; k < this.dimensions; k++) {
      const plane = map.coordinates[k];
      const x = X[offset + k];
      for (let j = 0; j < pairs; j++) {
        const delta = x - plane[columns[start + j]];
        t[j] = (k === 0 ? 0 : t[j]) + delta * delta;
      }
    }
  }

  /** Σ w φ(t) over row i of `rows`, with w φ′ into a. */
  private sum(phi: PairFunction, { values, valueStart, count }: PairRows, i: number): number {
    return phi.slopes(this.t, values, valueStart[i], count[i], this.a);
  }

  /** Adds factor Σ a (x − x_m) over row i of `rows` to the gradient. */
  private addForces(
    rows: PairRows,
    i: number,
    X: Float64Array,
    gradient: Float64Array,
    offset: number,
    factor: number,
  ): void {
    const { columns, columnStart, count } = rows;
    for (let k = 0; k < this.dimensions; k++) {
      const plane = this.map.coordinates[k];
      const x = X[offset + k];
      let force = 0;
      for (let j = 0; j < count[i]; j++) force += this.a[j] * (x - plane[columns[columnStart[i] + j]]);
      gradient[offset + k] += factor * force;
    }
  }
}

function planesOf({ rows, columns, data }: DenseMatrix): Planes {
  const planes = new Planes(rows, columns);
  planes.load(data);
  return planes;
}

function leastOf(t: Float64Array): number {
  let least = Number.POSITIVE_INFINITY;
  for (let m = 0; m < t.length; m++) if (t[m] < least) least = t[m];
  return least;
}

function emptyMap(N: number, d: number): CurvatureError {
  return new CurvatureError(
    "ERR_SHAPE",
    `map must have at least 2 rows and 1 column; received ${N} x ${d}.`,
    {
      path: "map",
      expected: "N x d with N >= 2 and d >= 1",
      received: [N, d],
    },
  );
}

function unequalRows(expected: number, received: number): CurvatureError {
  return new CurvatureError(
    "ERR_SHAPE",
    `repulsion must have ${expected} rows like affinities; received ${received}.`,
    {
      path: "repulsion",
      expected: `${expected} rows`,
      received,
    },
  );
}
