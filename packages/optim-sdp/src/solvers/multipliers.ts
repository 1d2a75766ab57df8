/**
 * NOMAD by conditional gradients inside the method of multipliers.
 *
 * Variable     P = Q − E in the spectraplex {P ⪰ 0, P1 = 0, Tr P = K − 1}; the constraint P + E ≥ 0 has the multiplier G ≤ 0
 * Gradient     −D + G + γ_t [X]_−,   γ_t = √(t + 1);  after every N inner steps  G ← [G + X]_−         mode "paper"  (15), (16)
 *              −D + [G + γ_t X]_−;                                           G ← [G + γ_t X]_−    mode "exact"
 * Inner step   (λ, v) = the least eigenpair of the gradient on the complement of 1, to the relative residual 1/(i + 1);
 *              P ← (1 − η) P + η (K − 1) v vᵀ,  η = 2/(t N + i + 2)
 *
 * | symbol | variable     | value                                    |
 * |--------|--------------|------------------------------------------|
 * | P + E  | X            | n × n, from E                            |
 * | G      | constraint   | n × n, from 0                            |
 * | t, i   | constraint.changes, inner | counters                    |
 * | N      | innerSteps   | 15                                       |
 *
 * Tepper, Sengupta, Chklovskii, J. Mach. Learn. Res. 19 (2018), Algorithm 2, with the constants of the authors' published
 * code: γ_t and N are 1 and 10 in the text. The step is taken for λ ≥ 0 as well, where the code leaves it out: Tr P = K − 1 needs
 * it, and P would stay 0 where −D is positive definite. Differs from the text as that code does: η counts all inner steps (the
 * printed 2/(t + i + 2) takes large steps for ever), and G is at most 0 (the text has the constraint's sign reversed). "exact" is the
 * gradient of the augmented Lagrangian −Tr(DP) + (‖[G + γ X]_−‖² − ‖G‖²)/(2γ), which lets go of G where X is large; "paper" has the
 * same fixed points.
 *
 * S = −G gives the upper bound, P + E the repaired lower one. As the least entry of P + E falls slowly, the lower bound
 * stays far off (by several percent after hundreds of outer steps): its strength is a rough answer in little memory. `stop`
 * "violation" ends it as the authors do, when the least entry is at least −1e-3 K/n and the negative ones have a root mean
 * square below 1e-4; that certifies nothing.
 *
 * One step is one inner step: some 20 products of 2 n² operations. Memory: four n × n arrays, one more where D is a matrix.
 */
import {
  type DenseMatrix,
  dot,
  integerFrom,
  nonNegative,
  type OptionsOf,
  oneOf,
  optionTable,
  positive,
  RandomGenerator,
  type SettingsOf,
  type SymmetricOperator,
  symmetricTimesVector,
  zeros,
} from "@curvature/linalg";
import type { Iteration, Point, Solver } from "@curvature/optim-core";
import {
  DeclaredSolver,
  float64,
  generator,
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
import { Complement } from "../complement.js";
import { addOuter } from "../conditional-gradient.js";
import { Krylov } from "../krylov.js";
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

export const multipliersOptions = optionTable({
  /** Which gradient; the gap of "paper" is the smaller one on most sets after the same work. */
  mode: oneOf("paper", "exact").default("paper"),
  /** What ends it: the certified gap, or the authors' test of the negative entries. */
  stop: oneOf("gap", "violation").default("gap"),
  /** Certified relative gap at which it has converged; 0 never. */
  tolerance: nonNegative.default(1e-4),
  /** N */
  innerSteps: integerFrom(1).default(15),
  /** Outer steps between two evaluations of the bounds. */
  boundsEvery: integerFrom(1).default(10),
  /** "violation": the least entry allowed, in units of −K/n. */
  largestViolation: positive.default(1e-3),
  /** "violation": root mean square allowed of the negative entries. */
  meanViolation: positive.default(1e-4),
  /** Of the first Lanczos start. */
  seed: integerFrom(0).default(0),
});
export type MultipliersOptions = OptionsOf<typeof multipliersOptions>;

export interface MultipliersDetails {
  /** Certified relative gap; Infinity before the first bounds. */
  readonly gap: number;
  readonly lower: number;
  readonly upper: number;
  /** t */
  readonly outer: number;
  /** −min (P + E) n/K and the root mean square of the negative entries, at the last change of G. */
  readonly largestViolation: number;
  readonly meanViolation: number;
  /** λ, the least eigenvalue of the gradient, from above. */
  readonly eigenvalue: number;
  /** Products with the gradient so far. */
  readonly products: number;
}

/** n × n arrays that it takes. */
const ARRAYS = 5;
/** Outer steps between two corrections of P's row sums, in which rounding gathers. */
const CENTRE = 100;

export class Multipliers extends DeclaredSolver implements Solver<MultipliersDetails> {
  readonly name = "cg";
  readonly dimension: number;
  readonly fingerprint: string;
  readonly options: SettingsOf<typeof multipliersOptions>;
  private readonly n: number;
  private readonly complement: Complement;
  private readonly certificate: Certificate;
  private readonly krylov: Krylov;
  private readonly random: RandomGenerator;
  /** P + E */
  private readonly X: DenseMatrix;
  private readonly constraint: Nonnegativity;
  /** The constraint's part of −gradient, and scratch for the bounds. */
  private readonly work: DenseMatrix;
  private readonly v: Float64Array;
  protected readonly state;

  /** @throws CurvatureError ERR_OPTION, ERR_ARGUMENT, ERR_MEMORY */
  constructor(
    private readonly problem: NomadProblem,
    options?: MultipliersOptions,
  ) {
    super();
    checkProblem("Multipliers", problem);
    this.options = multipliersOptions.resolve("Multipliers", options);
    const { gram, clusters: K } = problem;
    const { n } = gram;
    checkMemory("Multipliers", `the method for ${n} points`, denseBytes(n, ARRAYS), gram.memoryLimit);
    this.n = n;
    this.dimension = n * n;
    this.fingerprint = problemFingerprint(problem);
    this.complement = Complement.ofOnes(n);
    this.certificate = new Certificate(centralPoint(n, K), centralValue(problem));
    this.X = zeros(n, n);
    this.X.data.fill(1 / n);
    this.constraint = new Nonnegativity(n, K, this.options.mode);
    this.work = zeros(n, n);
    this.v = new Float64Array(n - 1);
    this.krylov = new Krylov(this.operator(), n - 1, { tolerance: 1e-2, vectors: 32, restarts: 20 });
    this.random = new RandomGenerator(this.options.seed);
    this.state = stateOf({
      X: float64(this.X.data),
      constraint: part(this.constraint),
      v: float64(this.v),
      certificate: part(this.certificate),
      random: generator(this.random),
      index: whole(),
      /** i */
      inner: whole(),
      checks: whole(),
      products: whole(),
      objective: number(gram.offset),
      eigenvalue: number(0),
      outcome: outcome(),
    });
  }

  /** The best feasible Q, n × n by rows, with Tr(D Q). */
  get best(): Point {
    return { x: this.certificate.point.data, value: this.certificate.lower };
  }

  /** P + E, whose entries may be a little below 0. */
  get last(): Point {
    return { x: this.X.data, value: this.state.objective };
  }

  /** Whether it has come to an end. */
  get isOver(): boolean {
    return this.state.outcome !== undefined;
  }

  /** A copy of S = −G, n × n, whose bounds are the upper ones. */
  multiplier(): DenseMatrix {
    return this.constraint.multiplier();
  }

  step(): Iteration<MultipliersDetails> {
    if (this.state.outcome !== undefined) return this.iteration("inner");
    this.state.index++;
    if (isClosed(this.problem)) {
      this.certificate.offerUpper(closedBounds(this.problem).upper);
      this.state.outcome = onlyOneFeasible;
      return this.iteration("inner");
    }
    this.innerStep();
    this.state.inner++;
    if (this.state.inner < this.options.innerSteps) return this.iteration("inner");
    this.state.inner = 0;
    this.outerStep();
    return this.iteration("outer");
  }

  private innerStep(): void {
    const { n, X, complement, problem, constraint, state } = this;
    const { inner } = state;
    constraint.writeDescent(X, this.work);
    const start = this.v.some((entry) => entry !== 0) ? this.v : undefined;
    const { value, vector } = this.krylov.largest(start, this.random, 1 / (inner + 1));
    this.v.set(vector);
    this.state.eigenvalue = -value;
    const eta = 2 / (constraint.changes * this.options.innerSteps + inner + 2);
    const x = X.data;
    for (let k = 0; k < x.length; k++) x[k] = (1 - eta) * x[k] + eta / n; // E takes its share too
    const long = new Float64Array(n);
    complement.extendVector(vector, long);
    addOuter(eta * (problem.clusters - 1), long, x);
    const Dv = new Float64Array(n);
    problem.gram.multiply(long, Dv);
    const { offset } = problem.gram;
    const gained = (problem.clusters - 1) * dot(long, Dv) + offset;
    this.state.objective = (1 - eta) * this.state.objective + eta * gained;
  }

  /** The new G, and now and then the bounds. */
  private outerStep(): void {
    const { X, constraint, options } = this;
    constraint.change(X);
    const { changes, largestViolation: largest, meanViolation: mean } = constraint;
    if (changes % CENTRE === 0) centreRows(X);
    const isSmall = largest < options.largestViolation && mean < options.meanViolation;
    const ends = options.stop === "violation" && isSmall;
    if (ends || changes % options.boundsEvery === 0) this.bound();
    if (ends && this.state.outcome === undefined)
      this.state.outcome = {
        status: "converged",
        message: `The least entry is ${(-largest).toPrecision(3)} K/n and the negative ones have a root mean square of ${mean.toPrecision(3)}, as stop: "violation" asks; the certified relative gap is ${this.certificate.gap.toPrecision(3)}.`,
      };
  }

  private bound(): void {
    const { certificate, problem, work, X } = this;
    const { tolerance } = this.options;
    this.state.checks++;
    this.constraint.writeMultiplier(work);
    certificate.offerUpper(upperBounds(problem, work).fantope);
    certificate.offerPoint(work, repairMatrix(problem, X, work));
    if (certificate.gap <= tolerance) this.state.outcome = certified(certificate.gap, tolerance);
  }

  /** v ↦ −gradient v on the complement of 1. */
  private operator(): SymmetricOperator {
    const { complement, problem, work } = this;
    const ofD = new Float64Array(this.n);
    return complement.restrictOperator((v, out) => {
      this.state.products++;
      symmetricTimesVector(work, v, out);
      problem.gram.multiply(v, ofD);
      for (let i = 0; i < out.length; i++) out[i] += ofD[i];
    });
  }

  private iteration(phase: "inner" | "outer"): Iteration<MultipliersDetails> {
    const { certificate, constraint } = this;
    const { index, checks, objective, eigenvalue, products, outcome } = this.state;
    return {
      index,
      value: objective,
      gradientNorm: undefined,
      stepLength: undefined,
      evaluations: index,
      gradientEvaluations: index,
      monitoringEvaluations: checks,
      passes: index,
      phase,
      details: {
        gap: certificate.gap,
        lower: certificate.lower,
        upper: certificate.upper,
        outer: constraint.changes,
        largestViolation: constraint.largestViolation,
        meanViolation: constraint.meanViolation,
        eigenvalue,
        products,
      },
      outcome,
    };
  }

  protected override restored(): void {
    // The end at a larger tolerance than this one's is none.
    const { stop, tolerance } = this.options;
    const isOpen = stop === "gap" && this.certificate.gap > tolerance;
    if (this.state.outcome?.status === "converged" && isOpen) this.state.outcome = undefined;
  }
}

/** The constraint X = P + E ≥ 0 by its multiplier G ≤ 0. */
class Nonnegativity {
  /** t */
  changes = 0;
  /** Of X at the last change of G: −min X in units of K/n, and the root mean square of the negative entries. */
  largestViolation = Number.POSITIVE_INFINITY;
  meanViolation = Number.POSITIVE_INFINITY;
  readonly G: Float64Array;
  readonly state;

  constructor(
    private readonly n: number,
    private readonly clusters: number,
    private readonly mode: "paper" | "exact",
  ) {
    this.G = zeros(n, n).data;
    this.state = stateIn(this, {
      G: float64(this.G),
      changes: whole(),
      largestViolation: number(),
      meanViolation: number(),
    });
  }

  private get gamma(): number {
    return Math.sqrt(this.changes + 1);
  }

  /** A copy of S = −G, n × n. */
  multiplier(): DenseMatrix {
    const S = zeros(this.n, this.n);
    this.writeMultiplier(S);
    return S;
  }

  writeMultiplier({ data: s }: DenseMatrix): void {
    const { G: g } = this;
    for (let k = 0; k < s.length; k++) s[k] = Math.max(0, -g[k]);
  }

  /** −G − γ [X]_−, or −[G + γ X]_−, into `out`: the constraint's part of −gradient. */
  writeDescent({ data: x }: DenseMatrix, { data: out }: DenseMatrix): void {
    const { gamma, G: g } = this;
    if (this.mode === "paper")
      for (let k = 0; k < out.length; k++) out[k] = -g[k] - 0.5 * gamma * (x[k] - Math.abs(x[k]));
    else
      for (let k = 0; k < out.length; k++) {
        const sum = g[k] + gamma * x[k];
        out[k] = 0.5 * (Math.abs(sum) - sum);
      }
  }

  /** The new G, with X's violations on the way. */
  change({ data }: DenseMatrix): void {
    const { G: g, n, clusters } = this;
    const step = this.mode === "paper" ? 1 : this.gamma;
    let least = 0;
    let squares = 0;
    let count = 0;
    for (let k = 0; k < data.length; k++) {
      const x = data[k];
      if (x < 0) {
        least = Math.min(least, x);
        squares += x * x;
        count++;
      }
      g[k] = Math.min(0, g[k] + step * x);
    }
    this.largestViolation = (-least * n) / clusters;
    this.meanViolation = count === 0 ? 0 : Math.sqrt(squares / count);
    this.changes++;
  }
}

/** Takes off X's rows, and its columns, what they lack or exceed of the sum 1. */
function centreRows(X: DenseMatrix): void {
  const n = X.rows;
  const excess = new Float64Array(n);
  let grand = 0;
  for (let i = 0; i < n; i++) {
    let sum = -1;
    for (let j = 0; j < n; j++) sum += X.data[i * n + j];
    excess[i] = sum / n;
    grand += sum / (n * n);
  }
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++) X.data[i * n + j] += grand - (excess[i] + excess[j]);
}
