/**
 * Conditional gradients for a concave f over a spectraplex: maximise f(Z)  s.t.  Z ⪰ 0, Tr Z = s, Z b = 0.
 *
 * Start       Z_0 = 0, which is not feasible; the first step has α = 1 and overwrites it
 * Oracle      H = argmax Tr(∇f(Z_t) H) over the set, or over the Fantope {Z ⪯ I too}:
 *               spectraplex  H = s v vᵀ, v the leading eigenvector of A = ∇f(Z_t) on the complement of b
 *               Fantope      H = Σ v_i v_iᵀ over the ⌊s⌋ leading ones, and s − ⌊s⌋ of the next
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
 * gap may end the run. The Fantope (Fillmore, Williams, Glasgow
 * Math. J. 12, 1971, 110-117) is for f whose maximisers are known to have eigenvalues of at most 1. b is eliminated by a
 * reflection, so that it need not be distinguished from other eigenvectors; v comes from a few Lanczos vectors that start at the last v.
 */
import {
  CurvatureError,
  type DenseMatrix,
  integerFrom,
  lanczos,
  nonNegative,
  type OptionsOf,
  oneOf,
  optionTable,
  RandomGenerator,
  type SettingsOf,
  type SymmetricOperator,
  shown,
  zeros,
} from "@curvature/linalg";
import {
  fingerprintOf,
  type Iteration,
  jointEvaluations,
  type Point,
  type Solver,
} from "@curvature/optim-core";
import {
  DeclaredSolver,
  float64,
  generator,
  maybe,
  number,
  outcome,
  part,
  stateOf,
  whole,
} from "@curvature/optim-core/state";
import { Complement } from "./complement.js";
import { Krylov } from "./krylov.js";

export const conditionalGradientOptions = optionTable({
  /** Converged once g_t ≤ tolerance |f(Z_t)|; 0 never. */
  tolerance: nonNegative.default(1e-4),
  /** The set over which the oracle maximises. */
  set: oneOf("spectraplex", "fantope").default("spectraplex"),
  /** Of the first Lanczos start. */
  seed: integerFrom(0).default(0),
});
export type ConditionalGradientOptions = OptionsOf<typeof conditionalGradientOptions>;

/** A concave function of a symmetric n × n matrix, known by its value and by products with its gradient. */
export interface SpectraplexProblem {
  /** n */
  readonly size: number;
  /** s, above 0; in the Fantope at most n, or n − 1 with a b. */
  readonly trace: number;
  /** b, not 0. Left out: no such constraint. */
  readonly orthogonalTo?: Float64Array;
  readonly fingerprint?: string;
  /** Makes Z (not to be kept or changed) the point of the calls that follow; returns f(Z). */
  at(Z: DenseMatrix): number;
  /** ∇f(Z) v into `out`. */
  multiply(v: Float64Array, out: Float64Array): void;
  /** Tr(∇f(Z) Z) */
  inner(): number;
}

export interface ConditionalGradientDetails {
  /** g_t of the point before the step; Infinity for Z_0. */
  readonly gap: number;
  /** min_t f(Z_t) + g_t: above f*, as far as the eigenvalues are right. */
  readonly upper: number;
  /** Products with ∇f so far. */
  readonly products: number;
}

/** Relative residual of v before a gap counts as converged. */
const STRICT = 1e-8;

export class ConditionalGradient extends DeclaredSolver implements Solver<ConditionalGradientDetails> {
  readonly name = "conditional-gradient";
  readonly dimension: number;
  readonly fingerprint: string;
  readonly options: SettingsOf<typeof conditionalGradientOptions>;
  private readonly oracle: SpectraplexOracle;
  private trial: Float64Array;
  protected readonly state;
  /** Whether the problem is at Z. */
  private isThere = false;

  /** @throws CurvatureError ERR_OPTION, ERR_ARGUMENT */
  constructor(
    private readonly problem: SpectraplexProblem,
    options?: ConditionalGradientOptions,
  ) {
    super();
    this.options = conditionalGradientOptions.resolve("ConditionalGradient", options);
    const m = checkSpectraplex(problem, this.options.set);
    const { size: n } = problem;
    this.dimension = n * n;
    this.fingerprint = problem.fingerprint ?? fingerprintOf("spectraplex", n, problem.trace);
    this.oracle = new SpectraplexOracle(problem, this.options.set, m, STRICT, this.options.seed);
    this.trial = zeros(n, n).data;
    this.state = stateOf({
      Z: float64(zeros(n, n).data),
      best: float64(zeros(n, n).data),
      bestValue: maybe(number()),
      oracle: part(this.oracle),
      index: whole(),
      value: number(),
      gap: number(Number.POSITIVE_INFINITY),
      upper: number(Number.POSITIVE_INFINITY),
      outcome: outcome(),
    });
  }

  /** The feasible Z of the largest f so far, n × n by rows; zeros before the first step. */
  get best(): Point {
    return { x: this.state.best, value: this.state.bestValue };
  }

  get last(): Point {
    const { Z, value } = this.state;
    return { x: Z, value: Number.isFinite(value) ? value : undefined };
  }

  step(): Iteration<ConditionalGradientDetails> {
    const { problem, oracle, state } = this;
    if (state.outcome !== undefined) return this.iteration(undefined);
    if (!this.isThere) {
      problem.at(this.matrix(state.Z));
      this.isThere = true;
    }
    const randomBefore = oracle.random.save();
    let vertex = oracle.maximize(1 / (state.index + 2));
    const inner = state.index === 0 ? Number.NEGATIVE_INFINITY : problem.inner();
    const allowed = this.options.tolerance * Math.abs(state.value);
    if (vertex.value - inner <= allowed) vertex = oracle.maximize(STRICT);
    const gap = vertex.value - inner;
    const alpha = 2 / (state.index + 2);
    const isDone = gap <= allowed;
    if (isDone) {
      state.upper = Math.min(state.upper, state.value + gap);
      state.outcome = {
        status: "converged",
        message: `The Frank-Wolfe gap ${gap.toPrecision(3)} is at most ${this.options.tolerance} of the value ${state.value.toPrecision(6)}.`,
      };
    } else {
      this.move(alpha, vertex);
      this.isThere = false;
      let value: number;
      try {
        value = problem.at(this.matrix(this.trial));
      } catch (error) {
        oracle.random.restore(randomBefore); // so that the same step can be made again
        throw error;
      }
      if (!Number.isFinite(value) || !Number.isFinite(vertex.value)) {
        state.index++;
        state.outcome = {
          status: "diverged",
          message: `The value is ${value} and the oracle's ${vertex.value} after step ${state.index}; the best point before it is kept.`,
        };
        return this.iteration(undefined);
      }
      [state.Z, this.trial] = [this.trial, state.Z];
      this.isThere = true;
      if (state.index > 0) state.upper = Math.min(state.upper, state.value + gap);
      state.value = value;
      if (state.bestValue === undefined || value > state.bestValue) {
        state.bestValue = value;
        state.best.set(state.Z);
      }
      oracle.keep(vertex);
    }
    state.gap = gap;
    state.index++;
    return this.iteration(isDone ? undefined : alpha);
  }

  /** (1 − α) Z + α H into the trial point. */
  private move(alpha: number, vertex: Vertex): void {
    const { trial } = this;
    const { Z } = this.state;
    for (let k = 0; k < trial.length; k++) trial[k] = (1 - alpha) * Z[k];
    this.oracle.add(alpha, vertex, trial);
  }

  private matrix(data: Float64Array): DenseMatrix {
    const { size: n } = this.problem;
    return { rows: n, columns: n, data };
  }

  private iteration(stepLength: number | undefined): Iteration<ConditionalGradientDetails> {
    const { index, value, gap, upper, outcome } = this.state;
    const { products } = this.oracle;
    return {
      index,
      value: Number.isFinite(value) ? value : undefined,
      gradientNorm: undefined,
      stepLength,
      ...jointEvaluations(index),
      phase: "iteration",
      details: { gap, upper, products },
      outcome,
    };
  }

  protected override restored(): void {
    this.isThere = false;
  }
}

/** H = Σ weights_i v_i v_iᵀ */
interface Vertex {
  readonly weights: readonly number[];
  /** v_i in the complement's coordinates. */
  readonly vectors: readonly Float64Array[];
  /** Tr(A H) */
  readonly value: number;
}

/** H = argmax Tr(A H), A known by its products. */
class SpectraplexOracle {
  readonly random: RandomGenerator;
  private readonly complement: Complement | undefined;
  private readonly operator: SymmetricOperator;
  private readonly krylov: Krylov;
  /** The last v in the complement's coordinates, or zeros before there is one. */
  private readonly v: Float64Array;
  readonly state;

  /**
   * @param m - the size of b's complement
   * @param tolerance - the least relative residual of v that will be needed
   * @param seed - of the first Lanczos start
   */
  constructor(
    private readonly problem: SpectraplexProblem,
    private readonly set: "spectraplex" | "fantope",
    m: number,
    tolerance: number,
    seed: number,
  ) {
    const { orthogonalTo: b } = problem;
    this.complement = b === undefined ? undefined : new Complement(b);
    const A: SymmetricOperator = (v, out) => {
      this.state.products++;
      problem.multiply(v, out);
    };
    this.operator = this.complement?.restrictOperator(A) ?? A;
    this.krylov = new Krylov(this.operator, m, { tolerance, vectors: 32, restarts: 100 });
    this.random = new RandomGenerator(seed);
    this.v = new Float64Array(m);
    this.state = stateOf({ v: float64(this.v), random: generator(this.random), products: whole() });
  }

  /** Products with A so far. */
  get products(): number {
    return this.state.products;
  }

  /** @param tolerance - the relative residual of v */
  maximize(tolerance: number): Vertex {
    const { trace: s } = this.problem;
    const m = this.v.length;
    if (this.set === "spectraplex") {
      const start = this.v.some((entry) => entry !== 0) ? this.v : undefined;
      const { value, vector } = this.krylov.largest(start, this.random, tolerance);
      return { weights: [s], vectors: [vector], value: s * value };
    }
    const count = Math.ceil(s);
    const { values, vectors } = lanczos(this.operator, m, {
      count,
      which: "largest",
      tolerance: Math.min(tolerance, 1e-3),
      relativeTo: "operator",
    });
    const weights = Array.from(values, (_, i) => Math.min(1, s - i));
    let value = 0;
    weights.forEach((weight, i) => {
      value += weight * values[i];
    });
    const rows = weights.map((_, i) => vectors.data.subarray(i * m, (i + 1) * m));
    return { weights, vectors: rows, value };
  }

  /** Z ← Z + α H, n × n. */
  add(alpha: number, { weights, vectors }: Vertex, Z: Float64Array): void {
    const { complement } = this;
    const long = new Float64Array(this.problem.size);
    weights.forEach((weight, i) => {
      if (complement === undefined) long.set(vectors[i]);
      else complement.extendVector(vectors[i], long);
      addOuter(alpha * weight, long, Z);
    });
  }

  /** The next v is looked for from this one. */
  keep({ vectors }: Vertex): void {
    this.v.set(vectors[0]);
  }
}

/** A ← A + w v vᵀ, n × n. */
export function addOuter(w: number, v: Float64Array, A: Float64Array): void {
  const n = v.length;
  for (let i = 0; i < n; i++) {
    const row = i * n;
    for (let j = 0; j < n; j++) A[row + j] += w * (v[i] * v[j]); // symmetric to the bit
  }
}

/** @returns the size of b's complement. @throws CurvatureError ERR_ARGUMENT */
function checkSpectraplex(problem: SpectraplexProblem, set: "spectraplex" | "fantope"): number {
  const raw: unknown = problem;
  const isProblem =
    typeof raw === "object" && raw !== null && "at" in raw && "multiply" in raw && "inner" in raw;
  if (!isProblem) throw wrong("it must have at, multiply and inner", problem);
  const { size: n, trace, orthogonalTo: b } = problem;
  if (!Number.isSafeInteger(n) || n < 1) throw wrong("its size must be a whole number of at least 1", n);
  if (
    b !== undefined &&
    !(b instanceof Float64Array && b.length === n && b.every(Number.isFinite) && b.some((x) => x !== 0))
  )
    throw wrong(`orthogonalTo must be a Float64Array of ${n} finite numbers, not all 0`, b);
  const m = b === undefined ? n : n - 1;
  const most = set === "fantope" ? m : Number.MAX_VALUE;
  if (typeof trace !== "number" || !(trace > 0 && trace <= most) || m === 0)
    throw wrong(
      `its trace must be above 0${set === "fantope" ? ` and at most ${m}` : ""}, and its set not empty`,
      trace,
    );
  return m;
}

function wrong(what: string, received: unknown): CurvatureError {
  return new CurvatureError("ERR_ARGUMENT", `the problem is none: ${what}; received ${shown(received)}.`, {
    where: "ConditionalGradient",
    path: "problem",
    received,
  });
}
