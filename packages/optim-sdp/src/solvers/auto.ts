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
 * certificate, in parts of 50 ms. Steps of 4 and 5 are not cut: they take some 100 and 200 ms at n = 1000 and rank 35. Memory: see `autoBytes`.
 */
import type { DenseMatrix } from "@curvature/linalg";
import {
  type Iteration,
  type Outcome,
  openSnapshot,
  type Point,
  type Snapshot,
  type Solver,
} from "@curvature/optim-core";
import type { FactoredPoint } from "../bounds/factored-point.js";
import { checkMemory } from "../memory.js";
import {
  checkProblem,
  isClosed,
  type NomadProblem,
  onlyOneFeasible,
  problemFingerprint,
} from "../problem.js";
import {
  type AutoDetails,
  type AutoOptions,
  type AutoPhase,
  type AutoSettings,
  autoBytes,
  autoPhases,
  autoSettings,
  reasonForNone,
} from "./auto-options.js";
import { BurerMonteiro } from "./burer-monteiro.js";
import { DualIteration } from "./dual/dual-iteration.js";
import { CHECK_EVERY, type DualPhase, dualPhaseStep } from "./dual/dual-phases.js";
import { RunningBounds } from "./dual/running-bounds.js";
import { PATIENCE, Schedule } from "./dual/schedule.js";
import { certified, stoodStill, uncertified } from "./outcomes.js";

const VERSION = 1;
/** The factorisation's own tolerance where the gap's is smaller, or 0. */
const LEAST_TOLERANCE = 1e-6;

export class Auto implements Solver<AutoDetails> {
  readonly name = "auto";
  readonly dimension: number;
  readonly fingerprint: string;
  readonly options: AutoSettings;
  /** Whether there will be an upper bound. */
  readonly certifies: boolean;
  private readonly factorization: BurerMonteiro;
  private readonly bounds: RunningBounds;
  private readonly schedule = new Schedule();
  private dual: DualIteration | undefined;
  /** Of the dual iteration; a restored solver's is that of the one that was saved. */
  private seed: number;
  /** Of the next step. */
  private phase: AutoPhase = "burer-monteiro";
  private index = 0;
  private outcome: Outcome | undefined;

  /** @throws CurvatureError ERR_OPTION, ERR_ARGUMENT, ERR_MEMORY */
  constructor(
    private readonly problem: NomadProblem,
    options?: AutoOptions,
  ) {
    checkProblem("Auto", problem);
    this.options = autoSettings(options);
    const { gram, clusters: K } = problem;
    const { n } = gram;
    const { certify, rank, seed, tolerance } = this.options;
    this.certifies = reasonForNone(certify, n, K, gram.memoryLimit) === undefined;
    if (this.certifies)
      checkMemory(
        "Auto",
        `a certified gap for ${n} points (certify: false does without)`,
        autoBytes(n, K),
        gram.memoryLimit,
      );
    this.seed = seed;
    this.factorization = new BurerMonteiro(problem, {
      seed,
      tolerance: Math.max(tolerance, LEAST_TOLERANCE),
      ...(rank === undefined ? {} : { rank }),
    });
    this.bounds = new RunningBounds(problem, this.factorization.lowerPoint, this.factorization.lower);
    this.dimension = this.certifies ? n * n : n * this.bounds.lower.point.factor.columns;
    this.fingerprint = problemFingerprint(problem);
  }

  /**
   * The best feasible Q with Tr(D Q): n × n by rows, or where no certificate is made the factor F of `bestPoint` alone.
   * Made when it is asked for.
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
    return this.dual?.nonnegativePoint();
  }

  /** Whether it has come to an end. */
  get isOver(): boolean {
    return this.outcome !== undefined;
  }

  /**
   * Certifies the present S at once, for who stops before the end and wants a gap: it takes as long as one
   * `symmetricEigenvalues` of n × n. Before there is an S, that of the multipliers so far is taken.
   *
   * @returns the certified gap
   * @throws CurvatureError ERR_MEMORY where no certificate was planned and the memory for one is not allowed
   */
  certifyNow(): number {
    const { problem, bounds } = this;
    const { gram, clusters: K } = problem;
    if (isClosed(problem)) bounds.close();
    else {
      checkMemory("Auto", `a certificate for ${gram.n} points`, autoBytes(gram.n, K), gram.memoryLimit);
      bounds.certificate.bound(this.dual ?? this.guessed());
    }
    return bounds.gap;
  }

  step(): Iteration<AutoDetails> {
    if (this.outcome !== undefined) return this.iteration(this.phase);
    this.index++;
    const { phase } = this;
    if (isClosed(this.problem)) this.close();
    else if (phase === "burer-monteiro") this.factorStep();
    else this.dualStep(phase, this.dual ?? this.guessed());
    return this.iteration(phase);
  }

  private close(): void {
    this.bounds.close();
    this.outcome = onlyOneFeasible;
  }

  private factorStep(): void {
    const { factorization, dual } = this;
    const { lower } = this.bounds;
    const { outcome } = factorization.step();
    lower.offer(factorization.lowerPoint, factorization.lower);
    if (outcome === undefined) return;
    if (!this.certifies) this.outcome = uncertified(outcome, this.options.certify);
    else if (dual === undefined) this.phase = "dual-guess";
    else {
      this.schedule.tightened(lower.value);
      this.decide(dual);
    }
  }

  private guessed(): DualIteration {
    const { problem, factorization } = this;
    const dual = new DualIteration(problem, this.seed);
    dual.guess(factorization.lowerPoint, factorization.multipliers);
    return dual;
  }

  private dualStep(phase: DualPhase, dual: DualIteration): void {
    this.dual = dual;
    const next = dualPhaseStep(phase, dual, this.bounds, this.options.tolerance);
    if (next === undefined) this.decide(dual);
    else this.phase = next;
  }

  /** What comes next: the end, the factor again, a tail, or more steps. */
  private decide(dual: DualIteration): void {
    const { gap, upper, lower, objective } = this.bounds;
    const { tolerance } = this.options;
    if (gap <= tolerance) {
      this.outcome = certified(gap, tolerance);
      return;
    }
    this.phase = "admm";
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
      this.phase = "burer-monteiro";
    } else if (decision === "tail") dual.beginTail();
    else if (decision === "stalled") this.outcome = stoodStill(gap, PATIENCE * CHECK_EVERY, tolerance);
  }

  private iteration(phase: AutoPhase): Iteration<AutoDetails> {
    const { bounds, index, dual } = this;
    const { gap, estimatedGap, checks, certificate } = bounds;
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
      outcome: this.outcome,
    };
  }

  save(): Snapshot {
    const { phase, index, seed } = this;
    return {
      solver: this.name,
      version: VERSION,
      state: {
        phase: autoPhases.indexOf(phase),
        ...{ index, seed },
        factorization: { ...this.factorization.save() },
        ...this.bounds.save(),
        schedule: this.schedule.save(),
        dual: this.dual === undefined ? null : this.dual.save(),
        outcome: this.outcome === undefined ? null : { ...this.outcome },
      },
    };
  }

  restore(snapshot: Snapshot): void {
    const state = openSnapshot(snapshot, this.name, VERSION);
    const phase = autoPhases[state.integer("phase", 0, autoPhases.length - 1)];
    const takeBounds = this.bounds.read(state);
    const takeSchedule = this.schedule.read(state.object("schedule"));
    const index = state.integer("index");
    const seed = state.integer("seed");
    const dual = state.has("dual") ? new DualIteration(this.problem, seed) : undefined;
    const takeDual = dual?.read(state.object("dual"));
    const outcome = state.outcome("outcome");
    this.factorization.restore(state.snapshot("factorization"));
    takeBounds();
    takeSchedule();
    takeDual?.();
    this.dual = dual;
    this.phase = phase;
    [this.index, this.seed] = [index, seed];
    this.outcome = outcome;
    if (outcome?.status === "converged" && !isClosed(this.problem)) this.reopen();
  }

  /** The end at a larger tolerance than this one's is none. */
  private reopen(): void {
    const { dual, factorization, bounds, options } = this;
    const isOver = dual === undefined ? factorization.isOver : bounds.gap <= options.tolerance;
    if (isOver) return;
    this.outcome = undefined;
    if (dual !== undefined) this.decide(dual);
  }
}
