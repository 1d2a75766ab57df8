/**
 * The dual side of the primal-dual method: from a feasible factored point and its multipliers to an S whose bound is tight.
 *
 *   guess           where Y ≥ 0 is stationary for max Tr(D Y Yᵀ) with multipliers λ of Tr Q = K and μ of Q1 = 1,
 *                   C = D + λ I + (μ 1ᵀ + 1 μᵀ)/2 has C Y ≤ 0 entrywise, = 0 where Y > 0; so that −C, where Q = Y Yᵀ vanishes, is
 *                   what the multiplier S ≥ 0 of Q ≥ 0 would be if Q were optimal:
 *                   S_ij = [−C_ij]_+  where i ≠ j and Q_ij ≤ 10⁻³ K/n,   0 elsewhere
 *   dual gradient   ten accelerated steps on the dual, regularised around the feasible Q̂ of the factored problem,
 *                     minimise over S ≥ 0   max_P ⟨D + S, P + E⟩ − (ρ/2) ‖P + E − Q̂‖²_F   over the spectraplex:
 *                   X = E + projection of J (Q̂ + (D + T)/ρ) J
 *                   S ← [T − ρ X]_+;  T ← S + ((t − 1)/t₊)(S − S_before),  t₊ = (1 + √(1 + 4 t²))/2
 *                   t ← 1 where ⟨T − S, S − S_before⟩ > 0 (the step went uphill)
 *   splitting       W = Q̂ − S/ρ, then the ADMM on W (see `admm.ts`): Z = [W]_+, S = ρ [−W]_+;  M = |W| + D/ρ
 *                   W ← [W]_− + r X + (1 − r) [W]_+,   r = 1.8
 *
 * | symbol | variable | shape, value                                     |
 * |--------|----------|--------------------------------------------------|
 * | S      | S        | n × n, float32                                   |
 * | Q̂      | Q        | n × n, float32                                   |
 * | T, W   | A        | n × n, float32: U = T + ρ Q̂, then W              |
 * | X      |          | E + RᵀR, made strip by strip and never kept      |
 * | ρ      | rho      | 4 and 0.3 at first, in units of ‖D‖_F/√K          |
 *
 * Any S gives an upper bound, hence nothing rests on the guess being right. A few gradient steps take the roughness off it; their
 * tail is slow, and belongs to the ADMM. Where the rank is near n/2 the ADMM cycles: its bound rises and falls over tens of steps
 * while it comes nearer only slowly. The mean of W over a turn is much nearer, and `restart` goes on from there; any W is a state
 * of the ADMM. ρ follows the residuals of the ADMM, tails included (`penalty.ts`), and hardly matters before. D, S and ρ are in units
 * of ‖D‖_F/√K here, so that float32 holds S for data of any size.
 *
 * Beck, Teboulle: A fast iterative shrinkage-thresholding algorithm. SIAM J. Imaging Sci. 2 (2009) 183-202; restart:
 * O'Donoghue, Candès, Found. Comput. Math. 15 (2015) 715-732. Restarts from means: Applegate, Hinder, Lu, Lubin: Faster first-order
 * primal-dual methods for linear programming using restarts and sharpness. Math. Program. 201 (2023) 133-184, who restart by a
 * normalised gap; here it is the certified bound.
 *
 * Memory: three n × n arrays of float32 until the splitting begins, two from then on; k × n blocks of float64, k about
 * 1.3 times the rank; where the rank is above 0.4 n, six n × n arrays of float64 for the decomposition.
 */
import {
  type DenseMatrix,
  gramRows,
  norm2,
  relaxedEntries,
  relaxRows,
  transpose,
  zeros,
} from "@curvature/linalg";
import { float32, number, part, stateOf, whole } from "@curvature/optim-core/state";
import type { FactoredPoint } from "../../bounds/factored-point.js";
import { centralCoefficients, type NomadProblem } from "../../problem.js";
import { BALANCE, Penalty } from "../penalty.js";
import { SpectraplexProjection } from "./spectraplex.js";
import { SymmetricSum } from "./symmetric-sum.js";
import { UpperEstimate } from "./upper-estimate.js";

/** Entries of Q̂ below this share of K/n count as zeros. */
const VANISHING = 1e-3;
/** r */
const RELAXATION = 1.8;
/** Rows of a strip, at the most. */
const HEIGHT = 64;
/** ρ at the start of either iteration. */
const GRADIENT_PENALTY = 4;
const SPLITTING_PENALTY = 0.3;
/** Steps that a mean of W is over, at least and at most. */
const MIN_AVERAGED = 20;
const MAX_AVERAGED = 80;
/** Share of n up to which a block is worth an estimate: some 10 k n² operations against 4/3 n³ at half their speed. */
const ESTIMATE_BELOW = 0.2;
/** What rounding may have left out of the least entry. */
const ROUNDING = 1e-15;

const none = new Float32Array(0);

export interface FactorMultipliers {
  /** λ */
  readonly trace: number;
  /** μ */
  readonly rowSums: Float64Array;
}

export class DualIteration {
  private readonly penalty = new Penalty(GRADIENT_PENALTY);
  private readonly strip: Float64Array;
  private readonly D: DenseMatrix;
  /** ‖D‖_F / √K */
  readonly unit: number;
  private readonly projection: SpectraplexProjection;
  private readonly estimate: UpperEstimate;
  readonly state;

  constructor(
    private readonly problem: NomadProblem,
    seed: number,
  ) {
    const { gram, clusters: K } = problem;
    this.D = gram.dense();
    const size = norm2(this.D.data);
    this.unit = size > 0 ? size / Math.sqrt(K) : 1;
    const { W, X } = relaxedEntries(gram.n, HEIGHT);
    this.strip = X;
    this.projection = new SpectraplexProjection(gram.n, K, seed);
    this.estimate = new UpperEstimate(problem, seed);
    const { length } = W;
    this.state = stateOf(
      {
        /** Steps of either kind so far, and of the splitting. */
        steps: whole(),
        splittingSteps: whole(),
        /** min X_ij */
        least: number(0),
        t: number(1),
        penalty: part(this.penalty),
        /** U while the dual gradient lasts, then W. */
        A: float32(W),
        /** None once the splitting has begun. */
        S: float32(none, { anyLength: true }),
        Q: float32(none, { anyLength: true }),
        /** The mean of W over the latest `averaged` steps; none before the splitting. */
        mean: float32(none, { anyLength: true }),
        averaged: whole(),
        projection: part(this.projection),
        estimate: part(this.estimate),
      },
      (fields) => {
        const [S, Q, mean] = ["S", "Q", "mean"].map((name) => {
          const array = fields.get(name);
          return array instanceof Float32Array ? array.length : -1;
        });
        const isEither = (S === length && mean === 0) || (S === 0 && mean === length);
        return isEither && Q === S ? undefined : `a dual iteration of ${length} entries`;
      },
    );
  }

  /** Steps of either kind so far. */
  get steps(): number {
    return this.state.steps;
  }

  /** Steps of the splitting. */
  get splittingSteps(): number {
    return this.state.splittingSteps;
  }

  /** ρ, in units of ‖D‖_F / √K. */
  get rho(): number {
    return this.penalty.rho;
  }

  /** Of X − E. */
  get rank(): number {
    return this.projection.R.rows;
  }

  /** Whether the last step computed all eigenpairs. */
  get complete(): boolean {
    return this.projection.complete;
  }

  /** Whether the ADMM has begun. */
  get isSplitting(): boolean {
    return this.state.S.length === 0;
  }

  /** S, U and the first block, from Q̂ and its multipliers. */
  guess(point: FactoredPoint, multipliers: FactorMultipliers): void {
    const { n } = this.problem.gram;
    const { state } = this;
    const rows = transpose(point.factor);
    const Q = new Float32Array(n * n);
    const S = new Float32Array(n * n);
    writePoint(point, rows, Q);
    guessDual(this.D, Q, this.problem.clusters, multipliers, 1 / this.unit, S);
    startDualGradient({ U: state.A, S, Q }, this.rho);
    state.Q = Q;
    state.S = S;
    this.projection.start(rows);
  }

  gradientStep(): void {
    const { rho } = this;
    const { A: U, S, Q } = this.state;
    this.projection.project(this.sum(U, 1 / rho, 0, 1 / rho), false); // ten rough steps
    this.state.t = dualGradientStep({ U, S, Q }, this.projection.R, rho, this.state.t);
    this.state.steps++;
  }

  /** W = Q̂ − S/ρ at the ADMM's own ρ; S and Q̂ are given up. */
  beginSplitting(): void {
    const { A: W, S, Q } = this.state;
    this.penalty.rho = SPLITTING_PENALTY;
    for (let k = 0; k < W.length; k++) W[k] = Q[k] - S[k] / SPLITTING_PENALTY;
    this.state.S = none;
    this.state.Q = none;
    this.state.mean = new Float32Array(W.length);
    this.projection.forget();
  }

  splittingStep(): void {
    const { rho } = this;
    const { A: W } = this.state;
    this.projection.project(this.sum(W, 1 / rho, 1, 0), true);
    const { primal, dual, least } = splitStep(W, this.projection.R, this.strip);
    this.state.least = least;
    this.state.steps++;
    this.average();
    if (++this.state.splittingSteps % BALANCE === 0) this.keepMultiplier(this.penalty.balance(primal, dual));
  }

  private average(): void {
    const { A: W, mean } = this.state;
    const share = 1 / ++this.state.averaged;
    for (let k = 0; k < W.length; k++) mean[k] += share * (W[k] - mean[k]);
  }

  /** Whether the mean is over enough steps to be tried. */
  get hasMean(): boolean {
    return this.state.averaged >= MIN_AVERAGED;
  }

  /** W ← its mean if that has the better bound; the mean begins anew then, and where it is over too many steps. */
  restart(isBetter: boolean): void {
    if (isBetter) this.state.A.set(this.state.mean);
    if (isBetter || this.state.averaged >= MAX_AVERAGED) this.state.averaged = 0;
  }

  /** Whether a tail may begin. */
  get isTailReady(): boolean {
    return this.isSplitting && this.penalty.isTailReady;
  }

  beginTail(): void {
    this.keepMultiplier(this.penalty.beginTail());
  }

  /** S as it was, where ρ has changed by the factor. */
  private keepMultiplier(factor: number): void {
    if (factor === 1) return;
    this.state.averaged = 0;
    rescaleNegative(this.state.A, factor);
    this.projection.forget();
  }

  /** Tr(D X), the offset included; what it costs where D is a matrix is n² products per rank. */
  objective(): number {
    const { gram } = this.problem;
    return gram.quadratic(transpose(this.projection.R)) + gram.offset;
  }

  /** X, mixed with the central point until no entry is negative, as the ADMM has just had it. */
  repairedPoint(): FactoredPoint {
    const { gram, clusters: K } = this.problem;
    const { n } = gram;
    const { a, b } = centralCoefficients(n, K);
    const factor = transpose(this.projection.R);
    const trace = norm2(factor.data) ** 2;
    const e = Math.max(0, -this.state.least) + ROUNDING;
    const t = trace > 0 ? e / (e + b) : 1;
    const root = trace > 0 ? Math.sqrt(((1 - t) * (K - 1)) / trace) : 0;
    for (let k = 0; k < factor.data.length; k++) factor.data[k] *= root;
    return { factor, diagonal: new Float64Array(n).fill(t * a), constant: 1 - t + t * b * n, sweeps: 0 };
  }

  /** UB_F of S by Ritz values, which is not rigorous; undefined where it would cost as much as all eigenvalues. */
  estimateUpper(): number | undefined {
    const { block } = this.projection;
    if (this.complete || block.rows === 0 || block.rows > ESTIMATE_BELOW * block.columns) return undefined;
    return this.estimate.upper(this.dualSum(), block, this.unit);
  }

  /** A copy of S, n × n, in units of ‖D‖_F / √K; with `ofMean` that of the mean of W. */
  multiplier(ofMean = false): Float32Array {
    const { rho } = this;
    if (!this.isSplitting) return this.state.S.slice();
    const W = ofMean ? this.state.mean : this.state.A;
    const S = new Float32Array(W.length);
    for (let k = 0; k < W.length; k++) S[k] = rho * Math.max(0, -W[k]);
    return S;
  }

  /** A copy of Z, n × n, whose zeros are exact; of Q̂ before the splitting. */
  nonnegativePoint(): DenseMatrix {
    const { n } = this.problem.gram;
    const Z = zeros(n, n);
    const source = this.isSplitting ? this.state.A : this.state.Q;
    for (let k = 0; k < source.length; k++) Z.data[k] = Math.max(0, source[k]);
    return Z;
  }

  private sum(A: Float32Array, gram: number, absolute: number, plain: number): SymmetricSum {
    return new SymmetricSum(this.problem.gram.n, this.D.data, A, {
      gram: gram / this.unit,
      absolute,
      plain,
    });
  }

  /** D + S */
  private dualSum(): SymmetricSum {
    return this.isSplitting
      ? this.sum(this.state.A, 1, this.rho / 2, -this.rho / 2)
      : this.sum(this.state.S, 1, 0, 1);
  }
}

/** Q = F Fᵀ + diag(diagonal) + constant 1 1ᵀ/n, `rows` being Fᵀ. */
function writePoint({ diagonal, constant }: FactoredPoint, rows: DenseMatrix, Q: Float32Array): void {
  const n = rows.columns;
  eachStrip(rows, (strip, first, end) => {
    for (let i = first; i < end; i++) {
      const at = (i - first) * n;
      for (let j = 0; j <= i; j++) Q[i * n + j] = strip[at + j] + constant / n;
      Q[i * n + i] += diagonal[i];
    }
    mirror(Q, n, first, end);
  });
}

/** S times `scale` into `S`, n × n. */
function guessDual(
  D: DenseMatrix,
  Q: Float32Array,
  K: number,
  { rowSums: mu }: FactorMultipliers,
  scale: number,
  S: Float32Array,
): void {
  const n = D.rows;
  const zero = (VANISHING * K) / n;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      const k = i * n + j;
      const C = D.data[k] + 0.5 * (mu[i] + mu[j]);
      S[k] = Q[k] <= zero && C < 0 ? -C * scale : 0;
    }
    S[i * n + i] = 0;
  }
}

interface DualGradientState {
  /** T + ρ Q̂ */
  readonly U: Float32Array;
  readonly S: Float32Array;
  readonly Q: Float32Array;
}

/** U from T = S. */
function startDualGradient({ U, S, Q }: DualGradientState, rho: number): void {
  for (let k = 0; k < U.length; k++) U[k] = S[k] + rho * Q[k];
}

/**
 * S and T from X = E + RᵀR.
 *
 * @param t - of the acceleration, 1 at first
 * @returns the next t
 */
function dualGradientStep({ U, S, Q }: DualGradientState, R: DenseMatrix, rho: number, t: number): number {
  const n = R.columns;
  let uphill = 0;
  eachStrip(R, (strip, first, end) => {
    for (let i = first; i < end; i++) uphill += ascend(U, S, Q, i * n, strip, (i - first) * n, i, rho, 1 / n);
    mirror(U, n, first, end);
  });
  const from = uphill > 0 ? 1 : t;
  const next = (1 + Math.sqrt(1 + 4 * from * from)) / 2;
  extrapolate(U, S, Q, rho, (from - 1) / next);
  return next;
}

/** U ← [T − ρ X]_+ in entries 0 … i of row i. @returns their share of ⟨T − S₊, S₊ − S⟩ */
function ascend(
  U: Float32Array,
  S: Float32Array,
  Q: Float32Array,
  row: number,
  strip: Float64Array,
  at: number,
  i: number,
  rho: number,
  e: number,
): number {
  let sum = 0;
  for (let j = 0; j <= i; j++) {
    const t = U[row + j] - rho * Q[row + j];
    const next = t - rho * (strip[at + j] + e);
    const positive = 0.5 * (next + Math.abs(next));
    sum += (t - positive) * (positive - S[row + j]);
    U[row + j] = positive;
  }
  return sum;
}

/** U holds the new S: S ← it, U ← S + β (S − S_before) + ρ Q. */
function extrapolate(U: Float32Array, S: Float32Array, Q: Float32Array, rho: number, beta: number): void {
  for (let k = 0; k < U.length; k++) {
    const next = U[k];
    U[k] = next + beta * (next - S[k]) + rho * Q[k];
    S[k] = next;
  }
}

interface Residuals {
  /** ‖X − Z‖_F / ‖Z‖_F */
  readonly primal: number;
  /** ‖Z − Z_before‖_F / ‖[W]_−‖_F */
  readonly dual: number;
  /** min X_ij */
  readonly least: number;
}

/**
 * W ← [W]_− + r X + (1 − r) [W]_+, X = E + RᵀR, in one pass over the lower triangle, in which X is made, used and forgotten, with
 * the norms of the residuals and X's least entry.
 *
 * @param strip - room for rows of RᵀR, of one call of `relaxedEntries` with W for SIMD to be of use
 */
export function splitStep(W: Float32Array, R: DenseMatrix, strip?: Float64Array): Residuals {
  const n = R.columns;
  let [difference, size, change, negative, least] = [0, 0, 0, 0, Number.POSITIVE_INFINITY];
  const relax = (X: Float64Array, first: number, end: number): void => {
    const sums = relaxRows(W, n, first, end, X, 1 / n, RELAXATION);
    mirror(W, n, first, end);
    difference += sums.difference;
    size += sums.size;
    change += sums.change;
    negative += sums.negative;
    least = Math.min(least, sums.least);
  };
  eachStrip(R, relax, strip);
  return {
    primal: Math.sqrt(difference / size),
    dual: negative > 0 ? Math.sqrt(change / negative) : 0,
    least,
  };
}

/** [W]_− ← [W]_− / factor: S as before when ρ is `factor` times as large. */
function rescaleNegative(W: Float32Array, factor: number): void {
  const plus = 0.5 * (1 + 1 / factor);
  const absolute = 0.5 * (1 - 1 / factor);
  for (let k = 0; k < W.length; k++) {
    const w = W[k];
    W[k] = plus * w + absolute * Math.abs(w);
  }
}

/**
 * RᵀR in strips of rows, each handed on while it is in the cache: calls `visit` with rows first … end − 1 of RᵀR, entry (i, j) at `strip[(i − first) n + j]`, for j ≤ i.
 *
 * @param strip - room for min(64, n) n numbers
 */
export function eachStrip(
  R: DenseMatrix,
  visit: (strip: Float64Array, first: number, end: number) => void,
  strip: Float64Array = new Float64Array(Math.min(HEIGHT, R.columns) * R.columns),
): void {
  const n = R.columns;
  for (let first = 0; first < n; first += HEIGHT) {
    const end = Math.min(n, first + HEIGHT);
    gramRows(R, first, end, strip);
    visit(strip, first, end);
  }
}

/** A_ji ← A_ij for first ≤ i < end, j < i. */
function mirror(A: Float32Array, n: number, first: number, end: number): void {
  for (let j = 0; j < end; j++)
    for (let i = Math.max(first, j + 1); i < end; i++) A[j * n + i] = A[i * n + j];
}
