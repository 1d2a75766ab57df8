/**
 * NOMAD to a certified gap, by the shortest way that was found: a factorisation for the lower bound, whose multipliers
 * begin the dual iteration for the upper one.
 *
 *   1 burer-monteiro   Y ≥ 0 and the multipliers of Q1 = 1 and Tr Q = K; Y, repaired, is the lower bound LB
 *   2 dual-guess       S from the multipliers
 *   3 dual-gradient    ten accelerated steps on S
 *   4 admm             from W = Q̂ − S/ρ; every tenth step Tr(D X), and LB from X repaired
 *   5 upper-estimate   every tenth step of 3 and 4: UB by Ritz values, without rigour
 *   6 certificate      where 5 makes it worth its price (see `dual/running-bounds.ts`): UB by all eigenvalues, rigorous. It has
 *                      converged when the gap (UB − LB)/|UB| is at most the tolerance
 *
 * and then more of 4, of 1 with tighter tolerances, or a tail in which ρ is 30 times as large: see `dual/schedule.ts`.
 *
 * The parts are in `burer-monteiro.ts`, `dual/` and `bounds/`. Tepper, Sengupta, Chklovskii: J. Mach. Learn. Res. 19
 * (2018) have the problem and the factorisation; the dual start, few eigenpairs and the bounds are this library's. Against
 * `Admm`, whose iteration it has: 0.6 and 1.5 seconds for 2.9 and 14.8 (digits, n = 250 and 500, K = 16, gap 1e-3). Where
 * the rank is near n it is not always the quicker of the two.
 *
 * Per step of 3 and 4 some 6 k n² operations, k = 1.3 times the rank, or 9 n³ where k would be above n/2; 4/3 n³ per
 * certificate, in parts of 50 ms. Steps of 4 and 5 are not cut: they take some 100 and 200 ms at n = 1000 and rank 35. Memory: see `primalDualBytes`.
 */
import {
  type DenseMatrix,
  either,
  flag,
  integerFrom,
  nonNegative,
  type OptionsOf,
  oneOf,
  optionName,
  optionTable,
  type SettingsOf,
} from "@curvature/linalg";
import type { Iteration, Outcome, Point, Solver } from "@curvature/optim-core";
import {
  DeclaredSolver,
  inner,
  madePart,
  outcome,
  part,
  stateOf,
  whole,
  word,
} from "@curvature/optim-core/state";
import { checkCount, checkMemory, gibibytes } from "../arguments.js";
import { certified } from "../bounds/certificate.js";
import type { FactoredPoint } from "../bounds/factored-point.js";
import {
  checkClusters,
  checkProblem,
  closedBounds,
  isClosed,
  type NomadProblem,
  onlyOneFeasible,
  problemFingerprint,
} from "../problem.js";
import { atOnce, type Steps } from "../steps.js";
import { BurerMonteiro } from "./burer-monteiro.js";
import { DualIteration } from "./dual/dual-iteration.js";
import { RunningBounds } from "./dual/running-bounds.js";
import { PATIENCE, Schedule } from "./dual/schedule.js";

export const primalDualOptions = optionTable({
  /** Certified relative gap at which it has converged; 0 never. */
  tolerance: nonNegative.default(1e-3),
  /** r, the columns of the factor. Left out: 4 K, rounded up, at most n. */
  rank: integerFrom(1),
  /** Of the factor's start and of the eigensolver. */
  seed: integerFrom(0).default(0),
  /**
   * Whether to go on to an upper bound once the factorisation has its lower one. "auto": not for more than 3000
   * points with K > 64, where a step of the dual iteration takes many seconds, and not where it takes more memory than is
   * allowed.
   */
  certify: either(flag, oneOf("auto")).default("auto"),
});
export type PrimalDualOptions = OptionsOf<typeof primalDualOptions>;

export const primalDualPhases = [
  "burer-monteiro",
  "dual-guess",
  "dual-gradient",
  "admm",
  "upper-estimate",
  "certificate",
] as const;

export type PrimalDualPhase = (typeof primalDualPhases)[number];

export interface PrimalDualDetails {
  /** What this step did. */
  readonly phase: PrimalDualPhase;
  /** Certified relative gap, (upper − lower)/|upper|; Infinity before the first certificate. */
  readonly gap: number;
  /** The gap by the latest estimate of the upper bound; Infinity before the first. */
  readonly estimatedGap: number;
  readonly lower: number;
  readonly upper: number;
  /** Of X − E; undefined before the dual iteration. */
  readonly rank: number | undefined;
  /** ρ in units of ‖D‖_F/√K; 0 before the dual iteration. */
  readonly penalty: number;
}

/** Above so many points with so large a K the certificate is made on request only. */
const LARGE = { n: 3000, clusters: 64 };

/** Why there will be no upper bound, in a sentence that says what it takes and how to get one; undefined where there will be. */
export function reasonForNone(
  certify: boolean | "auto",
  n: number,
  K: number,
  memoryLimit: number,
): string | undefined {
  if (certify === true) return undefined;
  if (certify === false) return "No certificate was asked for.";
  const request = optionName("certify", "true");
  const needed = primalDualBytes(n, K);
  const price = `A certificate for ${n} points takes up to ${gibibytes(needed)} GiB`;
  if (needed > memoryLimit)
    return `${price}, and ${optionName("memoryLimit")} allows ${gibibytes(memoryLimit)} GiB: it is made with ${request} and a ${optionName("memoryLimit")} of as much.`;
  if (n > LARGE.n && K > LARGE.clusters)
    return `${price} and, with K = ${K}, many times as long as the lower bound: it is made with ${request}.`;
  return undefined;
}

/**
 * Bytes that a certified gap takes at the most: D, Q, the certificate and a full eigendecomposition (7 n × n arrays of
 * float64), the dual iteration (4 of float32), and blocks of eigenvectors.
 *
 * @throws CurvatureError ERR_ARGUMENT for n, ERR_OPTION for K
 */
export function primalDualBytes(n: number, K: number): number {
  checkCount("primalDualBytes", "n", n);
  checkClusters("primalDualBytes", K, n);
  return 72 * n * n + 8 * 14 * n * Math.min(n, 4 * K);
}

/** Steps on the dual gradient, and of the ADMM between two estimates. */
const GRADIENT_STEPS = 10;
const CHECK_EVERY = 10;

/** The factorisation's own tolerance where the gap's is smaller, or 0. */
const MIN_TOLERANCE = 1e-6;

export class PrimalDual extends DeclaredSolver implements Solver<PrimalDualDetails> {
  readonly name = "auto";
  readonly dimension: number;
  readonly fingerprint: string;
  readonly options: SettingsOf<typeof primalDualOptions>;
  /** Whether there will be an upper bound. */
  readonly certifies: boolean;
  private readonly factorization: BurerMonteiro;
  private readonly bounds: RunningBounds;
  private readonly schedule = new Schedule();
  protected readonly state;

  /** @throws CurvatureError ERR_OPTION, ERR_ARGUMENT, ERR_MEMORY */
  constructor(
    private readonly problem: NomadProblem,
    options?: PrimalDualOptions,
  ) {
    super();
    checkProblem("PrimalDual", problem);
    this.options = primalDualOptions.resolve("PrimalDual", options);
    const { gram, clusters: K } = problem;
    const { n } = gram;
    const { certify, rank, seed, tolerance } = this.options;
    this.certifies = reasonForNone(certify, n, K, gram.memoryLimit) === undefined;
    if (this.certifies)
      checkMemory(
        "PrimalDual",
        `a certified gap for ${n} points (${optionName("certify", "false")} does without)`,
        primalDualBytes(n, K),
        gram.memoryLimit,
      );
    this.factorization = new BurerMonteiro(problem, {
      seed,
      tolerance: Math.max(tolerance, MIN_TOLERANCE),
      rank,
    });
    this.bounds = new RunningBounds(problem, this.factorization.lowerPoint, this.factorization.lower);
    this.dimension = this.certifies ? n * n : n * this.bounds.lower.point.factor.columns;
    this.fingerprint = problemFingerprint(problem);
    this.state = stateOf({
      index: whole(),
      /** Of the next step. */
      phase: word("burer-monteiro", primalDualPhases),
      /** Of the dual iteration; a restored solver's is that of the one that was saved. */
      seed: whole(seed),
      bounds: part(this.bounds),
      schedule: part(this.schedule),
      factorization: inner(this.factorization),
      dual: madePart((at) => new DualIteration(problem, at.number("seed"))),
      outcome: outcome(),
    });
  }

  /**
   * The best feasible Q with Tr(D Q): n × n by rows, or where no certificate is made the factor F of `bestPoint` alone.
   * Made when it is read.
   */
  get best(): Point {
    return this.bounds.lower.asPoint(this.certifies);
  }

  /** As `best`: no other point of the iteration is feasible. */
  get last(): Point {
    return this.best;
  }

  /** The best feasible Q = F Fᵀ + diag(diagonal) + constant 1 1ᵀ/n; Q ≥ 0, and F too where the factorisation found it. */
  get bestPoint(): FactoredPoint {
    return this.bounds.lower.point;
  }

  /** A copy of the S that proves `details.upper` (see `upperBounds`), n × n; undefined before the first certificate. */
  multiplier(): DenseMatrix | undefined {
    return this.bounds.certificate.multiplier;
  }

  /** A copy of Z, n × n, whose zeros are exact: for graphs; undefined before the dual iteration. */
  nonnegativePoint(): DenseMatrix | undefined {
    return this.state.dual?.nonnegativePoint();
  }

  /** Whether it has come to an end. */
  get isOver(): boolean {
    return this.state.outcome !== undefined;
  }

  /**
   * Certifies the present S at once, for who stops before the end and wants a gap: it takes as long as one
   * `symmetricEigenvalues` of n × n. Before there is an S, that of the multipliers so far is taken.
   *
   * @returns the certified gap
   * @throws CurvatureError ERR_MEMORY where no certificate was planned and the memory for one is not allowed
   */
  certifyNow(): number {
    return atOnce(this.certifying());
  }

  /** `certifyNow`, in steps. */
  *certifying(): Steps<number> {
    const { problem, bounds } = this;
    const { gram, clusters: K } = problem;
    if (isClosed(problem)) bounds.close(closedBounds(problem).upper);
    else {
      checkMemory(
        "PrimalDual",
        `a certificate for ${gram.n} points`,
        primalDualBytes(gram.n, K),
        gram.memoryLimit,
      );
      yield* bounds.certificate.bound(this.state.dual ?? this.guessed());
    }
    return bounds.gap;
  }

  step(): Iteration<PrimalDualDetails> {
    if (this.state.outcome !== undefined) return this.iteration(this.state.phase);
    this.state.index++;
    const { phase } = this.state;
    if (isClosed(this.problem)) this.close();
    else if (phase === "burer-monteiro") this.factorStep();
    else this.dualStep(phase, this.state.dual ?? this.guessed());
    return this.iteration(phase);
  }

  private close(): void {
    this.bounds.close(closedBounds(this.problem).upper);
    this.state.outcome = onlyOneFeasible;
  }

  private factorStep(): void {
    const { factorization } = this;
    const { dual } = this.state;
    const { lower } = this.bounds;
    const { outcome } = factorization.step();
    lower.offer(factorization.lowerPoint, factorization.lower);
    if (outcome === undefined) return;
    if (!this.certifies) this.state.outcome = uncertified(outcome, this.options.certify);
    else if (dual === undefined) this.state.phase = "dual-guess";
    else {
      this.schedule.tightened(lower.value);
      this.decide(dual);
    }
  }

  private guessed(): DualIteration {
    const { problem, factorization } = this;
    const dual = new DualIteration(problem, this.state.seed);
    dual.guess(factorization.lowerPoint, factorization.multipliers);
    return dual;
  }

  private dualStep(phase: DualPhase, dual: DualIteration): void {
    this.state.dual = dual;
    const next = dualPhaseStep(phase, dual, this.bounds, this.options.tolerance);
    if (next === undefined) this.decide(dual);
    else this.state.phase = next;
  }

  /** What comes next: the end, the factor again, a tail, or more steps. */
  private decide(dual: DualIteration): void {
    const { gap, upper, lower } = this.bounds;
    const { objective } = this.bounds.state;
    const { tolerance } = this.options;
    if (gap <= tolerance) {
      this.state.outcome = certified(gap, tolerance);
      return;
    }
    this.state.phase = "admm";
    const decision = this.schedule.decide({
      upper,
      lower: lower.value,
      objective,
      allowed: tolerance * Math.abs(objective),
      steps: dual.splittingSteps,
      isTailReady: dual.isTailReady,
    });
    if (decision === "tighten") {
      this.factorization.tighten();
      this.state.phase = "burer-monteiro";
    } else if (decision === "tail") dual.beginTail();
    else if (decision === "stalled") this.state.outcome = stoodStill(gap, PATIENCE * CHECK_EVERY, tolerance);
  }

  private iteration(phase: PrimalDualPhase): Iteration<PrimalDualDetails> {
    const { bounds } = this;
    const { index, dual, outcome } = this.state;
    const { gap, estimatedGap, certificate } = bounds;
    const { checks } = bounds.state;
    const lower = bounds.lower.value;
    return {
      index,
      value: lower,
      gradientNorm: undefined,
      stepLength: undefined,
      evaluations: index,
      gradientEvaluations: 0,
      monitoringEvaluations: checks,
      passes: index,
      phase,
      details: {
        phase,
        ...{ gap, estimatedGap, lower },
        upper: certificate.upper,
        rank: dual?.rank,
        penalty: dual === undefined ? 0 : dual.rho,
      },
      outcome,
    };
  }

  protected override restored(): void {
    if (this.state.outcome?.status === "converged" && !isClosed(this.problem)) this.reopen();
  }

  /** The end at a larger tolerance than this one's is none. */
  private reopen(): void {
    const { factorization, bounds, options } = this;
    const { dual } = this.state;
    const isOver = dual === undefined ? factorization.isOver : bounds.gap <= options.tolerance;
    if (isOver) return;
    this.state.outcome = undefined;
    if (dual !== undefined) this.decide(dual);
  }
}

type DualPhase = Exclude<PrimalDualPhase, "burer-monteiro">;

/** Takes the phase's step. @returns the phase of the next one, or undefined where that is to be decided */
function dualPhaseStep(
  phase: DualPhase,
  dual: DualIteration,
  bounds: RunningBounds,
  tolerance: number,
): DualPhase | undefined {
  switch (phase) {
    case "dual-guess":
      return "dual-gradient";
    case "dual-gradient":
      dual.gradientStep();
      return dual.steps >= GRADIENT_STEPS ? "upper-estimate" : phase;
    case "admm":
      if (!dual.isSplitting) dual.beginSplitting();
      dual.splittingStep();
      return dual.splittingSteps % CHECK_EVERY === 0 ? "upper-estimate" : phase;
    case "upper-estimate":
      return bounds.estimateBoth(dual, tolerance) ? "certificate" : undefined;
    case "certificate":
      return bounds.certify(dual) ? undefined : phase;
  }
}

const stoodStill = (gap: number, steps: number, tolerance: number): Outcome => ({
  status: "stalled",
  message: `The certified relative gap has stood at ${gap.toPrecision(3)} for ${steps} steps; the tolerance is ${tolerance}.`,
});

/** The end of the factorisation, where nothing comes after it. */
const uncertified = ({ status, message }: Outcome, certify: boolean | "auto"): Outcome => ({
  status,
  message: `${message} No certificate is made${certify === false ? ", since none was asked for" : ""}.`,
});
