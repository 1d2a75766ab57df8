/**
 * The dual side of `auto`: from a feasible factored point and its multipliers to an S whose bound is tight.
 *
 *   guess           S from the multipliers                                              `dual-guess.ts`
 *   dual gradient   ten accelerated steps on S around Q̂                                  `dual-gradient.ts`
 *   splitting       W = Q̂ − S/ρ, then the ADMM on W: Z = [W]_+, S = ρ [−W]_+             `splitting.ts`
 *
 * Where the rank is near n/2 the iteration circles: its bound rises and falls over tens of steps while it comes nearer only
 * slowly. The mean of W over a turn is much nearer, and `restart` goes on from there; any W is a state of the ADMM.
 *
 * Each iteration projects J M J onto the spectraplex (`spectraplex.ts`), M being (Q̂ + (D + T)/ρ) in the first and
 * (|W| + D/ρ) in the second, and uses X = E + P strip by strip. ρ starts at 4 and 0.3 and follows the residuals of the
 * ADMM, tails included (`penalty.ts`). D, S and ρ are in units of ‖D‖_F/√K here, so that
 * float32 holds S for data of any size.
 *
 * Restarts from means: Applegate, Hinder, Lu, Lubin: Faster first-order primal-dual methods for linear programming using
 * restarts and sharpness. Math. Program. 201 (2023) 133-184, who restart by a normalised gap; here it is the certified bound.
 *
 * Memory: three n × n arrays of float32 until the splitting begins, two from then on; k × n blocks of float64, k about
 * 1.3 times the rank; where the rank is above 0.4 n, six n × n arrays of float64 for the decomposition.
 */
import { type DenseMatrix, norm2, relaxedEntries, transpose, zeros } from "@curvature/linalg";
import type { SnapshotReader, SnapshotValue } from "@curvature/optim-core";
import type { FactoredPoint } from "../../bounds/factored-point.js";
import { centralCoefficients, type NomadProblem } from "../../problem.js";
import { BALANCE, Penalty } from "../penalty.js";
import { dualGradientStep, startDualGradient } from "./dual-gradient.js";
import { type FactorMultipliers, guessDual } from "./dual-guess.js";
import { SpectraplexProjection } from "./spectraplex.js";
import { rescaleNegative, splitStep } from "./splitting.js";
import { eachStrip, HEIGHT, mirror } from "./strips.js";
import { SymmetricSum } from "./symmetric-sum.js";
import { UpperEstimate } from "./upper-estimate.js";

/** ρ at the start of either iteration. */
const GRADIENT_PENALTY = 4;
const SPLITTING_PENALTY = 0.3;
/** Steps that a mean of W is over, at the least and at the most. */
const LEAST_AVERAGED = 20;
const MOST_AVERAGED = 80;
/** Share of n up to which a block is worth an estimate: some 10 k n² operations against 4/3 n³ at half their speed. */
const ESTIMATE_BELOW = 0.2;
/** What rounding may have left out of the least entry. */
const ROUNDING = 1e-15;

const none = new Float32Array(0);

export class DualIteration {
  private readonly penalty = new Penalty(GRADIENT_PENALTY);
  /** Steps of either kind so far, and of the splitting. */
  steps = 0;
  splittingSteps = 0;
  /** min X_ij */
  private least = 0;
  private t = 1;
  /** U while the dual gradient lasts, then W. */
  private readonly A: Float32Array;
  private readonly strip: Float64Array;
  /** The mean of W over the latest `averaged` steps. */
  private mean: Float32Array = none;
  private averaged = 0;
  private S: Float32Array = none;
  private Q: Float32Array = none;
  private readonly D: DenseMatrix;
  /** ‖D‖_F / √K */
  readonly unit: number;
  private readonly projection: SpectraplexProjection;
  private readonly estimate: UpperEstimate;

  constructor(
    private readonly problem: NomadProblem,
    seed: number,
  ) {
    const { gram, clusters: K } = problem;
    this.D = gram.dense();
    const size = norm2(this.D.data);
    this.unit = size > 0 ? size / Math.sqrt(K) : 1;
    const { W, X } = relaxedEntries(gram.n, HEIGHT);
    this.A = W;
    this.strip = X;
    this.projection = new SpectraplexProjection(gram.n, K, seed);
    this.estimate = new UpperEstimate(problem, seed);
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
    return this.S.length === 0;
  }

  /** S, U and the first block, from Q̂ and its multipliers. */
  guess(point: FactoredPoint, multipliers: FactorMultipliers): void {
    const { n } = this.problem.gram;
    this.Q = new Float32Array(n * n);
    this.S = new Float32Array(n * n);
    const rows = transpose(point.factor);
    writePoint(point, rows, this.Q);
    guessDual(this.D, this.Q, this.problem.clusters, multipliers, 1 / this.unit, this.S);
    startDualGradient({ U: this.A, S: this.S, Q: this.Q }, this.rho);
    this.projection.start(rows);
  }

  gradientStep(): void {
    const { A: U, S, Q, rho } = this;
    this.projection.project(this.sum(U, 1 / rho, 0, 1 / rho), false); // ten rough steps
    this.t = dualGradientStep({ U, S, Q }, this.projection.R, rho, this.t);
    this.steps++;
  }

  /** W = Q̂ − S/ρ at the ADMM's own ρ; S and Q̂ are given up. */
  beginSplitting(): void {
    const { A: W, S, Q } = this;
    this.penalty.rho = SPLITTING_PENALTY;
    for (let k = 0; k < W.length; k++) W[k] = Q[k] - S[k] / SPLITTING_PENALTY;
    this.S = none;
    this.Q = none;
    this.mean = new Float32Array(W.length);
    this.projection.forget();
  }

  splittingStep(): void {
    const { A: W, rho } = this;
    this.projection.project(this.sum(W, 1 / rho, 1, 0), true);
    const { primal, dual, least } = splitStep(W, this.projection.R, this.strip);
    this.least = least;
    this.steps++;
    this.average();
    if (++this.splittingSteps % BALANCE === 0) this.keepMultiplier(this.penalty.balance(primal, dual));
  }

  private average(): void {
    const { A: W, mean } = this;
    const share = 1 / ++this.averaged;
    for (let k = 0; k < W.length; k++) mean[k] += share * (W[k] - mean[k]);
  }

  /** Whether the mean is over enough steps to be looked at. */
  get hasMean(): boolean {
    return this.averaged >= LEAST_AVERAGED;
  }

  /** W ← its mean if that has the better bound; the mean begins anew then, and where it is over too many steps. */
  restart(isBetter: boolean): void {
    if (isBetter) this.A.set(this.mean);
    if (isBetter || this.averaged >= MOST_AVERAGED) this.averaged = 0;
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
    this.averaged = 0;
    rescaleNegative(this.A, factor);
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
    const e = Math.max(0, -this.least) + ROUNDING;
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
    if (!this.isSplitting) return this.S.slice();
    const W = ofMean ? this.mean : this.A;
    const S = new Float32Array(W.length);
    for (let k = 0; k < W.length; k++) S[k] = rho * Math.max(0, -W[k]);
    return S;
  }

  /** A copy of Z, n × n, whose zeros are exact; of Q̂ before the splitting. */
  nonnegativePoint(): DenseMatrix {
    const { n } = this.problem.gram;
    const Z = zeros(n, n);
    const source = this.isSplitting ? this.A : this.Q;
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
    return this.isSplitting ? this.sum(this.A, 1, this.rho / 2, -this.rho / 2) : this.sum(this.S, 1, 0, 1);
  }

  save(): { readonly [key: string]: SnapshotValue } {
    const { steps, splittingSteps, least, t, averaged } = this;
    return {
      ...{ steps, splittingSteps, least, t, averaged },
      ...this.penalty.save(),
      mean: this.mean.slice(),
      A: this.A.slice(),
      S: this.S.slice(),
      Q: this.Q.slice(),
      projection: this.projection.save(),
      estimate: this.estimate.save(),
    };
  }

  /** Reads all fields, and gives back what takes them. @throws CurvatureError ERR_SNAPSHOT */
  read(state: SnapshotReader): () => void {
    const A = state.float32("A", this.A.length);
    const S = state.float32("S");
    state.float32("S", S.length === 0 ? 0 : A.length);
    const Q = state.float32("Q", S.length);
    const mean = state.float32("mean", S.length === 0 ? A.length : 0);
    const takeProjection = this.projection.read(state.object("projection"));
    const takeEstimate = this.estimate.read(state.object("estimate"));
    const takePenalty = this.penalty.read(state);
    const [least, t] = ["least", "t"].map((key) => state.number(key));
    const [steps, splittingSteps, averaged] = ["steps", "splittingSteps", "averaged"].map((key) =>
      state.integer(key),
    );
    return () => {
      this.A.set(A);
      this.S = S.length === 0 ? none : S.slice();
      this.Q = S.length === 0 ? none : Q.slice();
      this.mean = mean.slice();
      this.averaged = averaged;
      takeProjection();
      takeEstimate();
      takePenalty();
      [this.least, this.t] = [least, t];
      [this.steps, this.splittingSteps] = [steps, splittingSteps];
    };
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
