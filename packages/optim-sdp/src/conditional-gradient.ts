/**
 * Conditional gradients for a concave f over a spectraplex: maximise f(Z)  s.t.  Z ⪰ 0, Tr Z = s, Z b = 0.
 *
 * Start       Z_0 = 0, which is not feasible; the first step has α = 1 and overwrites it
 * Oracle      H = argmax Tr(∇f(Z_t) H) over the set, or over the Fantope {Z ⪯ I too}: see `spectraplex-oracle.ts`
 * Iteration   Z ← (1 − α) Z + α H,  α = 2/(t + 2)
 * Gap         g_t = Tr(∇f(Z_t) H) − Tr(∇f(Z_t) Z_t) ≥ f* − f(Z_t)
 *
 * | symbol  | variable             | shape            |
 * |---------|----------------------|------------------|
 * | Z       | Z                    | n × n            |
 * | ∇f(Z) v | problem.multiply     | n                |
 * | s, b    | problem.trace, orthogonalTo | real, n    |
 * | t       | index − 1            |                  |
 *
 * Tepper, Sengupta, Chklovskii, J. Mach. Learn. Res. 19 (2018), Algorithm 1, f* − f(Z_t) ≤ 8 C_f/(t + 2); after Hazan,
 * Sparse approximate solutions to semidefinite programs, LATIN 2008; the gap is Jaggi's (ICML 2013). Differs: its header
 * says minimise where it maximises; the oracle's v has a relative residual of 1/(t + 2), and is computed to 1e-8 before the
 * gap may end the run. The Fantope is for f whose maximisers are known to have eigenvalues of at most 1.
 */
import { checkOptions, type DenseMatrix, integerFrom, nonNegative, oneOf, zeros } from "@curvature/linalg";
import {
  fingerprintOf,
  type Iteration,
  type Outcome,
  openSnapshot,
  type Point,
  type Snapshot,
  type Solver,
} from "@curvature/optim-core";
import { SpectraplexOracle, type Vertex } from "./spectraplex-oracle.js";
import { checkSpectraplex, type SpectraplexProblem } from "./spectraplex-problem.js";

export interface ConditionalGradientOptions {
  /** Converged once g_t ≤ tolerance |f(Z_t)|; 0 never. Default 1e-4. */
  readonly tolerance?: number;
  /** Which set the oracle looks at. Default "spectraplex". */
  readonly set?: "spectraplex" | "fantope";
  /** Of the first Lanczos start. Default 0. */
  readonly seed?: number;
}

export const conditionalGradientDefaults: Readonly<Required<ConditionalGradientOptions>> = Object.freeze({
  tolerance: 1e-4,
  set: "spectraplex",
  seed: 0,
});

export interface ConditionalGradientDetails {
  /** g_t of the point before the step; Infinity for Z_0. */
  readonly gap: number;
  /** min_t f(Z_t) + g_t: above f*, as far as the eigenvalues are right. */
  readonly upper: number;
  /** Products with ∇f so far. */
  readonly products: number;
}

const VERSION = 1;
/** Relative residual of v before a gap counts as converged. */
const STRICT = 1e-8;

export class ConditionalGradient implements Solver<ConditionalGradientDetails> {
  readonly name = "conditional-gradient";
  readonly dimension: number;
  readonly fingerprint: string;
  readonly options: Readonly<Required<ConditionalGradientOptions>>;
  private readonly oracle: SpectraplexOracle;
  private Z: DenseMatrix;
  private trial: DenseMatrix;
  private readonly bestZ: DenseMatrix;
  private bestValue: number | undefined;
  private index = 0;
  private value = Number.NaN;
  private gap = Number.POSITIVE_INFINITY;
  private upper = Number.POSITIVE_INFINITY;
  /** Whether the problem is at Z. */
  private isThere = false;
  private outcome: Outcome | undefined;

  /** @throws CurvatureError ERR_OPTION, ERR_ARGUMENT */
  constructor(
    private readonly problem: SpectraplexProblem,
    options?: ConditionalGradientOptions,
  ) {
    this.options = checkOptions("ConditionalGradient", options, conditionalGradientDefaults, {
      tolerance: nonNegative,
      set: oneOf("spectraplex", "fantope"),
      seed: integerFrom(0),
    });
    const m = checkSpectraplex(problem, this.options.set);
    const { size: n } = problem;
    this.dimension = n * n;
    this.fingerprint = problem.fingerprint ?? fingerprintOf("spectraplex", n, problem.trace);
    this.oracle = new SpectraplexOracle(problem, this.options.set, m, STRICT, this.options.seed);
    this.Z = zeros(n, n);
    this.trial = zeros(n, n);
    this.bestZ = zeros(n, n);
  }

  /** The feasible Z of the largest f so far, n × n by rows; zeros before the first step. */
  get best(): Point {
    return { x: this.bestZ.data, value: this.bestValue };
  }

  get last(): Point {
    return { x: this.Z.data, value: Number.isFinite(this.value) ? this.value : undefined };
  }

  step(): Iteration<ConditionalGradientDetails> {
    const { problem, oracle } = this;
    if (this.outcome !== undefined) return this.iteration(undefined);
    if (!this.isThere) {
      problem.at(this.Z);
      this.isThere = true;
    }
    const randomBefore = oracle.random.save();
    let vertex = oracle.ask(1 / (this.index + 2));
    const inner = this.index === 0 ? Number.NEGATIVE_INFINITY : problem.inner();
    const allowed = this.options.tolerance * Math.abs(this.value);
    if (vertex.value - inner <= allowed) vertex = oracle.ask(STRICT);
    const gap = vertex.value - inner;
    const alpha = 2 / (this.index + 2);
    const done = gap <= allowed;
    if (!done) {
      this.move(alpha, vertex);
      this.isThere = false;
      let value: number;
      try {
        value = problem.at(this.trial);
      } catch (error) {
        oracle.random.restore(randomBefore); // so that the same step can be made again
        throw error;
      }
      if (!Number.isFinite(value) || !Number.isFinite(vertex.value)) {
        this.index++;
        this.outcome = {
          status: "diverged",
          message: `The value is ${value} and the oracle's ${vertex.value} after step ${this.index}; the best point before it is kept.`,
        };
        return this.iteration(undefined);
      }
      [this.Z, this.trial] = [this.trial, this.Z];
      this.isThere = true;
      this.upper = Math.min(this.upper, this.index === 0 ? this.upper : this.value + gap);
      this.value = value;
      if (this.bestValue === undefined || value > this.bestValue) {
        this.bestValue = value;
        this.bestZ.data.set(this.Z.data);
      }
      oracle.keep(vertex);
    } else {
      this.upper = Math.min(this.upper, this.value + gap);
      this.outcome = {
        status: "converged",
        message: `The Frank-Wolfe gap ${gap.toPrecision(3)} is at most ${this.options.tolerance} of the value ${this.value.toPrecision(6)}.`,
      };
    }
    this.gap = gap;
    this.index++;
    return this.iteration(done ? undefined : alpha);
  }

  /** (1 − α) Z + α H into the trial point. */
  private move(alpha: number, vertex: Vertex): void {
    const Z = this.trial.data;
    const before = this.Z.data;
    for (let k = 0; k < Z.length; k++) Z[k] = (1 - alpha) * before[k];
    this.oracle.add(alpha, vertex, Z);
  }

  private iteration(stepLength: number | undefined): Iteration<ConditionalGradientDetails> {
    const { index, gap, upper } = this;
    const { products } = this.oracle;
    return {
      index,
      value: Number.isFinite(this.value) ? this.value : undefined,
      gradientNorm: undefined,
      stepLength,
      evaluations: index,
      gradientEvaluations: index,
      monitoringEvaluations: 0,
      passes: index,
      phase: "iteration",
      details: { gap, upper, products },
      outcome: this.outcome,
    };
  }

  save(): Snapshot {
    const { index, value, gap, upper } = this;
    return {
      solver: this.name,
      version: VERSION,
      state: {
        Z: this.Z.data.slice(),
        best: this.bestZ.data.slice(),
        bestValue: this.bestValue ?? null,
        ...this.oracle.save(),
        ...{ index, value, gap, upper },
        outcome: this.outcome === undefined ? null : { ...this.outcome },
      },
    };
  }

  restore(snapshot: Snapshot): void {
    const state = openSnapshot(snapshot, this.name, VERSION);
    const Z = state.float64("Z", this.dimension);
    const best = state.float64("best", this.dimension);
    const bestValue = state.optionalNumber("bestValue");
    const takeOracle = this.oracle.read(state);
    const [value, gap, upper] = ["value", "gap", "upper"].map((key) => state.number(key));
    const index = state.integer("index");
    const outcome = state.outcome("outcome");
    takeOracle();
    this.Z.data.set(Z);
    this.bestZ.data.set(best);
    this.bestValue = bestValue;
    [this.value, this.gap, this.upper] = [value, gap, upper];
    this.index = index;
    this.outcome = outcome;
    this.isThere = false;
  }
}
