/**
 * A lower bound of the cost of every clustering of points into K groups: NOMAD's relaxation with triangle cuts.
 *
 * The cost of labels l is Tr D − Tr(D Q_l), D = X Xᵀ. For all S ≥ 0 (entrywise; free in sign where two points are to be apart),
 * all μ ≥ 0 and the cuts C_t of `triangle-cuts.ts`, with b = 1, or √w where rows stand for w points each,
 *
 *   A = D + S + Σ_t μ_t C_t,   Tr(D Q_l) ≤ Tr(A Q_l) ≤ UB = bᵀA b/bᵀb + Σ of the K − 1 largest eigenvalues of A on b's complement
 *
 * so that Tr D − UB is a bound whatever S and μ are. They come from an ADMM, all in units of ‖D‖_F/√K:
 *
 *   X ← projection of J (Z + (D + S + E)/ρ) J onto {0 ⪯ P ⪯ I, Tr P = K − 1}, + b bᵀ/bᵀb
 *   V = X − S/ρ;  Z ← [V]_+;  S ← ρ [−V]_+            (points that are to be apart: Z_ij = 0, S_ij = −ρ V_ij)
 *   μ⁺ ← [μ − σ ρ ⟨C_t, X⟩]_+;  E ← Σ (2 μ⁺ − μ)_t C_t;  μ ← μ⁺;    σ = 0.5/‖𝒞‖²
 *   every 10 steps   ρ follows p = ‖X − Z‖/√K and d = ρ ‖Z − Z_before‖/‖S‖
 *   every 20 steps   UB
 *   every 50 steps   other cuts; from step 200 on, or when the bound without cuts has settled
 *
 * | symbol | variable | shape                                      |
 * |--------|----------|--------------------------------------------|
 * | D, S, Z| D, S, Z  | n × n                                      |
 * | E      | E        | n × n, D + E in place of E                 |
 * | P      |          | (n − 1) × (n − 1), in a basis of b's complement |
 * | w      | weights  | n                                          |
 *
 * The Q with cuts is no solution of NOMAD: it may cut through tilings of curves, which are no clusterings.
 *
 * Rounding: n ε K ‖A‖_F + n ε |bᵀA b/bᵀb| as in `bounds/upper.ts`; (T + 4) ε 2 √K Σ μ_t ‖C_t‖ more for the sums of T cuts in an
 * entry; and 8 (n + d √K + 10) ε Tr D for D, as in `cost.ts`.
 *
 * Peng, Wei: SIAM J. Optim. 18 (2007) for the relaxation; Piccialli, Sudoso, Wiegele: SOS-SDP, INFORMS J. Comput. 34 (2022), who
 * cut with triangles and branch.
 */
import {
  type DenseMatrix,
  gram,
  norm2,
  outerGram,
  powerOfTwoBelow,
  symmetricEigenvalues,
  zeros,
} from "@curvature/linalg";
import { Complement, restrictedZeros } from "../complement.js";
import { SpectralProjection } from "../solvers/spectral-projection.js";
import { apartOf, type Conflicts } from "./links.js";
import { type Cut, TriangleCuts } from "./triangle-cuts.js";

const START_PENALTY = 0.3;
const BALANCE_EVERY = 10;
const BALANCE = 1.4;
const CHECK_EVERY = 20;
const ROUND = 50;
/** Steps without cuts, at the most. */
const PLAIN_STEPS = 200;
/** Of the cost: what three checks must bring for the plain bound to go on. */
const LITTLE = 2e-5;
const PATIENCE = 3;
/** Of what is left of the gap: what so many checks must bring with cuts. */
const STILL = 0.02;
const STILL_CHECKS = 20;
/** Of the cost. */
const CLOSED = 1e-10;
/** Violations that count, over K/n. */
const VIOLATION = 1e-3;
/** Share of the primal residual to which the projection's eigenpairs are computed. */
const PROJECTION_SHARE = 0.1;

/** What a bound starts from, in units of `size`. */
export interface BoundStart {
  readonly D: DenseMatrix;
  /** √w */
  readonly b: Float64Array;
  /** From which the bound of Tr(D Q) is taken: Tr D of the points, also where some of them are put together. */
  readonly trace: number;
  readonly columns: number;
  /** The unit, in the square of the points' own; 0 where all points are the same. */
  readonly size: number;
  readonly K: number;
  readonly Z: Float64Array;
  readonly S?: Float64Array;
  readonly cuts?: readonly Cut[];
  /** The cost of the best labels. */
  readonly cost: number;
  /** n × n: 1 where two points are to be apart. */
  readonly apart?: Uint8Array;
}

/** The iteration and the bound, of a D with the points' weights. */
export class CutRelaxation {
  /** Whether more steps are of no use: the bound is closed, or neither it nor cuts move any more. */
  settled = false;
  /** Steps taken. */
  steps = 0;
  /** The best bound so far, in units of `size`; nothing is known at first. */
  best = Number.NEGATIVE_INFINITY;
  /** That of the latest check, of S and μ as they are until the next step. */
  latest = Number.NEGATIVE_INFINITY;
  readonly size: number;
  readonly K: number;
  readonly n: number;
  readonly b: Float64Array;
  readonly cuts: TriangleCuts;
  readonly S: Float64Array;
  readonly Z: Float64Array;
  readonly X: DenseMatrix;
  readonly trace: number;
  private readonly columns: number;
  private readonly D: DenseMatrix;
  private readonly DE: DenseMatrix;
  private readonly M: DenseMatrix;
  /** n × n: 1 where two points are to be apart. What is marked is kept to from the next step on. */
  readonly apart: Uint8Array;
  private readonly restricted: DenseMatrix;
  private readonly complement: Complement;
  private readonly projection: SpectralProjection;
  private rho = START_PENALTY;
  private sigma = 0;
  private primal = 1;
  private dual = 1;
  hasCuts = false;
  /** Where the latest round of cuts began. */
  private roundStart = 0;
  /** The best bound at each check. */
  private readonly history: number[] = [];
  /** What the bound cannot come above, or need not: the cost of the best labels. */
  private readonly cost: number;

  constructor({ D, b, trace, columns, size, K, Z, S, cuts = [], cost, apart }: BoundStart) {
    const n = b.length;
    [this.n, this.D, this.b, this.trace, this.columns] = [n, D, b, trace, columns];
    [this.size, this.K, this.Z] = [size, K, Z];
    this.apart = apart ?? new Uint8Array(n * n);
    this.S = S ?? new Float64Array(n * n);
    this.cuts = new TriangleCuts(
      n,
      b.map((root) => 1 / root),
    );
    this.cuts.set(cuts);
    [this.DE, this.X, this.M] = [zeros(n, n), zeros(n, n), zeros(n, n)];
    this.restricted = restrictedZeros(n);
    this.complement = new Complement(b);
    this.projection = new SpectralProjection(n - 1, K - 1, "fantope");
    this.cost = cost;
    this.DE.data.set(D.data);
    this.cuts.addTo(this.DE.data, this.cuts.mu);
    if (cuts.length > 0) this.takeCuts();
    if (K < n && size > 0) {
      if (K === 1) this.check();
      this.settled = K === 1;
      return;
    }
    this.best = 0; // each row on its own costs nothing
    this.settled = true;
  }

  /** One step of the ADMM, with what is due after it. */
  step(): void {
    if (this.settled) return;
    this.project();
    this.reflect();
    this.weigh();
    this.steps++;
    if (this.steps % BALANCE_EVERY === 0) this.balance();
    if (this.steps % CHECK_EVERY === 0) this.check();
    const isPlainOver =
      !this.hasCuts &&
      (this.steps >= PLAIN_STEPS ||
        (this.steps % CHECK_EVERY === 0 && this.gained(PATIENCE) < LITTLE * this.cost));
    this.settled = this.isStill();
    if (isPlainOver || (this.hasCuts && this.steps - this.roundStart >= ROUND)) this.beginRound();
  }

  /** Of labels of the points, in units of `size`. */
  costOf(labels: Int32Array): number {
    return this.trace - inner(this.D.data, clusteringPoint(labels, this.K, this.b));
  }

  /** The latest bound, for clusterings that have i and j in one cluster of at most so many points. */
  together(i: number, j: number, points: number): number {
    const { n, S, b } = this;
    return this.latest + (2 * Math.max(0, S[i * n + j]) * b[i] * b[j]) / points;
  }

  /**
   * The same for points of which some are put together and some are to be apart; it goes on from where this one is.
   *
   * @param groupOf - of each point its group
   * @param apart - groups × groups
   */
  restrictedTo(groupOf: Int32Array, groups: number, apart: Uint8Array): CutRelaxation {
    const { n, trace, columns, size, K, cuts, cost } = this;
    const b = new Float64Array(groups);
    for (let i = 0; i < n; i++) b[groupOf[i]] += this.b[i] * this.b[i];
    for (let g = 0; g < groups; g++) b[g] = Math.sqrt(b[g]);
    const [D, S, Z] = [this.D.data, this.S, this.Z].map((A) => condensed(A, this.b, b, groupOf));
    for (let k = 0; k < Z.length; k++) if (apart[k] === 1) Z[k] = 0;
    const own = cuts.list().map(({ i, j, k, mu }) => ({ i: groupOf[i], j: groupOf[j], k: groupOf[k], mu }));
    const child = new CutRelaxation({
      ...{ D: { rows: groups, columns: groups, data: D }, b, trace, columns, size, K, Z, S, cost, apart },
      cuts: own.filter(({ i, j, k }) => i !== j && i !== k), // what is left of the others is 0
    });
    child.rho = this.rho;
    return child;
  }

  /** Whether the bound is closed, or so slow that it never will be. */
  private isStill(): boolean {
    const left = this.cost - this.best;
    if (left <= CLOSED * this.cost) return true;
    return this.hasCuts && this.steps % CHECK_EVERY === 0 && this.gained(STILL_CHECKS) < STILL * left;
  }

  /** X */
  private project(): void {
    const { n, DE, S, Z, X, M, rho, b } = this;
    for (let k = 0; k < M.data.length; k++) M.data[k] = Z[k] + (DE.data[k] + S[k]) / rho;
    this.complement.restrict(M, this.restricted);
    const tolerated = PROJECTION_SHARE * this.primal * Math.sqrt(this.K);
    const { rows } = this.projection.project(this.restricted, tolerated);
    this.complement.extend(gram(rows), X);
    const share = 1 / inner(b, b);
    for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) X.data[i * n + j] += share * b[i] * b[j];
  }

  /** Z and S, and the residuals. */
  private reflect(): void {
    const { S, Z, X, rho, apart } = this;
    const share = 1 / rho;
    let [primal, dual, size] = [0, 0, 0];
    for (let k = 0; k < S.length; k++) {
      const x = X.data[k];
      const v = x - share * S[k];
      const z = v > 0 && apart[k] === 0 ? v : 0;
      const s = rho * (z - v);
      primal += (x - z) * (x - z);
      dual += (z - Z[k]) * (z - Z[k]);
      size += s * s;
      Z[k] = z;
      S[k] = s;
    }
    this.primal = Math.sqrt(primal / this.K);
    this.dual = size > 0 ? rho * Math.sqrt(dual / size) : 0;
  }

  /** μ and E */
  private weigh(): void {
    const { cuts, rho, sigma, D, DE, X } = this;
    if (cuts.count === 0) return;
    const ahead = new Float64Array(cuts.count);
    for (let t = 0; t < ahead.length; t++) {
      const mu = cuts.mu[t];
      const next = Math.max(0, mu - sigma * rho * cuts.value(t, X.data));
      ahead[t] = 2 * next - mu;
      cuts.mu[t] = next;
    }
    DE.data.set(D.data);
    cuts.addTo(DE.data, ahead);
  }

  private balance(): void {
    const { primal, dual } = this;
    if (primal > 2 * dual) this.rho *= BALANCE;
    else if (dual > 2 * primal) this.rho /= BALANCE;
  }

  /** The bound of the present S and μ. */
  private check(): void {
    const { n, K, D, S, M: A, cuts, b, columns } = this;
    for (let k = 0; k < A.data.length; k++) A.data[k] = D.data[k] + S[k];
    cuts.addTo(A.data, cuts.mu);
    let base = 0;
    for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) base += b[i] * b[j] * A.data[i * n + j];
    base /= inner(b, b);
    this.complement.restrict(A, this.restricted);
    const values = K > 1 ? symmetricEigenvalues(this.restricted) : new Float64Array(0);
    let top = 0;
    for (let i = 0; i < K - 1; i++) top += values[values.length - 1 - i];
    let multipliers = 0;
    for (let t = 0; t < cuts.count; t++) multipliers += cuts.mu[t];
    const margin =
      Number.EPSILON *
      (n * (K * norm2(A.data) + Math.abs(base)) +
        2 * Math.sqrt(K) * (cuts.count + 4) * CUT_NORM * multipliers +
        8 * (n + columns * Math.sqrt(K) + 10) * this.trace);
    this.latest = this.trace - base - top - margin;
    if (this.latest > this.best) this.best = this.latest;
    this.history.push(this.best);
  }

  /** What the last so many checks have brought; Infinity where there have not been so many. */
  gained(checks: number): number {
    const { history } = this;
    const before = history[history.length - 1 - checks];
    return before === undefined ? Number.POSITIVE_INFINITY : history[history.length - 1] - before;
  }

  private beginRound(): void {
    const { K, X, cuts, b, history } = this;
    if (!this.hasCuts) history.length = 0; // what the bound without cuts gained says nothing of cuts
    this.roundStart = this.steps;
    cuts.renew(X.data, (VIOLATION * K) / inner(b, b));
    this.takeCuts();
  }

  private takeCuts(): void {
    const { cuts } = this;
    const norm = cuts.squaredNorm();
    this.hasCuts = true;
    this.sigma = norm > 0 ? 0.5 / norm : 0;
  }
}

export interface BoundOptions {
  /** Of each row how many points it stands for. Left out: 1. */
  readonly weights?: Float64Array;
  /** Rows that are in different clusters, as they are in those of `labels`; no clustering in which they are costs less. */
  readonly conflicts?: Conflicts | undefined;
}

/** The bound of points. */
export class TriangleBound extends CutRelaxation {
  /**
   * @param X - n × d, finite
   * @param labels - of each row, 0 to K − 1: where it starts, the better the nearer
   */
  constructor(
    X: DenseMatrix,
    K: number,
    labels: Int32Array,
    { weights = new Float64Array(X.rows).fill(1), conflicts }: BoundOptions = {},
  ) {
    const b = weights.map((w) => Math.sqrt(w));
    const { centred, unit } = centredRows(X, weights);
    const D = outerGram(centred);
    const size = norm2(D.data) / Math.sqrt(K);
    if (size > 0) for (let k = 0; k < D.data.length; k++) D.data[k] /= size;
    const Z = clusteringPoint(labels, K, b);
    const trace = traceOf(D);
    const apart = apartOf(conflicts, X.rows);
    super({ D, b, trace, columns: X.columns, size, K, Z, cost: trace - inner(D.data, Z), apart });
    this.unit = unit;
  }

  /** X is this times what is computed with. */
  private readonly unit: number;

  /** The best bound so far, in the square of X's unit; no clustering of the rows into K groups costs less. 0 where none is known. */
  get lower(): number {
    const lower = Math.max(0, this.best) * this.size * this.unit * this.unit;
    return lower < SMALLEST ? 0 : Math.min(lower, Number.MAX_VALUE);
  }
}

/** Below this results may have lost digits to underflow. */
const SMALLEST = 1e-290;
/** Bᵀ A B, B_ig = b_i/b_g where i is of group g. */
function condensed(A: Float64Array, b: Float64Array, of: Float64Array, groupOf: Int32Array): Float64Array {
  const n = b.length;
  const m = of.length;
  const C = new Float64Array(m * m);
  for (let i = 0; i < n; i++) {
    const g = groupOf[i];
    for (let j = 0; j < n; j++) {
      const h = groupOf[j];
      C[g * m + h] += ((b[i] * b[j]) / (of[g] * of[h])) * A[i * n + j];
    }
  }
  return C;
}

/** At least ‖C_t‖_F, whose coefficients are at most 1. */
const CUT_NORM = 1.6;

/** √w_i (x_i − mean), over a power of two near the largest of them. */
function centredRows({ rows: n, columns: d, data }: DenseMatrix, weights: Float64Array) {
  let largest = 0;
  for (let i = 0; i < n; i++) largest = Math.max(largest, norm2(data.subarray(i * d, (i + 1) * d)));
  const unit = largest > 0 ? powerOfTwoBelow(Math.min(largest, Number.MAX_VALUE)) : 1;
  const centred = zeros(n, d);
  for (let k = 0; k < n * d; k++) centred.data[k] = data[k] / unit;
  let total = 0;
  for (let i = 0; i < n; i++) total += weights[i];
  for (let pass = 0; pass < 2; pass++) {
    for (let j = 0; j < d; j++) {
      let mean = 0;
      for (let i = 0; i < n; i++) mean += (weights[i] / total) * centred.data[i * d + j];
      for (let i = 0; i < n; i++) centred.data[i * d + j] -= mean;
    }
  }
  for (let i = 0; i < n; i++) for (let j = 0; j < d; j++) centred.data[i * d + j] *= Math.sqrt(weights[i]);
  return { centred, unit };
}

/** b_i b_j / N_c within clusters, 0 elsewhere. */
function clusteringPoint(labels: Int32Array, K: number, b: Float64Array): Float64Array {
  const n = b.length;
  const masses = new Float64Array(K);
  for (let i = 0; i < n; i++) masses[labels[i]] += b[i] * b[i];
  const Z = new Float64Array(n * n);
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++) if (labels[i] === labels[j]) Z[i * n + j] = (b[i] * b[j]) / masses[labels[i]];
  return Z;
}

function traceOf({ rows: n, data }: DenseMatrix): number {
  let sum = 0;
  for (let i = 0; i < n; i++) sum += data[i * n + i];
  return sum;
}

function inner(u: Float64Array, v: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < u.length; k++) sum += u[k] * v[k];
  return sum;
}
