/**
 * NOMAD to a certified gap, by the shortest way that was found: a factorisation for the lower bound, whose multipliers
 * begin the dual iteration for the upper one.
 *
 *   1 burer-monteiro   Y ≥ 0 and the multipliers of Q1 = 1 and Tr Q = K; Y, repaired, is the lower bound LB
 *   2 dual-guess       S from the multipliers
 *   3 dual-gradient    ten accelerated steps on S
 *   4 admm             from W = Q̂ − S/ρ; every tenth step Tr(D X), and LB from X repaired
 *   5 upper-estimate   every tenth step of 3 and 4: UB by Ritz values, without rigour
 *   6 certificate      where the estimated gap is at most 0.97 tolerance, or all eigenpairs are at hand anyway: UB by all
 *                      eigenvalues, rigorous. It has converged when the gap (UB − LB)/|UB| is at most the tolerance
 *   7 burer-monteiro   again, more tightly, where after 20 steps of 4 Tr(D X) − LB > max(0.4 tolerance |Tr(D X)|, half of
 *                      UB − LB); at most twice, and twice only if the first time gained more than 20 % of Tr(D X) − LB
 *   8 tail             where UB is settled and within 0.25 tolerance of Tr(D X), LB is not within 0.6, and 7 gained less than 30 %:
 *                      ρ is 30 times as large for 200 steps of 4, so that LB comes from X; then as it was, for 200 at least.
 *                      For optima that are not completely positive, which 1 cannot reach
 *
 * The parts are in `burer-monteiro.ts`, `dual/` and `bounds/`. Tepper, Sengupta, Chklovskii: J. Mach. Learn. Res. 19
 * (2018) have the problem and the factorisation; the dual start, its use of few eigenpairs and the bounds are this
 * library's. Of `Admm` it keeps the iteration, and takes a tenth of its time where the rank is low.
 *
 * Per step of 3 and 4 some 6 k n² operations, k = 1.3 times the rank (few hundred at most), or 9 n³ above n/4; 4/3 n³ per
 * certificate. Memory: see `autoBytes`.
 */
import {
  checkOptions,
  type DenseMatrix,
  either,
  flag,
  integerFrom,
  nonNegative,
  oneOf,
  optional,
} from "@curvature/linalg";
import {
  type Iteration,
  type Outcome,
  openSnapshot,
  type Point,
  type Snapshot,
  type SnapshotReader,
  type Solver,
} from "@curvature/optim-core";
import { type FactoredPoint, factoredValue } from "../bounds/repair.js";
import { upperBounds } from "../bounds/upper.js";
import { checkMemory } from "../memory.js";
import { checkProblem, isClosed, type NomadProblem, problemFingerprint } from "../problem.js";
import { BurerMonteiro } from "./burer-monteiro.js";
import { BestPoint } from "./dual/best-point.js";
import { DualIteration } from "./dual/dual-iteration.js";

export interface AutoOptions {
  /** Certified relative gap at which it has converged; 0 never. Default 1e-3. */
  readonly tolerance?: number;
  /** r, the columns of the factor. Default 4 K. */
  readonly rank?: number | undefined;
  /** Of the factor's start and of the eigensolver. Default 0. */
  readonly seed?: number;
  /**
   * Whether to go on to an upper bound once the factorisation has its lower one. Default "auto": not for more than 3000
   * points with K > 64, where a step of the dual iteration takes many seconds.
   */
  readonly certify?: boolean | "auto";
}

type Settings = Readonly<Required<AutoOptions>>;

export const autoDefaults: Settings = Object.freeze({
  tolerance: 1e-3,
  rank: undefined,
  seed: 0,
  certify: "auto",
});

export type AutoPhase =
  | "burer-monteiro"
  | "dual-guess"
  | "dual-gradient"
  | "admm"
  | "upper-estimate"
  | "certificate";

export interface AutoDetails {
  /** What this step did. */
  readonly phase: AutoPhase;
  /** Certified relative gap, (upper − lower)/|upper|; Infinity before the first certificate. */
  readonly gap: number;
  /** The gap by the latest estimate of the upper bound; Infinity before the first. */
  readonly estimatedGap: number;
  readonly lower: number;
  readonly upper: number;
  /** Of X − E in the dual iteration; columns of the factor before it. */
  readonly rank: number;
  /** ρ in units of ‖D‖_F/√K; 0 before the dual iteration. */
  readonly penalty: number;
}

const VERSION = 1;
const GRADIENT_STEPS = 10;
const CHECK_EVERY = 10;
/** Steps of the ADMM before the factor may be tightened. */
const SETTLED = 20;
const TIGHTENINGS = 2;
/** UB is settled when in so many checks it fell by less than this share of UB − LB. */
const SETTLED_CHECKS = 5;
const SETTLED_SHARE = 0.1;
/** Estimates that may stand still, to a twentieth of the gap, before it ends as stalled. */
const PATIENCE = 200;
/** Above so many points with so large a K the certificate is made on request only. */
const LARGE = { n: 3000, clusters: 64 };

/** Bytes that the dual iteration and its certificate take for n points, D included: a dozen n × n arrays at the worst. */
export function autoBytes(n: number, rank: number): number {
  return 68 * n * n + 8 * 14 * n * rank;
}

export class Auto implements Solver<AutoDetails> {
  readonly name = "auto";
  readonly dimension: number;
  readonly fingerprint: string;
  readonly options: Settings;
  /** Whether there will be an upper bound. */
  readonly certifies: boolean;
  private readonly factorization: BurerMonteiro;
  private readonly bestOf: BestPoint;
  private dual: DualIteration | undefined;
  private phase: AutoPhase = "burer-monteiro";
  private upper = Number.POSITIVE_INFINITY;
  /** The S of `upper`, n × n, in a unit of its own; nothing before there is one. */
  private proof: Float32Array = new Float32Array(0);
  private proofUnit = 1;
  /** Of the dual iteration; a restored solver's is that of the one that was saved. */
  private seed: number;
  private estimate = Number.POSITIVE_INFINITY;
  /** Tr(D X) at the latest check. */
  private objective = Number.NaN;
  private tightenings = 0;
  /** UB at the latest checks, the oldest first. */
  private readonly recent = new Float64Array(SETTLED_CHECKS).fill(Number.NaN);
  /** LB before the latest tightening, and the share of Tr(D X) − LB that it gained. */
  private before = Number.NaN;
  private gained = 0;
  private least = Number.POSITIVE_INFINITY;
  private patience = PATIENCE;
  private index = 0;
  private checks = 0;
  private outcome: Outcome | undefined;

  /** @throws CurvatureError ERR_OPTION, ERR_ARGUMENT, ERR_MEMORY */
  constructor(
    private readonly problem: NomadProblem,
    options?: AutoOptions,
  ) {
    checkProblem("Auto", problem);
    this.options = checkOptions<Settings>("Auto", options, autoDefaults, {
      tolerance: nonNegative,
      rank: optional(integerFrom(1)),
      seed: integerFrom(0),
      certify: either(flag, oneOf("auto")),
    });
    const { gram, clusters: K } = problem;
    const { n } = gram;
    const { certify, rank, seed, tolerance } = this.options;
    this.certifies = certify === "auto" ? !(n > LARGE.n && K > LARGE.clusters) : certify;
    if (this.certifies)
      checkMemory("Auto", `a certified gap for ${n} points`, autoBytes(n, rank ?? 4 * K), gram.memoryLimit);
    this.seed = seed;
    this.factorization = new BurerMonteiro(problem, {
      seed,
      tolerance: Math.max(tolerance, 1e-6),
      ...(rank === undefined ? {} : { rank }),
    });
    this.bestOf = new BestPoint(this.factorization.lowerPoint, this.factorization.lower);
    this.dimension = this.certifies ? n * n : n * this.bestOf.point.factor.columns;
    this.fingerprint = problemFingerprint(problem);
  }

  /**
   * The best feasible Q with Tr(D Q): n × n by rows, or where no certificate is made the factor F of `bestPoint` alone.
   * Made when it is asked for.
   */
  get best(): Point {
    return this.bestOf.asPoint(this.certifies);
  }

  /** As `best`: no other point of the iteration is feasible. */
  get last(): Point {
    return this.best;
  }

  /** The best feasible Q = F Fᵀ + diag(diagonal) + constant 1 1ᵀ/n; Q ≥ 0, and F too where the factorisation found it. */
  get bestPoint(): FactoredPoint {
    return this.bestOf.point;
  }

  /** A copy of the S that proves `details.upper` (see `upperBounds`), n × n; undefined before the first certificate. */
  multiplier(): DenseMatrix | undefined {
    const { n } = this.problem.gram;
    if (this.proof.length === 0) return undefined;
    return { rows: n, columns: n, data: Float64Array.from(this.proof, (s) => s * this.proofUnit) };
  }

  /** A copy of Z, n × n, whose zeros are exact: for graphs; undefined before the dual iteration. */
  nonnegativePoint(): DenseMatrix | undefined {
    return this.dual?.nonnegativePoint();
  }

  /**
   * Certifies the present S at once, for who stops before the end: afterwards `details.gap` of the next step, and the
   * result, are finite. Before there is an S, that of the multipliers is taken. @returns the certified gap
   */
  certifyNow(): number {
    if (isClosed(this.problem)) this.upper = this.bestOf.value;
    else this.bound(this.dual ?? this.guessed());
    return this.gap;
  }

  step(): Iteration<AutoDetails> {
    if (this.outcome !== undefined) return this.iteration(this.phase);
    this.index++;
    const { phase } = this;
    if (isClosed(this.problem)) this.close();
    else if (phase === "burer-monteiro") this.factorStep();
    else this.dualStep(this.dual ?? this.guessed());
    return this.iteration(phase);
  }

  private close(): void {
    this.upper = this.bestOf.value;
    this.estimate = this.upper;
    this.outcome = { status: "converged", message: "Only one point is feasible; it is optimal." };
  }

  private factorStep(): void {
    const { factorization, bestOf, dual } = this;
    const { outcome } = factorization.step();
    bestOf.offer(factorization.lowerPoint, factorization.lower);
    if (outcome === undefined) return;
    if (!this.certifies)
      this.outcome = {
        status: outcome.status,
        message: `${outcome.message} No certificate was asked for.`,
      };
    else if (dual === undefined) this.phase = "dual-guess";
    else {
      this.gained = (bestOf.value - this.before) / (this.objective - this.before);
      this.phase = "admm";
      this.judge(dual);
    }
  }

  private guessed(): DualIteration {
    const { problem, factorization } = this;
    const dual = new DualIteration(problem, this.seed);
    dual.guess(factorization.lowerPoint, factorization.multipliers);
    return dual;
  }

  private dualStep(dual: DualIteration): void {
    if (this.phase === "dual-guess") {
      this.dual = dual;
      this.phase = "dual-gradient";
    } else if (this.phase === "dual-gradient") {
      dual.gradientStep();
      if (dual.steps >= GRADIENT_STEPS) this.phase = "upper-estimate";
    } else if (this.phase === "admm") {
      if (!dual.isSplitting) dual.beginSplitting();
      dual.splittingStep();
      if (dual.splittingSteps % CHECK_EVERY === 0) this.phase = "upper-estimate";
    } else if (this.phase === "upper-estimate") this.look(dual);
    else this.certify(dual);
  }

  /** Both bounds, the upper one by estimate. */
  private look(dual: DualIteration): void {
    const { bestOf, problem, options } = this;
    if (dual.isSplitting) {
      this.objective = dual.objective();
      const point = dual.repairedPoint();
      bestOf.offer(point, factoredValue(problem.gram, point));
    }
    const estimate = dual.estimateUpper();
    if (estimate !== undefined) this.estimate = estimate;
    if (estimate === undefined || this.estimatedGap <= 0.97 * options.tolerance) this.phase = "certificate";
    else this.judge(dual);
  }

  private certify(dual: DualIteration): void {
    this.estimate = this.bound(dual);
    this.checks++;
    this.judge(dual);
  }

  /** The rigorous upper bound of the present S. */
  private bound(dual: DualIteration): number {
    const { n } = this.problem.gram;
    const S = dual.multiplier();
    const data = Float64Array.from(S, (s) => s * dual.unit);
    const { fantope } = upperBounds(this.problem, { rows: n, columns: n, data });
    if (fantope < this.upper) {
      this.upper = fantope;
      this.proof = S;
      this.proofUnit = dual.unit;
    }
    return fantope;
  }

  /** What comes next: the end, the factor again, a tail, or more steps. */
  private judge(dual: DualIteration): void {
    const { tolerance } = this.options;
    this.phase = "admm";
    if (this.gap <= tolerance) {
      this.outcome = {
        status: "converged",
        message: `The certified relative gap ${this.gap.toPrecision(3)} is at most ${tolerance}.`,
      };
      return;
    }
    if (dual.splittingSteps < SETTLED) return;
    const upper = Math.min(this.upper, this.estimate);
    const missing = this.objective - this.bestOf.value;
    const allowed = tolerance * Math.abs(this.objective);
    const again = this.tightenings === 0 || (this.tightenings < TIGHTENINGS && this.gained > 0.2);
    if (again && missing > Math.max(0.4 * allowed, 0.5 * (upper - this.bestOf.value))) {
      this.tightenings++;
      this.before = this.bestOf.value;
      this.factorization.tighten();
      this.phase = "burer-monteiro";
    } else if (
      dual.isTailReady &&
      this.tightenings > 0 &&
      this.gained < 0.3 &&
      this.recent[0] - upper < SETTLED_SHARE * (upper - this.bestOf.value) &&
      upper - this.objective < 0.25 * allowed &&
      missing > 0.6 * allowed
    ) {
      dual.beginTail();
      this.recent.fill(Number.NaN);
    } else this.wait();
    this.recent.copyWithin(0, 1);
    this.recent[SETTLED_CHECKS - 1] = upper;
  }

  /** Ends as stalled when the gap has stood still for long. */
  private wait(): void {
    const gap = Math.min(this.gap, this.estimatedGap);
    if (gap < 0.95 * this.least) {
      this.least = gap;
      this.patience = PATIENCE;
    } else if (--this.patience === 0)
      this.outcome = {
        status: "stalled",
        message: `The relative gap has stood at ${this.gap.toPrecision(3)} for ${PATIENCE * CHECK_EVERY} steps; the tolerance is ${this.options.tolerance}.`,
      };
  }

  private get gap(): number {
    return relativeGap(this.upper, this.bestOf.value);
  }

  private get estimatedGap(): number {
    return relativeGap(Math.min(this.estimate, this.upper), this.bestOf.value);
  }

  private iteration(phase: AutoPhase): Iteration<AutoDetails> {
    const { bestOf, index, dual } = this;
    return {
      index,
      value: bestOf.value,
      gradientNorm: undefined,
      stepLength: undefined,
      evaluations: index,
      gradientEvaluations: 0,
      monitoringEvaluations: this.checks,
      passes: index,
      phase,
      details: {
        phase,
        gap: this.gap,
        estimatedGap: this.estimatedGap,
        lower: bestOf.value,
        upper: this.upper,
        rank: dual === undefined ? bestOf.point.factor.columns : dual.rank,
        penalty: dual === undefined ? 0 : dual.rho,
      },
      outcome: this.outcome,
    };
  }

  save(): Snapshot {
    const { phase, upper, estimate, objective, before, gained, least, proofUnit } = this;
    const { tightenings, patience, index, checks, seed } = this;
    return {
      solver: this.name,
      version: VERSION,
      state: {
        ...{ phase, upper, estimate, objective, before, gained, least, proofUnit },
        ...{ tightenings, patience, index, checks, seed },
        factorization: { ...this.factorization.save() },
        recent: this.recent.slice(),
        proof: this.proof.slice(),
        best: this.bestOf.save(),
        dual: this.dual === undefined ? null : this.dual.save(),
        outcome: this.outcome === undefined ? null : { ...this.outcome },
      },
    };
  }

  restore(snapshot: Snapshot): void {
    const state = openSnapshot(snapshot, this.name, VERSION);
    const phase = phaseIn(state);
    const takeBest = this.bestOf.read(state.object("best"), this.problem.gram.n);
    const dual = state.has("dual") ? new DualIteration(this.problem, this.seed) : undefined;
    const takeDual = dual?.read(state.object("dual"));
    const [upper, estimate, objective] = ["upper", "estimate", "objective"].map((key) => state.number(key));
    const [before, gained, least, proofUnit] = ["before", "gained", "least", "proofUnit"].map((key) =>
      state.number(key),
    );
    const [tightenings, patience] = ["tightenings", "patience"].map((key) => state.integer(key));
    const [index, checks, seed] = ["index", "checks", "seed"].map((key) => state.integer(key));
    const recent = state.float64("recent", SETTLED_CHECKS);
    const proof = state.float32("proof");
    state.float32("proof", proof.length === 0 ? 0 : this.problem.gram.n ** 2);
    const outcome = state.outcome("outcome");
    this.factorization.restore(state.snapshot("factorization"));
    this.recent.set(recent);
    this.proof = proof.slice();
    takeBest();
    takeDual?.();
    this.dual = dual;
    this.phase = phase;
    [this.upper, this.estimate, this.objective] = [upper, estimate, objective];
    [this.before, this.gained, this.least, this.proofUnit] = [before, gained, least, proofUnit];
    [this.tightenings, this.patience] = [tightenings, patience];
    [this.index, this.checks, this.seed] = [index, checks, seed];
    this.outcome = outcome;
  }
}

const phases: readonly AutoPhase[] = [
  "burer-monteiro",
  "dual-guess",
  "dual-gradient",
  "admm",
  "upper-estimate",
  "certificate",
];

/** @throws CurvatureError ERR_SNAPSHOT */
function phaseIn(state: SnapshotReader): AutoPhase {
  const name = state.text("phase");
  return phases.find((phase) => phase === name) ?? phases[state.integer("phase", 0, phases.length - 1)];
}

function relativeGap(upper: number, lower: number): number {
  if (upper === Number.POSITIVE_INFINITY) return upper;
  return Math.max(0, upper - lower) / Math.max(Math.abs(upper), 1e-300);
}
