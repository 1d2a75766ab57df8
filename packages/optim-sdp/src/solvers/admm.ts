/**
 * NOMAD by the alternating direction method of multipliers (Douglas-Rachford splitting) on one n × n matrix.
 *
 * Splitting   X in {X = P + E, P ⪰ 0, P1 = 0, Tr P = K − 1},  Z ≥ 0,  X = Z
 * State       W:  Z = [W]_+,  S = ρ [−W]_+ ≥ 0 the multiplier that gives the upper bound
 * Iteration   M = J (|W| + D/ρ) J = V diag(w) Vᵀ;  p = [w − θ]_+, Σ p = K − 1;  X = E + V diag(p) Vᵀ         (1)
 *             W ← [W]_− + r X + (1 − r) [W]_+                                                               (2)
 *
 * | symbol       | variable       | shape, value                                        |
 * |--------------|----------------|-----------------------------------------------------|
 * | W, X         | W, X           | n × n                                               |
 * | ρ            | rho            | starts at `penalty` ‖D‖_F / √K                        |
 * | r            |                | 1.8, in `relaxed-step.ts`                           |
 * | r_p, r_d     | residuals      | ‖X − Z‖/‖Z‖, ‖Z − Z_before‖/‖[W]_−‖ (Frobenius)       |
 *
 * Boyd et al.: Distributed optimization and statistical learning via ADMM. Found. Trends Mach. Learn. 3 (2011), sections
 * 3.3 and 3.4, with multiplier and copy in one matrix: W = Z − S/ρ. The problem is NOMAD of Tepper, Sengupta, Chklovskii,
 * J. Mach. Learn. Res. 19 (2018), who solve it otherwise (see `multipliers.ts`).
 *
 * ρ follows the residuals (`penalty.ts`). The repair loses n times X's least entry, so that the lower bound comes last: where
 * the upper bound has come within half the tolerance of the objective and the lower one has not, a tail begins.
 *
 * Every `boundsEvery` steps S gives an upper bound and X, repaired, a lower one; it has converged when their relative gap
 * is at most the tolerance, and for no other reason. In particular not when the objective stands still: with ρ too large
 * it can do so for hundreds of steps, in the fifth digit off the optimum. `details.plateau` says so while it lasts.
 *
 * One symmetric eigendecomposition per step, 11 n³ operations, or 6 k n² where few eigenpairs are active. Memory: nine
 * n × n arrays.
 */
import { type DenseMatrix, norm2, gram as transposedProduct, zeros } from "@curvature/linalg";
import {
  type Iteration,
  type Outcome,
  openSnapshot,
  type Point,
  type Snapshot,
  type Solver,
} from "@curvature/optim-core";
import { Certificate } from "../bounds/certificate.js";
import { repairMatrix } from "../bounds/repair.js";
import { upperBounds } from "../bounds/upper.js";
import { Complement, restrictedZeros } from "../complement.js";
import { checkMemory, denseBytes } from "../memory.js";
import {
  centralPoint,
  centralValue,
  checkProblem,
  isClosed,
  type NomadProblem,
  onlyOneFeasible,
  problemFingerprint,
} from "../problem.js";
import { type AdmmDetails, type AdmmOptions, checkAdmm } from "./admm-options.js";
import { certified } from "./outcomes.js";
import { BALANCE, Penalty } from "./penalty.js";
import { PLATEAU_STEPS, Plateau } from "./plateau.js";
import { relaxedStep } from "./relaxed-step.js";
import { SpectralProjection } from "./spectral-projection.js";

const VERSION = 1;
const ARRAYS = 9;

export class Admm implements Solver<AdmmDetails> {
  readonly name = "admm";
  readonly dimension: number;
  readonly fingerprint: string;
  readonly options: Readonly<Required<AdmmOptions>>;
  private readonly n: number;
  private readonly D: DenseMatrix;
  private readonly complement: Complement;
  private readonly certificate: Certificate;
  private readonly projection: SpectralProjection;
  private readonly W: DenseMatrix;
  private readonly X: DenseMatrix;
  private readonly work: DenseMatrix;
  private readonly M: DenseMatrix;
  private readonly penalty: Penalty;
  private index = 0;
  private checks = 0;
  private objective: number;
  private primal = 1;
  private dual = 1;
  private rank: number;
  private complete = true;
  private readonly plateau = new Plateau();
  private outcome: Outcome | undefined;

  /** @throws CurvatureError ERR_OPTION, ERR_ARGUMENT, ERR_MEMORY */
  constructor(
    private readonly problem: NomadProblem,
    options?: AdmmOptions,
  ) {
    checkProblem("Admm", problem);
    this.options = checkAdmm(options);
    const { gram, clusters: K } = problem;
    const { n } = gram;
    checkMemory("Admm", `the ADMM for ${n} points`, denseBytes(n, ARRAYS), gram.memoryLimit);
    this.n = n;
    this.dimension = n * n;
    this.fingerprint = problemFingerprint(problem);
    this.D = gram.dense();
    this.complement = Complement.ofOnes(n);
    this.certificate = new Certificate(centralPoint(n, K), centralValue(problem));
    this.projection = new SpectralProjection(n - 1, K - 1);
    this.W = zeros(n, n);
    this.W.data.fill(1 / n); // E
    this.X = centralPoint(n, K);
    this.work = zeros(n, n);
    this.M = restrictedZeros(n);
    const size = norm2(this.D.data);
    this.penalty = new Penalty(size > 0 ? (this.options.penalty * size) / Math.sqrt(K) : 1);
    this.objective = centralValue(problem);
    this.rank = n - 1;
  }

  /** The best feasible Q, n × n by rows, with Tr(D Q). */
  get best(): Point {
    return { x: this.certificate.point.data, value: this.certificate.lower };
  }

  /** X, which has no negative eigenvalues and the right sums, and negative entries as small as the primal residual. */
  get last(): Point {
    return { x: this.X.data, value: this.objective };
  }

  /** Whether it has come to an end. */
  get isOver(): boolean {
    return this.outcome !== undefined;
  }

  /** A copy of Z, n × n, whose zeros are exact: for graphs and components. */
  nonnegativePoint(): DenseMatrix {
    return { rows: this.n, columns: this.n, data: this.W.data.map((w) => Math.max(0, w)) };
  }

  /** A copy of S, n × n, whose bounds are the upper ones. */
  multiplier(): DenseMatrix {
    const { rho } = this.penalty;
    return { rows: this.n, columns: this.n, data: this.W.data.map((w) => rho * Math.max(0, -w)) };
  }

  step(): Iteration<AdmmDetails> {
    if (this.outcome !== undefined) return this.iteration();
    this.index++;
    if (isClosed(this.problem)) {
      this.certificate.offerUpper(this.certificate.lower);
      this.outcome = onlyOneFeasible;
      return this.iteration();
    }
    this.primalStep();
    this.update();
    if (this.index % this.options.boundsEvery === 0) this.look();
    if (this.index % BALANCE === 0) this.balance();
    return this.iteration();
  }

  /** X, eq. (1) */
  private primalStep(): void {
    const { n, W, D, work, M, X } = this;
    const { rho } = this.penalty;
    for (let k = 0; k < work.data.length; k++) work.data[k] = Math.abs(W.data[k]) + D.data[k] / rho;
    this.complement.restrict(work, M);
    const { rows, complete } = this.projection.project(
      M,
      0.1 * this.primal * Math.sqrt(this.problem.clusters),
    );
    this.complement.extend(transposedProduct(rows), X);
    for (let k = 0; k < X.data.length; k++) X.data[k] += 1 / n;
    this.rank = rows.rows;
    this.complete = complete;
  }

  /** W, eq. (2), with the residuals and Tr(D X). */
  private update(): void {
    const { primal, dual, objective } = relaxedStep(this.W.data, this.X.data, this.D.data);
    this.primal = primal;
    this.dual = dual;
    this.objective = objective + this.problem.gram.offset;
  }

  /** Both bounds, and whether they are near enough. */
  private look(): void {
    const { certificate, work, problem } = this;
    const { rho } = this.penalty;
    const { tolerance } = this.options;
    this.checks++;
    for (let k = 0; k < work.data.length; k++) work.data[k] = rho * Math.max(0, -this.W.data[k]);
    certificate.offerUpper(upperBounds(problem, work).fantope);
    certificate.offerPoint(work, repairMatrix(problem, this.X, work));
    const { gap } = certificate;
    if (gap <= tolerance) this.outcome = certified(gap, tolerance);
    if (this.index % PLATEAU_STEPS < this.options.boundsEvery)
      this.plateau.look(this.objective, this.outcome === undefined);
  }

  /** Another ρ, where one is due; Z and S stay as they are. */
  private balance(): void {
    const { penalty, primal, dual } = this;
    const isTailDue = penalty.isTailReady && this.isDualDone();
    const factor = isTailDue ? penalty.beginTail() : penalty.balance(primal, dual);
    if (factor === 1) return;
    const w = this.W.data;
    for (let k = 0; k < w.length; k++) if (w[k] < 0) w[k] /= factor;
  }

  /** Whether most of the gap lies between the objective and the lower bound. */
  private isDualDone(): boolean {
    const { upper, lower } = this.certificate;
    const allowed = this.options.tolerance * Math.abs(upper);
    return upper - this.objective < 0.5 * allowed && this.objective - lower > 0.6 * allowed;
  }

  private iteration(): Iteration<AdmmDetails> {
    const { certificate, index } = this;
    return {
      index,
      value: this.objective,
      gradientNorm: undefined,
      stepLength: undefined,
      evaluations: index,
      gradientEvaluations: 0,
      monitoringEvaluations: this.checks,
      passes: index,
      phase: "iteration",
      details: {
        gap: certificate.gap,
        lower: certificate.lower,
        upper: certificate.upper,
        primalResidual: this.primal,
        dualResidual: this.dual,
        penalty: this.penalty.rho,
        rank: this.rank,
        complete: this.complete,
        plateau: this.plateau.lasts,
      },
      outcome: this.outcome,
    };
  }

  save(): Snapshot {
    const { index, checks, objective, primal, dual, rank, complete } = this;
    return {
      solver: this.name,
      version: VERSION,
      state: {
        W: this.W.data.slice(),
        X: this.X.data.slice(),
        certificate: this.certificate.save(),
        projection: this.projection.save(),
        ...{ index, checks, objective, primal, dual, rank, complete },
        ...this.plateau.save(),
        ...this.penalty.save(),
        outcome: this.outcome === undefined ? null : { ...this.outcome },
      },
    };
  }

  restore(snapshot: Snapshot): void {
    const state = openSnapshot(snapshot, this.name, VERSION);
    const W = state.float64("W", this.dimension);
    const X = state.float64("X", this.dimension);
    const takeCertificate = this.certificate.read(state.object("certificate"));
    const takePenalty = this.penalty.read(state);
    const takeProjection = this.projection.read(state.object("projection"));
    const index = state.integer("index");
    const checks = state.integer("checks");
    const [objective, primal, dual] = ["objective", "primal", "dual"].map((key) => state.number(key));
    const rank = state.integer("rank");
    const complete = state.flag("complete");
    const takePlateau = this.plateau.read(state);
    const outcome = state.outcome("outcome");
    this.W.data.set(W);
    this.X.data.set(X);
    takeCertificate();
    takePenalty();
    takeProjection();
    [this.index, this.checks, this.rank] = [index, checks, rank];
    [this.objective, this.primal, this.dual] = [objective, primal, dual];
    takePlateau();
    this.complete = complete;
    // The end at a larger tolerance than this one's is none.
    const isOver = outcome?.status !== "converged" || this.certificate.gap <= this.options.tolerance;
    this.outcome = isOver ? outcome : undefined;
  }
}
