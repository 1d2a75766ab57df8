/**
 * NOMAD by conditional gradients inside the method of multipliers.
 *
 * Variable     P = Q − E in the spectraplex {P ⪰ 0, P1 = 0, Tr P = K − 1}; the constraint P + E ≥ 0 has the multiplier G ≤ 0
 * Gradient     −D and that of the constraint, which G and γ_t = √(t + 1) make; after every N inner steps G changes: see
 *              `nonnegativity.ts`                                                                           (15), (16)
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
 * code: γ_t and N are 1 and 10 in the text. The step is taken for λ ≥ 0 as well, where the code leaves it out: Tr P = K − 1 asks for
 * it, and P would stay 0 where −D is positive definite. Differs from the text as that code does: η counts all inner steps (the
 * printed 2/(t + i + 2) takes large steps for ever).
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
  RandomGenerator,
  type SymmetricOperator,
  symmetricTimesVector,
  zeros,
} from "@curvature/linalg";
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
import { Complement } from "../complement.js";
import { Krylov } from "../krylov.js";
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
import { addOuter } from "../rank-one.js";
import { checkMultipliers, type MultipliersDetails, type MultipliersOptions } from "./multipliers-options.js";
import { Nonnegativity } from "./nonnegativity.js";
import { certified } from "./outcomes.js";

const VERSION = 1;
const ARRAYS = 5;
/** Outer steps between two corrections of P's row sums, in which rounding gathers. */
const CENTRE = 100;

export class Multipliers implements Solver<MultipliersDetails> {
  readonly name = "cg";
  readonly dimension: number;
  readonly fingerprint: string;
  readonly options: Readonly<Required<MultipliersOptions>>;
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
  private index = 0;
  private inner = 0;
  private checks = 0;
  private products = 0;
  private objective: number;
  private eigenvalue = 0;
  private outcome: Outcome | undefined;

  /** @throws CurvatureError ERR_OPTION, ERR_ARGUMENT, ERR_MEMORY */
  constructor(
    private readonly problem: NomadProblem,
    options?: MultipliersOptions,
  ) {
    checkProblem("Multipliers", problem);
    this.options = checkMultipliers(options);
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
    this.objective = gram.offset;
  }

  /** The best feasible Q, n × n by rows, with Tr(D Q). */
  get best(): Point {
    return { x: this.certificate.point.data, value: this.certificate.lower };
  }

  /** P + E, whose entries may be a little below 0. */
  get last(): Point {
    return { x: this.X.data, value: this.objective };
  }

  /** Whether it has come to an end. */
  get isOver(): boolean {
    return this.outcome !== undefined;
  }

  /** A copy of S = −G, n × n, whose bounds are the upper ones. */
  multiplier(): DenseMatrix {
    return this.constraint.multiplier();
  }

  step(): Iteration<MultipliersDetails> {
    if (this.outcome !== undefined) return this.iteration("inner");
    this.index++;
    if (isClosed(this.problem)) {
      this.certificate.offerUpper(this.certificate.lower);
      this.outcome = onlyOneFeasible;
      return this.iteration("inner");
    }
    this.innerStep();
    this.inner++;
    if (this.inner < this.options.innerSteps) return this.iteration("inner");
    this.inner = 0;
    this.outerStep();
    return this.iteration("outer");
  }

  private innerStep(): void {
    const { n, X, inner, complement, problem, constraint } = this;
    constraint.writeDescent(X, this.work);
    const start = this.v.some((entry) => entry !== 0) ? this.v : undefined;
    const { value, vector } = this.krylov.largest(start, this.random, 1 / (inner + 1));
    this.v.set(vector);
    this.eigenvalue = -value;
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
    this.objective = (1 - eta) * this.objective + eta * gained;
  }

  /** The new G, and now and then the bounds. */
  private outerStep(): void {
    const { X, constraint, options } = this;
    constraint.change(X);
    const { changes, largestViolation: largest, meanViolation: mean } = constraint;
    if (changes % CENTRE === 0) centreRows(X);
    const isSmall = largest < options.largestViolation && mean < options.meanViolation;
    const ends = options.stop === "violation" && isSmall;
    if (ends || changes % options.boundsEvery === 0) this.look();
    if (ends && this.outcome === undefined)
      this.outcome = {
        status: "converged",
        message: `The least entry is ${(-largest).toPrecision(3)} K/n and the negative ones have a root mean square of ${mean.toPrecision(3)}, as stop: "violation" asks; the certified relative gap is ${this.certificate.gap.toPrecision(3)}.`,
      };
  }

  private look(): void {
    const { certificate, problem, work, X } = this;
    const { tolerance } = this.options;
    this.checks++;
    this.constraint.writeMultiplier(work);
    certificate.offerUpper(upperBounds(problem, work).fantope);
    certificate.offerPoint(work, repairMatrix(problem, X, work));
    if (certificate.gap <= tolerance) this.outcome = certified(certificate.gap, tolerance);
  }

  /** v ↦ −gradient v on the complement of 1. */
  private operator(): SymmetricOperator {
    const { complement, problem, work } = this;
    const ofD = new Float64Array(this.n);
    return complement.restrictOperator((v, out) => {
      this.products++;
      symmetricTimesVector(work, v, out);
      problem.gram.multiply(v, ofD);
      for (let i = 0; i < out.length; i++) out[i] += ofD[i];
    });
  }

  private iteration(phase: "inner" | "outer"): Iteration<MultipliersDetails> {
    const { certificate, constraint, index, eigenvalue, products } = this;
    return {
      index,
      value: this.objective,
      gradientNorm: undefined,
      stepLength: undefined,
      evaluations: index,
      gradientEvaluations: index,
      monitoringEvaluations: this.checks,
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
      outcome: this.outcome,
    };
  }

  save(): Snapshot {
    const { index, inner, checks, products, objective, eigenvalue } = this;
    return {
      solver: this.name,
      version: VERSION,
      state: {
        X: this.X.data.slice(),
        v: this.v.slice(),
        certificate: this.certificate.save(),
        random: this.random.save(),
        ...this.constraint.save(),
        ...{ index, inner, checks, products, objective, eigenvalue },
        outcome: this.outcome === undefined ? null : { ...this.outcome },
      },
    };
  }

  restore(snapshot: Snapshot): void {
    const state = openSnapshot(snapshot, this.name, VERSION);
    const X = state.float64("X", this.dimension);
    const takeConstraint = this.constraint.read(state);
    const v = state.float64("v", this.v.length);
    const takeCertificate = this.certificate.read(state.object("certificate"));
    const random = state.uint32("random", 4);
    const [index, inner, checks, products] = ["index", "inner", "checks", "products"].map((key) =>
      state.integer(key),
    );
    const objective = state.number("objective");
    const eigenvalue = state.number("eigenvalue");
    const outcome = state.outcome("outcome");
    this.random.restore(random);
    this.X.data.set(X);
    takeConstraint();
    this.v.set(v);
    takeCertificate();
    [this.index, this.inner, this.checks, this.products] = [index, inner, checks, products];
    [this.objective, this.eigenvalue] = [objective, eigenvalue];
    // The end at a larger tolerance than this one's is none.
    const { stop, tolerance } = this.options;
    const isOver = outcome?.status !== "converged" || stop !== "gap" || this.certificate.gap <= tolerance;
    this.outcome = isOver ? outcome : undefined;
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
