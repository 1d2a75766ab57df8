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
 * | r            | RELAXATION     | 1.8                                                 |
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
import {
  between,
  type DenseMatrix,
  integerFrom,
  nonNegative,
  norm2,
  type OptionsOf,
  optionTable,
  type SettingsOf,
  gram as transposedProduct,
  zeros,
} from "@curvature/linalg";
import type { Iteration, Point, Solver } from "@curvature/optim-core";
import {
  boolean,
  DeclaredSolver,
  float64,
  number,
  outcome,
  part,
  stateIn,
  stateOf,
  whole,
} from "@curvature/optim-core/state";
import { checkMemory, denseBytes } from "../arguments.js";
import { Certificate, certified } from "../bounds/certificate.js";
import { repairMatrix } from "../bounds/repair.js";
import { upperBounds } from "../bounds/upper.js";
import { Complement, restrictedZeros } from "../complement.js";
import {
  centralPoint,
  centralValue,
  checkProblem,
  closedBounds,
  isClosed,
  type NomadProblem,
  onlyOneFeasible,
  problemFingerprint,
} from "../problem.js";
import { BALANCE, Penalty } from "./penalty.js";
import { SpectralProjection } from "./spectral-projection.js";

export const admmOptions = optionTable({
  /** Certified relative gap at which it has converged; 0 never. */
  tolerance: nonNegative.default(1e-4),
  /** ρ at the start, in units of ‖D‖_F / √K. */
  penalty: between(1e-100, 1e100).default(4),
  /** Steps between two evaluations of the bounds. */
  boundsEvery: integerFrom(1).default(10),
});
export type AdmmOptions = OptionsOf<typeof admmOptions>;

export interface AdmmDetails {
  /** Certified relative gap, (upper − lower)/|upper|; Infinity before the first bounds. */
  readonly gap: number;
  readonly lower: number;
  readonly upper: number;
  /** ‖X − Z‖_F / ‖Z‖_F */
  readonly primalResidual: number;
  /** ‖Z − Z_before‖_F / ‖[W]_−‖_F */
  readonly dualResidual: number;
  /** ρ */
  readonly penalty: number;
  /** Of X − E. */
  readonly rank: number;
  /** Whether all eigenpairs were computed in this step. */
  readonly complete: boolean;
  /** Whether the objective has stood still to 1e-7 over 100 steps while the gap is above the tolerance. */
  readonly plateau: boolean;
}

/** n × n arrays that it takes. */
const ARRAYS = 9;
/** r */
const RELAXATION = 1.8;

export class Admm extends DeclaredSolver implements Solver<AdmmDetails> {
  readonly name = "admm";
  readonly dimension: number;
  readonly fingerprint: string;
  readonly options: SettingsOf<typeof admmOptions>;
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
  private readonly plateau = new Plateau();
  protected readonly state;

  /** @throws CurvatureError ERR_OPTION, ERR_ARGUMENT, ERR_MEMORY */
  constructor(
    private readonly problem: NomadProblem,
    options?: AdmmOptions,
  ) {
    super();
    checkProblem("Admm", problem);
    this.options = admmOptions.resolve("Admm", options);
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
    this.state = stateOf({
      W: float64(this.W.data),
      X: float64(this.X.data),
      certificate: part(this.certificate),
      projection: part(this.projection),
      penalty: part(this.penalty),
      plateau: part(this.plateau),
      index: whole(),
      checks: whole(),
      /** Tr(D X) */
      objective: number(centralValue(problem)),
      primal: number(1),
      dual: number(1),
      rank: whole(n - 1),
      complete: boolean(true),
      outcome: outcome(),
    });
  }

  /** The best feasible Q, n × n by rows, with Tr(D Q). */
  get best(): Point {
    return { x: this.certificate.point.data, value: this.certificate.lower };
  }

  /** X, which has no negative eigenvalues and the right sums, and negative entries as small as the primal residual. */
  get last(): Point {
    return { x: this.X.data, value: this.state.objective };
  }

  /** Whether it has come to an end. */
  get isOver(): boolean {
    return this.state.outcome !== undefined;
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
    if (this.state.outcome !== undefined) return this.iteration();
    this.state.index++;
    if (isClosed(this.problem)) {
      this.certificate.offerUpper(closedBounds(this.problem).upper);
      this.state.outcome = onlyOneFeasible;
      return this.iteration();
    }
    this.primalStep();
    this.update();
    if (this.state.index % this.options.boundsEvery === 0) this.bound();
    if (this.state.index % BALANCE === 0) this.balance();
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
      0.1 * this.state.primal * Math.sqrt(this.problem.clusters),
    );
    this.complement.extend(transposedProduct(rows), X);
    for (let k = 0; k < X.data.length; k++) X.data[k] += 1 / n;
    this.state.rank = rows.rows;
    this.state.complete = complete;
  }

  /** W, eq. (2), with the residuals and Tr(D X). */
  private update(): void {
    const { primal, dual, objective } = relaxedStep(this.W.data, this.X.data, this.D.data);
    this.state.primal = primal;
    this.state.dual = dual;
    this.state.objective = objective + this.problem.gram.offset;
  }

  /** Both bounds, and whether they are near enough. */
  private bound(): void {
    const { certificate, work, problem } = this;
    const { rho } = this.penalty;
    const { tolerance } = this.options;
    this.state.checks++;
    for (let k = 0; k < work.data.length; k++) work.data[k] = rho * Math.max(0, -this.W.data[k]);
    certificate.offerUpper(upperBounds(problem, work).fantope);
    certificate.offerPoint(work, repairMatrix(problem, this.X, work));
    const { gap } = certificate;
    if (gap <= tolerance) this.state.outcome = certified(gap, tolerance);
    if (this.state.index % PLATEAU_STEPS < this.options.boundsEvery)
      this.plateau.judge(this.state.objective, this.state.outcome === undefined);
  }

  /** Another ρ, where one is due; Z and S stay as they are. */
  private balance(): void {
    const { penalty } = this;
    const { primal, dual } = this.state;
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
    return upper - this.state.objective < 0.5 * allowed && this.state.objective - lower > 0.6 * allowed;
  }

  private iteration(): Iteration<AdmmDetails> {
    const { certificate } = this;
    const { index, checks, objective, primal, dual, rank, complete, outcome } = this.state;
    return {
      index,
      value: objective,
      gradientNorm: undefined,
      stepLength: undefined,
      evaluations: index,
      gradientEvaluations: 0,
      monitoringEvaluations: checks,
      passes: index,
      phase: "iteration",
      details: {
        gap: certificate.gap,
        lower: certificate.lower,
        upper: certificate.upper,
        primalResidual: primal,
        dualResidual: dual,
        penalty: this.penalty.rho,
        rank,
        complete,
        plateau: this.plateau.lasts,
      },
      outcome,
    };
  }

  protected override restored(): void {
    // The end at a larger tolerance than this one's is none.
    const isOpen = this.certificate.gap > this.options.tolerance;
    if (this.state.outcome?.status === "converged" && isOpen) this.state.outcome = undefined;
  }
}

interface RelaxedStep {
  /** ‖X − Z‖_F / ‖Z‖_F */
  readonly primal: number;
  /** ‖Z − Z_before‖_F / ‖[W]_−‖_F */
  readonly dual: number;
  /** Tr(D X) */
  readonly objective: number;
}

/** W ← [W]_− + r X + (1 − r) [W]_+ in one pass, with Z = [W]_+ before and after it; all n × n. */
function relaxedStep(w: Float64Array, x: Float64Array, d: Float64Array): RelaxedStep {
  let difference = 0;
  let size = 0;
  let change = 0;
  let negative = 0;
  let objective = 0;
  for (let k = 0; k < w.length; k++) {
    const z = 0.5 * (w[k] + Math.abs(w[k]));
    const next = w[k] - z + RELAXATION * x[k] + (1 - RELAXATION) * z;
    const zNext = 0.5 * (next + Math.abs(next));
    difference += (x[k] - z) * (x[k] - z);
    size += z * z;
    change += (zNext - z) * (zNext - z);
    negative += (next - zNext) * (next - zNext);
    objective += d[k] * x[k];
    w[k] = next;
  }
  return {
    primal: Math.sqrt(difference / size),
    dual: negative > 0 ? Math.sqrt(change / negative) : 0,
    objective,
  };
}

const PLATEAU_STEPS = 100;
/** The relative change up to which it stands still. */
const CHANGE = 1e-7;

/** Whether an objective stands still, which is no sign of an optimum. */
class Plateau {
  lasts = false;
  /** The objective when it was last judged. */
  value = Number.NaN;
  readonly state = stateIn<Plateau, "lasts" | "value">(this, { lasts: boolean(), value: number() });

  /** @param isGoingOn - there is none after the end */
  judge(objective: number, isGoingOn: boolean): void {
    this.lasts = isGoingOn && Math.abs(objective - this.value) <= CHANGE * Math.abs(objective);
    this.value = objective;
  }
}
