/**
 * NOMAD by Burer and Monteiro's factorisation: Q = Y Yᵀ with Y ≥ 0 (n × r), hence Q ⪰ 0 and Q ≥ 0, in memory O(n (r + d)).
 *
 * Problem     maximise Tr(Yᵀ D Y)  s.t.  Y Yᵀ 1 = 1,  ‖Y‖²_F = K,  Y ≥ 0
 * Outer       minimise the augmented Lagrangian L(Y; l₁, l₂), see `augmented-lagrangian.ts`, to ‖∇_P L‖ < g_t
 *             l₁ ← l₁ − s₁ (‖Y‖²_F − K),  l₂ ← l₂ − s₂ c;  g_t ← max(0.3 g_t, 1e-5), from 1e-2
 * Inner       L-BFGS-B on the entries of Y that may be positive, the support; all other entries are 0. To the pricing where the
 *             gradient's norm is below half of g_t or a tenth of what it was, where half of the support is no longer free, or after
 *             so many steps
 * Pricing     the gradient in all n r entries: entries come in where Y = 0 and ∂L < 0, the 8 steepest of a row, and go where
 *             Y = 0 and ∂L ≥ 0; the more seldom the less it finds. The support is kept where 8 of 10 of its entries are free and few
 *             of the gradient's are missing; to the multipliers below g_t, or after 100 inner steps
 * Bound       Y, repaired (see `bounds/repair.ts`), is feasible: its value is a lower bound, after each outer step
 * Stop        two lower bounds in a row that differ by less than 0.3 tolerance, ‖c‖/√n < max(5 tolerance, 3e-4)
 *
 * | symbol | variable            | shape, value                             |
 * |--------|---------------------|------------------------------------------|
 * | Y      | support, values     | n × r, r = 4 K by default, at most n     |
 * | l₁, l₂ | trace, rowSums      | 1, n, from 0, in the unit of D/‖D‖_F     |
 * | g_t    | target              | 1                                        |
 * | s₁, s₂ |                     | 1, 3/n, never raised                     |
 *
 * Tepper, Sengupta, Chklovskii: Clustering is semidefinitely not that hard. J. Mach. Learn. Res. 19 (2018), section 5;
 * Burer, Monteiro: A nonlinear programming algorithm for solving semidefinite programs via low-rank factorization. Math.
 * Program. 95 (2003). Differs from the paper: s₂ is 3/n and not 1, the inner tolerance tightens as the multipliers come
 * right, Y ≤ 1 is left out (it follows), and only entries that may be positive are computed with. At the solution they
 * are few, 4 to 8 in a row for any r, so that an evaluation costs 4 n d times these instead of 4 n d r; or, with D formed
 * where n is below some d or r d (see `factor-products.ts`), less still.
 *
 * The problem in Y is not convex, and completely positive Q are not all Q: with a tolerance of 1e-4 the value ends below
 * NOMAD's by 4e-5 on 250 digits, by 3e-4 to 1e-3 on 178 zeros from one seed to another, by 7e-4 on two rings with K = 8.
 * The bound is rigorous, the stop certifies nothing: for that S is needed, of which the multipliers give a good guess.
 *
 * A step is a part of the start, of a pricing, one inner iteration, or an outer update. Memory: the points, some 25 numbers
 * for each entry of the support, n r for the best point and n r bytes; where D is formed n² and, for each column, the square of its support.
 */
import {
  type DenseMatrix,
  integerFrom,
  type MatrixLike,
  norm2,
  type OptionsOf,
  optionTable,
  positive,
  RandomGenerator,
  type SettingsOf,
  toDense,
} from "@curvature/linalg";
import { type Iteration, Lbfgsb, type Outcome, type Point, type Solver } from "@curvature/optim-core";
import {
  DeclaredSolver,
  float64,
  generator,
  inner,
  madePart,
  number,
  outcome,
  type Place,
  part,
  stateOf,
  uint8,
  whole,
  word,
} from "@curvature/optim-core/state";
import { checkMemory } from "../arguments.js";
import { type FactoredPoint, factoredPoint, factoredValue } from "../bounds/factored-point.js";
import { repairFactor } from "../bounds/repair.js";
import {
  centralCoefficients,
  centralValue,
  checkProblem,
  isClosed,
  type NomadProblem,
  onlyOneFeasible,
  problemFingerprint,
} from "../problem.js";
import { Lagrangian } from "./augmented-lagrangian.js";
import { type FactorProducts, factorProducts, frobenius } from "./factor-products.js";
import {
  type BurerMonteiroStart,
  checkFactor,
  firstFactor,
  Oversegmentation,
  startOption,
  WORK,
} from "./factor-start.js";
import {
  balance,
  Candidates,
  densified,
  moved,
  type Support,
  supportOf,
  valuesOn,
} from "./factor-support.js";

export const burerMonteiroOptions = optionTable({
  /** r, the columns of Y. Left out: 4 K, rounded up, at most n; of a given Y its columns. */
  rank: integerFrom(1),
  /** Of the start. */
  seed: integerFrom(0).default(0),
  /** Relative change of the lower bound at which it ends, see "Stop" above. */
  tolerance: positive.default(1e-4),
  /**
   * The first Y: "kmeans", k-means with r centres; "symmetric-nmf", the factor of D without its negative entries (dense,
   * n² memory and 4 n² r operations in each of up to 100 iterations, in one step); "random"; or Y itself, n × r, at least 0.
   */
  initialization: startOption.default("kmeans"),
});
export type BurerMonteiroOptions = OptionsOf<typeof burerMonteiroOptions>;

export interface BurerMonteiroDetails {
  /** Infinity: it certifies nothing. */
  readonly gap: number;
  /** The best lower bound so far. */
  readonly lower: number;
  /** Infinity, as the gap. */
  readonly upper: number;
  /** ‖Y Yᵀ 1 − 1‖₂ / √n at the last outer step; Infinity before the first. */
  readonly rowSumError: number;
  /** ‖Y‖²_F − K, likewise. */
  readonly traceError: number;
  /** How many entries of Y may be positive. */
  readonly support: number;
  /** Outer steps that were made. */
  readonly outer: number;
}

/** Of one entry of Y before the first step: its list, its mark, and those of the best point. */
const ENTRY_BYTES = 24;
/** s₂ n */
const PENALTY = 3;
/** Of L-BFGS-B. */
const PAIRS = 8;
/** Sinkhorn sweeps on the first Y, and before a repair. */
const START_SWEEPS = 20;
const REPAIR_SWEEPS = 100;
/** g_t: first, factor, floor. */
const FIRST_TARGET = 1e-2;
const TIGHTENING = 0.3;
const MIN_TARGET = 1e-5;
/** Outer steps, and those after `tighten`. */
const OUTER = 60;
const OUTER_MORE = 10;
/** Inner iterations in one outer step. */
const INNER = 100;
/** Inner iterations between two pricings: usually, after new multipliers, and at least. */
const BETWEEN = 20;
const FIRST_BETWEEN = 5;
const MIN_BETWEEN = 4;
/** Share of the gradient outside the support up to which it is kept. */
const MISSING = 0.3;
/** Share of the support that must be free for it to be kept, and below which it is priced at once. */
const KEPT = 0.8;
const SHRUNK = 0.5;
/** ‖c‖/√n up to which any tolerance is met. */
const MIN_ROW_SUM_ERROR = 3e-4;

export class BurerMonteiro extends DeclaredSolver implements Solver<BurerMonteiroDetails> {
  readonly name = "burer-monteiro";
  readonly dimension: number;
  readonly fingerprint: string;
  readonly options: SettingsOf<typeof burerMonteiroOptions>;
  private readonly start: Exclude<BurerMonteiroStart, MatrixLike> | DenseMatrix;
  private readonly n: number;
  private readonly r: number;
  /** ‖D‖_F */
  private readonly scale: number;
  private readonly products: FactorProducts;
  private readonly random: RandomGenerator;
  private readonly oversegmentation: Oversegmentation;
  private readonly candidates: Candidates;
  private support: Support;
  private gradient = new Float64Array(0);
  private lagrangian: Lagrangian;
  protected readonly state;

  /** @throws CurvatureError ERR_OPTION, ERR_ARGUMENT, ERR_SHAPE, ERR_MEMORY */
  constructor(
    private readonly problem: NomadProblem,
    options?: BurerMonteiroOptions,
  ) {
    super();
    checkProblem("BurerMonteiro", problem);
    const { gram, clusters: K } = problem;
    const { n } = gram;
    this.options = burerMonteiroOptions.resolve("BurerMonteiro", options);
    const { initialization, rank, seed, tolerance } = this.options;
    this.start =
      typeof initialization === "string" ? initialization : toDense(initialization, "initialization");
    const r = rank ?? (typeof this.start === "string" ? Math.min(n, Math.ceil(4 * K)) : this.start.columns);
    if (typeof this.start !== "string") checkFactor(this.start, n, r);
    checkMemory("BurerMonteiro", `a factor of ${n} x ${r}`, ENTRY_BYTES * n * r, gram.memoryLimit);
    this.n = n;
    this.r = r;
    this.dimension = n * r;
    this.fingerprint = problemFingerprint(problem);
    this.scale = frobenius(gram);
    this.products = factorProducts(gram, r);
    this.random = new RandomGenerator(seed);
    this.oversegmentation = new Oversegmentation(gram, this.products, r, this.random);
    this.candidates = new Candidates(n, r);
    this.support = supportOf(n, r, this.candidates.marks);
    const central = {
      factor: { rows: n, columns: r, data: new Float64Array(n * r) },
      diagonal: new Float64Array(n).fill(centralCoefficients(n, K).a),
      constant: 1 - centralCoefficients(n, K).a,
      sweeps: 0,
    };
    this.state = stateOf(
      {
        /** Steps. */
        index: whole(),
        phase: word("start", ["start", "pricing", "inner", "outer"]),
        trace: number(0),
        rowSums: float64(new Float64Array(n)),
        random: generator(this.random),
        oversegmentation: part(this.oversegmentation),
        marks: uint8(this.candidates.marks, { from: 0, to: 2 }),
        /** Of Y on the support. */
        values: float64(new Float64Array(0), { anyLength: true }),
        /** The best feasible point. */
        best: factoredPoint(central, r),
        tolerance: number(tolerance),
        /** Of the augmented Lagrangian, and those of the present inner solver that are among them. */
        evaluations: whole(),
        innerEvaluations: whole(),
        /** Updates of the multipliers, and as many as there may be. */
        outerCount: whole(),
        outerLimit: whole(OUTER),
        /** Inner iterations since the multipliers changed, since the last pricing, and as many as there may be between two. */
        innerCount: whole(),
        sincePricing: whole(),
        between: whole(BETWEEN),
        /** Entries that the inner solver may move. */
        free: whole(),
        /** Rows that the present pricing has seen, and the sum of (∂L)² over what it has found missing. */
        cursor: whole(0, { to: n }),
        violation: number(0),
        /** g_t, and the measure at which the inner solver goes to the pricing. */
        target: number(FIRST_TARGET),
        innerTarget: number(0),
        /** 1, times 0.3 for each `tighten`. */
        sharpness: number(1),
        /** Length of the inner solver's first step. */
        firstStep: number(1),
        /** The best lower bound, and that of the last outer step. */
        bound: number(centralValue(problem)),
        lastBound: number(),
        /** Tr(Yᵀ D Y), the offset included. */
        objective: number(centralValue(problem)),
        /** ‖∇_P L‖, and that on the support alone. */
        measure: number(),
        supportMeasure: number(),
        rowSumError: number(Number.POSITIVE_INFINITY),
        traceError: number(Number.POSITIVE_INFINITY),
        inner: madePart((at) => this.innerOf(at)),
        outcome: outcome(),
      },
      (fields) => (hasSize(fields) ? undefined : "one number for each entry of the support"),
    );
    this.lagrangian = this.lagrangianOn(this.support);
  }

  /** The factor of the best feasible point, n × r, with its value; the point has a diagonal too, see `lowerPoint`. */
  get best(): Point {
    return { x: this.state.best.factor.data, value: this.lower };
  }

  /** Y, n × r, which is feasible to `details.rowSumError`, with Tr(Yᵀ D Y). */
  get last(): Point {
    return { x: this.factor.data, value: this.state.objective };
  }

  /** A copy of Y, n × r. */
  get factor(): DenseMatrix {
    return densified(this.support, this.state.inner?.solver.last.x ?? this.state.values);
  }

  /**
   * l₁ and l₂ in the unit of D, copies: −2 (D + l₁ I + (l₂ 1ᵀ + 1 l₂ᵀ)/2) Y, the gradient of the Lagrangian, is 0 where
   * Y > 0 and at least 0 elsewhere, to the inner tolerance.
   */
  get multipliers(): { readonly trace: number; readonly rowSums: Float64Array } {
    const { scale } = this;
    const { trace, rowSums } = this.state;
    return { trace: trace * scale, rowSums: rowSums.map((entry) => entry * scale) };
  }

  /** The best feasible point. */
  get lowerPoint(): FactoredPoint {
    return this.state.best;
  }

  /** Its value Tr(D Q), the offset included. */
  get lower(): number {
    return this.state.bound;
  }

  /** Whether it has come to an end. */
  get isOver(): boolean {
    return this.state.outcome !== undefined;
  }

  /** Goes on after the end, for at most 10 outer steps, with both tolerances at 0.3 of what they were. */
  tighten(): void {
    if (isClosed(this.problem)) return;
    this.state.sharpness *= TIGHTENING;
    this.state.outerLimit = this.state.outerCount + OUTER_MORE;
    this.state.outcome = undefined;
  }

  step(): Iteration<BurerMonteiroDetails> {
    const { phase } = this.state;
    if (this.isOver) return this.iteration(phase);
    this.state.index++;
    if (isClosed(this.problem)) {
      this.state.outcome = onlyOneFeasible;
      return this.iteration("closed");
    }
    if (phase === "start") this.begin();
    else if (phase === "pricing") this.price();
    else if (phase === "inner") this.descend();
    else this.updateMultipliers();
    return this.iteration(phase);
  }

  /** A part of the start. */
  private begin(): void {
    const { problem, options, start, r, random, oversegmentation } = this;
    if (start === "kmeans" && !oversegmentation.advance()) return;
    const Y =
      typeof start === "string"
        ? firstFactor(problem.gram, r, start, options.seed, random, oversegmentation.assignment)
        : start.data;
    this.support = this.candidates.begin(Y);
    const values = valuesOn(this.support, Y);
    balance(this.support, values, START_SWEEPS);
    const size = norm2(values);
    const factor = size > 0 ? Math.sqrt(problem.clusters) / size : 0;
    for (let k = 0; k < values.length; k++) values[k] *= factor;
    this.state.values = values;
    this.lagrangian = this.lagrangianOn(this.support);
    this.state.phase = "pricing";
  }

  /** The gradient of some more rows; after the last, inner steps on this support or on a new one, or their end. */
  private price(): void {
    const { n, r, lagrangian, candidates, state } = this;
    if (state.cursor === 0) {
      if (state.inner === undefined) this.evaluate();
      state.violation = 0;
    }
    const rows = Math.max(1, Math.floor(WORK / this.products.rowCost(this.support)));
    const first = state.cursor;
    const to = Math.min(n, first + rows);
    const gradient = lagrangian.rowsOfGradient(state.values, first, to);
    for (let i = first, from = 0; i < to; i++, from += r)
      state.violation = candidates.price(gradient, from, i, state.violation);
    state.cursor = to;
    if (to < n) return;
    state.cursor = 0;
    state.measure = Math.sqrt(state.supportMeasure * state.supportMeasure + state.violation);
    state.objective = lagrangian.objective * this.scale + this.problem.gram.offset;
    const isDone = state.measure < state.target || state.innerCount >= INNER;
    const isFree = state.free >= KEPT * this.support.rows.length;
    const isKept =
      state.inner !== undefined && Math.sqrt(state.violation) <= MISSING * state.measure && isFree;
    if (!isDone && !isKept) this.exchange();
    else candidates.forget();
    state.phase = isDone ? "outer" : "inner";
    state.innerTarget = Math.max(0.5 * state.target, 0.1 * state.measure);
    state.sincePricing = 0;
    state.between = isKept ? Math.min(2 * state.between, INNER) : BETWEEN;
  }

  private evaluate(): void {
    const { values } = this.state;
    if (this.gradient.length !== values.length) this.gradient = new Float64Array(values.length);
    const { gradient } = this;
    this.lagrangian.evaluate(values, gradient);
    this.state.evaluations++;
    let squares = 0;
    for (let k = 0; k < values.length; k++) {
      const step = Math.min(values[k], gradient[k]);
      squares += step * step;
    }
    this.state.supportMeasure = Math.sqrt(squares);
  }

  /** A new support, and an inner solver on it. */
  private exchange(): void {
    const { support, state } = this;
    if (state.inner !== undefined) this.evaluate();
    const { values } = state;
    this.support = this.candidates.exchange(support, values, this.gradient);
    state.values = moved(support, values, this.support);
    this.lagrangian = this.lagrangianOn(this.support);
    state.firstStep = (0.1 * norm2(values)) / state.measure;
    state.inner = new InnerSolver(this.lagrangian, state.values, state.firstStep);
    state.innerEvaluations = 0;
  }

  /** One iteration of the inner solver. */
  private descend(): void {
    const { state, lagrangian } = this;
    if (state.inner === undefined) return;
    const { solver } = state.inner;
    const { gradientNorm = 0, evaluations, outcome, details } = solver.step();
    state.free = details.free;
    state.evaluations += evaluations - state.innerEvaluations;
    state.innerEvaluations = evaluations;
    state.measure = gradientNorm;
    state.objective = lagrangian.objective * this.scale + this.problem.gram.offset;
    state.innerCount++;
    state.sincePricing++;
    state.values = solver.last.x;
    state.supportMeasure = gradientNorm;
    if (outcome === undefined && !this.isPricingDue()) return;
    state.phase = "pricing";
    if (outcome === undefined) return;
    if (state.sincePricing === 1) state.innerCount = INNER; // it gets no further
    state.inner = undefined;
  }

  private isPricingDue(): boolean {
    const { free, sincePricing, between, innerCount, measure, innerTarget } = this.state;
    const isSparser = free < SHRUNK * this.support.rows.length && sincePricing >= MIN_BETWEEN;
    const isOver = sincePricing >= between || innerCount >= INNER;
    return !(measure >= innerTarget) || isOver || isSparser;
  }

  /** The outer step: the lower bound and the multipliers; whether to end. */
  private updateMultipliers(): void {
    const { lagrangian, n, state } = this;
    state.rowSumError = norm2(lagrangian.c) / Math.sqrt(n);
    state.traceError = lagrangian.excess;
    if (!state.values.some((value) => value > 0)) {
      state.outcome = vanished(this.r);
      return;
    }
    const { point, value: bound } = this.repaired();
    if (bound > state.bound) {
      state.bound = bound;
      state.best = point;
    }
    const change = Math.abs(bound - state.lastBound);
    state.lastBound = bound;
    lagrangian.updateMultipliers();
    state.inner?.solver.refresh();
    state.outerCount++;
    state.target = Math.max(TIGHTENING * state.target, MIN_TARGET * state.sharpness);
    state.innerCount = 0;
    state.innerTarget = 0;
    state.between = FIRST_BETWEEN;
    state.sincePricing = 0;
    state.phase = state.inner === undefined ? "pricing" : "inner";
    state.outcome = this.ending(bound, change);
  }

  /** Y made feasible, with its value Tr(D Q): 100 sweeps on the support, and one product. */
  private repaired(): { readonly point: FactoredPoint; readonly value: number } {
    const { support, products } = this;
    const { gram, clusters } = this.problem;
    const values = this.state.values.slice();
    const hasEmptyRow = balance(support, values, REPAIR_SWEEPS);
    const point = repairFactor(clusters, densified(support, values), hasEmptyRow ? REPAIR_SWEEPS : 0);
    if (hasEmptyRow) return { point, value: factoredValue(gram, point) }; // it has entries beyond the support
    let value = gram.offset + products.onSupport(support, valuesOn(support, point.factor.data), undefined);
    for (let i = 0; i < support.n; i++) value += gram.diagonal[i] * point.diagonal[i];
    return { point, value };
  }

  /** @param change - of the lower bound, by the last outer step */
  private ending(bound: number, change: number): Outcome | undefined {
    const { sharpness, rowSumError, outerCount, outerLimit } = this.state;
    const { tolerance } = this.options;
    const allowed = sharpness * Math.max(5 * tolerance, MIN_ROW_SUM_ERROR);
    const isStill = change <= 0.3 * sharpness * tolerance * Math.abs(bound) && rowSumError <= allowed;
    const [by, wrong] = [change.toPrecision(3), rowSumError.toPrecision(3)];
    if (isStill)
      return {
        status: "converged",
        message: `The lower bound changed by ${by} to ${bound}, and the row sums are right to ${wrong}. This certifies nothing.`,
      };
    if (outerCount >= outerLimit)
      return {
        status: "stalled",
        message: `After ${outerCount} updates of the multipliers the lower bound still changes by ${by}, or the row sums are wrong by ${wrong}.`,
      };
    return undefined;
  }

  private iteration(phase: string): Iteration<BurerMonteiroDetails> {
    const { index, objective, measure, evaluations, outerCount, bound, rowSumError, traceError, outcome } =
      this.state;
    return {
      index,
      value: objective,
      gradientNorm: Number.isNaN(measure) ? undefined : measure, // not measured yet
      stepLength: undefined,
      evaluations,
      gradientEvaluations: evaluations,
      monitoringEvaluations: outerCount,
      passes: evaluations,
      phase,
      details: {
        gap: Number.POSITIVE_INFINITY,
        lower: bound,
        upper: Number.POSITIVE_INFINITY,
        rowSumError,
        traceError,
        support: this.support.rows.length,
        outer: outerCount,
      },
      outcome,
    };
  }

  private lagrangianOn(support: Support): Lagrangian {
    const { products, scale, problem, n, state } = this;
    return new Lagrangian(support, products, scale, problem.clusters, PENALTY / n, state);
  }

  /** The inner solver of a snapshot whose other fields are known. */
  private innerOf(at: Place): InnerSolver {
    const marks = at.siblings.get("marks");
    const values = at.siblings.get("values");
    if (!(marks instanceof Uint8Array && values instanceof Float64Array && hasSize(at.siblings)))
      return at.refuse("preceded by the support and one number for each of its entries", values);
    const support = supportOf(this.n, this.r, marked(marks));
    return new InnerSolver(this.lagrangianOn(support), values.slice(), at.number("firstStep"));
  }

  protected override restored(): void {
    const { state, options } = this;
    const { phase, values, marks } = state;
    this.lagrangian = state.inner?.lagrangian ?? this.lagrangianOn(supportOf(this.n, this.r, marked(marks)));
    this.support = this.lagrangian.support;
    // The end at a larger tolerance than this one's is none.
    const isOver = state.outcome?.status !== "converged" || options.tolerance >= state.tolerance;
    if (!isOver && !isClosed(this.problem)) state.outcome = undefined;
    state.tolerance = options.tolerance;
    this.gradient = new Float64Array(values.length);
    // What the next step takes from the point is no part of the snapshot: it is computed anew.
    if (phase === "outer" || phase === "pricing") this.lagrangian.evaluate(values, this.gradient);
  }
}

/** L-BFGS-B on a support. */
class InnerSolver {
  readonly solver: Lbfgsb;
  readonly state;

  constructor(
    readonly lagrangian: Lagrangian,
    values: Float64Array,
    initialStep: number,
  ) {
    this.solver = new Lbfgsb(lagrangian, values, { memory: PAIRS, initialStep });
    this.state = stateOf({ solver: inner(this.solver) });
  }
}

/** The entries of the support alone, without those that a pricing has marked. */
const marked = (marks: Uint8Array): Uint8Array => marks.map((mark) => (mark === 1 ? 1 : 0));

/** Whether there is one number for each entry of the support, in a snapshot. */
function hasSize(fields: ReadonlyMap<string, unknown>): boolean {
  const [marks, values] = [fields.get("marks"), fields.get("values")];
  return (
    marks instanceof Uint8Array &&
    values instanceof Float64Array &&
    values.length === marks.reduce((count, mark) => (mark === 1 ? count + 1 : count), 0)
  );
}

/** @param r - columns of Y */
const vanished = (r: number): Outcome => ({
  status: "stalled",
  message: `Y has become 0, from which no gradient leads away. Take a larger rank than ${r}, or another seed.`,
});
