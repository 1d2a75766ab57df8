/**
 * NOMAD by Burer and Monteiro's factorisation: Q = Y Yᵀ with Y ≥ 0 (n × r), hence Q ⪰ 0 and Q ≥ 0, in memory O(n (r + d)).
 *
 * Problem     maximise Tr(Yᵀ D Y)  s.t.  Y Yᵀ 1 = 1,  ‖Y‖²_F = K,  Y ≥ 0
 * Outer       minimise the augmented Lagrangian L(Y; l₁, l₂), see `burer-monteiro-lagrangian.ts`, to ‖∇_P L‖ < g_t
 *             l₁ ← l₁ − s₁ (‖Y‖²_F − K),  l₂ ← l₂ − s₂ c;  g_t ← max(0.3 g_t, 1e-5), from 1e-2
 * Inner       L-BFGS-B on the entries of Y that may be positive, the places; all other entries are 0
 * Pricing     the gradient in all n r entries: places come in where Y = 0 and ∂L < 0, and go where Y = 0 and ∂L ≥ 0
 * Bound       Y, repaired (see `bounds/repair.ts`), is feasible: its value is a lower bound, after each outer step
 * Stop        two lower bounds in a row that differ by less than 0.3 tolerance, ‖c‖/√n < max(5 tolerance, 3e-4)
 *
 * | symbol | variable            | shape, value                             |
 * |--------|---------------------|------------------------------------------|
 * | Y      | places, values      | n × r, r = 4 K by default, at most n     |
 * | l₁, l₂ | multipliers         | 1, n, from 0                             |
 * | s₁, s₂ |                     | 1, 3/n, never raised                     |
 *
 * Tepper, Sengupta, Chklovskii: Clustering is semidefinitely not that hard. J. Mach. Learn. Res. 19 (2018), section 5;
 * Burer, Monteiro: A nonlinear programming algorithm for solving semidefinite programs via low-rank factorization. Math.
 * Program. 95 (2003). Differs from the paper: s₂ is 3/n and not 1, the inner tolerance tightens as the multipliers come
 * right, the bound Y ≤ 1 is left out (it follows), and only entries that may be positive are computed with. At the
 * solution few are: on digits 3 to 5 in a row of 64.
 *
 * The problem in Y is not convex, and completely positive Q are not all Q: the value may stay below NOMAD's, by 3e-5 on
 * digits and 5e-4 on rings with K below n/10. The bound is rigorous, the stop certifies nothing: for that S is needed, of
 * which the multipliers give a good guess.
 */
import {
  CurvatureError,
  checkOptions,
  type DenseMatrix,
  integerFrom,
  norm2,
  optional,
  positive,
  RandomGenerator,
  type Rule,
  gram as transposedProduct,
  zeros,
} from "@curvature/linalg";
import {
  type Iteration,
  Lbfgsb,
  type Outcome,
  openSnapshot,
  type Point,
  type Snapshot,
  type Solver,
} from "@curvature/optim-core";
import { type FactoredPoint, factoredValue, repairFactor } from "../bounds/repair.js";
import type { Gram } from "../gram.js";
import {
  centralCoefficients,
  centralValue,
  checkProblem,
  isClosed,
  type NomadProblem,
  problemFingerprint,
} from "../problem.js";
import { symmetricNmf } from "../symmetric-nmf.js";
import { balance, densified, moved, type Places, placesOf, valuesAt } from "./burer-monteiro-factor.js";
import { Lagrangian } from "./burer-monteiro-lagrangian.js";
import { type FactorProducts, factorProducts } from "./burer-monteiro-products.js";
import { Oversegmentation, WORK } from "./burer-monteiro-start.js";

export type BurerMonteiroStart = "kmeans" | "symmetric-nmf" | "random" | DenseMatrix;

export interface BurerMonteiroOptions {
  /** r, the columns of Y. Default 4 K, rounded up, at most n; of a given Y its columns. */
  readonly rank?: number;
  /** Of the start. Default 0. */
  readonly seed?: number;
  /** Relative change of the lower bound at which it ends, see above. Default 1e-4. */
  readonly tolerance?: number;
  /**
   * The first Y: "kmeans", k-means with r centres; "symmetric-nmf", the factor of D without its negative entries (dense,
   * n² memory and 4 n² r operations in each of up to 100 iterations, in one step); "random"; or Y itself, n × r, at least 0.
   * Default "kmeans".
   */
  readonly initialization?: BurerMonteiroStart;
}

interface Settings {
  readonly rank: number | undefined;
  readonly seed: number;
  readonly tolerance: number;
  readonly initialization: BurerMonteiroStart;
}

export const burerMonteiroDefaults: Settings = Object.freeze({
  rank: undefined,
  seed: 0,
  tolerance: 1e-4,
  initialization: "kmeans",
});

export interface BurerMonteiroDetails {
  /** Infinity: it certifies nothing. */
  readonly gap: number;
  /** The best lower bound so far. */
  readonly lower: number;
  /** Infinity, as the gap. */
  readonly upper: number;
  /** ‖Y Yᵀ 1 − 1‖₂ / √n */
  readonly rowSumError: number;
  /** ‖Y‖²_F − K */
  readonly traceError: number;
  /** Entries of Y that may be positive. */
  readonly places: number;
  /** Outer steps that were made. */
  readonly outer: number;
}

const VERSION = 1;
const PENALTY = 3;
const PAIRS = 8;
/** g_t: first, factor, floor. */
const FIRST_TOLERANCE = 1e-2;
const TIGHTENING = 0.3;
const LEAST_TOLERANCE = 1e-5;
/** Inner iterations in one outer step, and between two pricings. */
const INNER = 100;
const BETWEEN = 20;
/** Places that one pricing may add to a row. */
const ADDED = 8;
/** Share of the gradient outside the places up to which they are kept. */
const MISSING = 0.3;
/** Share of the places that must be free for them to be kept, and below which they are looked at at once. */
const KEPT = 0.8;
const SHRUNK = 0.5;
/** Inner iterations between new multipliers and the pricing. */
const FIRST_BETWEEN = 5;
const OUTER = 60;
const OUTER_MORE = 10;
/** ‖c‖/√n that no tolerance asks to be below. */
const LEAST_ROW_SUM_ERROR = 3e-4;
const REPAIR_SWEEPS = 100;
const NMF_ITERATIONS = 100;
/** Positive entries in a row of the first Y, about. */
const START_PLACES = 8;
const START_SWEEPS = 20;

const start: Rule = {
  expected: '"kmeans", "symmetric-nmf", "random" or a matrix { rows, columns, data } of a Float64Array',
  accepts: (value) =>
    value === "kmeans" || value === "symmetric-nmf" || value === "random" || isMatrix(value),
};

type Phase = "start" | "pricing" | "inner" | "outer";

export class BurerMonteiro implements Solver<BurerMonteiroDetails> {
  readonly name = "burer-monteiro";
  readonly dimension: number;
  readonly fingerprint: string;
  readonly options: Settings;
  private readonly n: number;
  private readonly r: number;
  /** ‖D‖_F */
  private readonly scale: number;
  private readonly products: FactorProducts;
  private readonly random: RandomGenerator;
  private readonly oversegmentation: Oversegmentation;
  private phase: Phase = "start";
  private l: { trace: number; readonly rowSums: Float64Array };
  /** 1 at the places, 2 at those that pricing adds, n × r. */
  private readonly isPlace: Uint8Array;
  private readonly steepest = new Int32Array(ADDED);
  private places: Places;
  /** Of Y at the places. */
  private values: Float64Array;
  private gradient: Float64Array;
  private lagrangian: Lagrangian;
  private inner: Lbfgsb | undefined;
  private firstStep = 1;
  private bestPoint: FactoredPoint;
  private bound: number;
  private lastBound = Number.NaN;
  /** Rows that pricing has seen, and Σ (∂L)² of what it will add. */
  private cursor = 0;
  private violation = 0;
  private target = FIRST_TOLERANCE;
  private innerTarget = 0;
  private innerCount = 0;
  private sincePricing = 0;
  private outerCount = 0;
  private outerLimit = OUTER;
  private sharpness = 1;
  private index = 0;
  private evaluations = 0;
  /** Those of the present inner solver that are among them. */
  private innerEvaluations = 0;
  private objective: number;
  private measure = Number.NaN;
  private free = 0;
  private placesMeasure = Number.NaN;
  private rowSumError = Number.NaN;
  private traceError = Number.NaN;
  private outcome: Outcome | undefined;

  /** @throws CurvatureError ERR_OPTION, ERR_ARGUMENT, ERR_SHAPE, ERR_MEMORY */
  constructor(
    private readonly problem: NomadProblem,
    options?: BurerMonteiroOptions,
  ) {
    checkProblem("BurerMonteiro", problem);
    this.options = checkOptions("BurerMonteiro", options, burerMonteiroDefaults, {
      rank: optional(integerFrom(1)),
      seed: integerFrom(0),
      tolerance: positive,
      initialization: start,
    });
    const { gram, clusters: K } = problem;
    const { n } = gram;
    const { initialization, rank, seed } = this.options;
    const r =
      rank ?? (typeof initialization === "string" ? Math.min(n, Math.ceil(4 * K)) : initialization.columns);
    if (typeof initialization !== "string") checkFactor(initialization, n, r);
    this.n = n;
    this.r = r;
    this.dimension = n * r;
    this.fingerprint = problemFingerprint(problem);
    this.scale = frobenius(gram);
    this.products = factorProducts(gram, r);
    this.random = new RandomGenerator(seed);
    this.oversegmentation = new Oversegmentation(gram, this.products, r, this.random);
    this.l = { trace: 0, rowSums: new Float64Array(n) };
    this.isPlace = new Uint8Array(n * r);
    this.places = placesOf(n, r, this.isPlace);
    this.values = new Float64Array(0);
    this.gradient = this.values;
    this.lagrangian = this.lagrangianOf(this.places);
    const { a } = centralCoefficients(n, K);
    this.bestPoint = {
      factor: zeros(n, r),
      diagonal: new Float64Array(n).fill(a),
      constant: 1 - a,
      sweeps: 0,
    };
    this.bound = centralValue(problem);
    this.objective = this.bound;
  }

  /** The factor of the best feasible point, n × r, with its value; the point has a diagonal too, see `lowerPoint`. */
  get best(): Point {
    return { x: this.bestPoint.factor.data, value: this.bound };
  }

  /** Y, n × r, which is feasible to `details.rowSumError`, with Tr(Yᵀ D Y). */
  get last(): Point {
    return { x: this.factor.data, value: this.objective };
  }

  /** A copy of Y, n × r. */
  get factor(): DenseMatrix {
    return densified(this.places, this.inner?.last.x ?? this.values);
  }

  /** l₁ and l₂ in the unit of D: for the S that belongs to Y, see the recipe of `DualGuess`. Copies. */
  get multipliers(): { readonly trace: number; readonly rowSums: Float64Array } {
    return { trace: this.l.trace * this.scale, rowSums: this.l.rowSums.map((entry) => entry * this.scale) };
  }

  /** The best feasible point. */
  get lowerPoint(): FactoredPoint {
    return this.bestPoint;
  }

  /** Its value Tr(D Q), the offset included. */
  get lower(): number {
    return this.bound;
  }

  /** Goes on after the end, for at most 10 outer steps, with both tolerances at 0.3 of what they were. */
  tighten(): void {
    if (isClosed(this.problem)) return;
    this.sharpness *= TIGHTENING;
    this.outerLimit = this.outerCount + OUTER_MORE;
    this.outcome = undefined;
  }

  step(): Iteration<BurerMonteiroDetails> {
    if (this.outcome !== undefined) return this.iteration(this.phase);
    this.index++;
    if (isClosed(this.problem)) {
      this.outcome = { status: "converged", message: "Only one point is feasible; it is optimal." };
      return this.iteration("closed");
    }
    const { phase } = this;
    if (phase === "start") this.begin();
    else if (phase === "pricing") this.price();
    else if (phase === "inner") this.descend();
    else this.raise();
    return this.iteration(phase);
  }

  /** A part of the start. */
  private begin(): void {
    const { initialization } = this.options;
    if (initialization === "kmeans" && !this.oversegmentation.advance()) return;
    const Y = this.firstFactor();
    for (let k = 0; k < Y.length; k++) this.isPlace[k] = Y[k] > 0 ? 1 : 0;
    this.places = placesOf(this.n, this.r, this.isPlace);
    this.values = valuesAt(this.places, Y);
    balance(this.places, this.values, START_SWEEPS);
    const size = norm2(this.values);
    const factor = size > 0 ? Math.sqrt(this.problem.clusters) / size : 0;
    for (let k = 0; k < this.values.length; k++) this.values[k] *= factor;
    this.lagrangian = this.lagrangianOf(this.places);
    this.phase = "pricing";
  }

  private firstFactor(): Float64Array {
    const { n, r, random } = this;
    const { initialization, seed } = this.options;
    if (typeof initialization !== "string") return initialization.data;
    if (initialization === "symmetric-nmf")
      return symmetricNmf(this.problem.gram.dense(), r, { seed, maxIterations: NMF_ITERATIONS }).factor.data;
    const Y = new Float64Array(n * r);
    const size = initialization === "random" ? 1 : 0.3 / Math.sqrt(r);
    const density = Math.min(1, START_PLACES / r);
    for (let k = 0; k < Y.length; k++) {
      const u = random.uniform() / density;
      Y[k] = u < 1 ? size * u : 0;
    }
    if (initialization === "kmeans") {
      const labels = this.oversegmentation.assignment;
      for (let i = 0; i < n; i++) Y[i * r + labels[i]] += 1;
    }
    return Y;
  }

  private lagrangianOf(places: Places): Lagrangian {
    const { products, scale, problem, n, l } = this;
    return new Lagrangian(places, products, scale, problem.clusters, PENALTY / n, l);
  }

  /** The gradient of some more rows; after the last, inner steps on these places or on new ones, or their end. */
  private price(): void {
    const { n, r, lagrangian, isPlace } = this;
    if (this.cursor === 0) {
      if (this.inner === undefined) this.evaluate();
      this.violation = 0;
    }
    const rows = Math.max(1, Math.floor(WORK / this.products.rowCost(this.places)));
    const to = Math.min(n, this.cursor + rows);
    const gradient = lagrangian.rowsOfGradient(this.values, this.cursor, to);
    for (let i = this.cursor, from = 0; i < to; i++, from += r) this.mark(gradient, from, i * r);
    this.cursor = to;
    if (to < n) return;
    this.cursor = 0;
    this.measure = Math.sqrt(this.placesMeasure * this.placesMeasure + this.violation);
    this.objective = lagrangian.objective * this.scale + this.problem.gram.offset;
    const isDone = this.measure < this.target || this.innerCount >= INNER;
    const isComplete =
      this.inner !== undefined &&
      Math.sqrt(this.violation) <= MISSING * this.measure &&
      this.free >= KEPT * this.places.rows.length;
    if (!isDone && !isComplete) this.open();
    else for (let at = 0; at < isPlace.length; at++) if (isPlace[at] === 2) isPlace[at] = 0;
    this.phase = isDone ? "outer" : "inner";
    this.innerTarget = Math.max(0.5 * this.target, 0.1 * this.measure);
    this.sincePricing = 0;
  }

  /** Marks the places of a row that are to be added: those where L falls fastest, `ADDED` at most. */
  private mark(gradient: Float64Array, from: number, at: number): void {
    const { r, isPlace, steepest } = this;
    let count = 0;
    for (let j = 0; j < r; j++) {
      const g = gradient[from + j];
      if (!(g < 0) || isPlace[at + j] !== 0) continue;
      this.violation += g * g;
      if (count === ADDED && g >= gradient[from + steepest[ADDED - 1]]) continue;
      let k = count < ADDED ? count++ : ADDED - 1;
      for (; k > 0 && gradient[from + steepest[k - 1]] > g; k--) steepest[k] = steepest[k - 1];
      steepest[k] = j;
    }
    for (let k = 0; k < count; k++) isPlace[at + steepest[k]] = 2;
  }

  private evaluate(): void {
    const { values } = this;
    if (this.gradient.length !== values.length) this.gradient = new Float64Array(values.length);
    this.lagrangian.evaluate(values, this.gradient);
    this.evaluations++;
    let squares = 0;
    for (let k = 0; k < values.length; k++) {
      const step = Math.min(values[k], this.gradient[k]);
      squares += step * step;
    }
    this.placesMeasure = Math.sqrt(squares);
  }

  /** New places, and an inner solver on them. */
  private open(): void {
    const { n, r, isPlace, places } = this;
    if (this.inner !== undefined) this.evaluate();
    const { values, gradient } = this;
    for (let j = 0; j < r; j++)
      for (let k = places.starts[j]; k < places.starts[j + 1]; k++)
        if (values[k] === 0 && gradient[k] >= 0) isPlace[places.rows[k] * r + j] = 0;
    for (let at = 0; at < isPlace.length; at++) if (isPlace[at] === 2) isPlace[at] = 1;
    this.places = placesOf(n, r, isPlace);
    this.values = moved(places, values, this.places);
    this.lagrangian = this.lagrangianOf(this.places);
    this.firstStep = (0.1 * norm2(values)) / this.measure;
    this.inner = this.innerSolver();
    this.innerEvaluations = 0;
  }

  private innerSolver(): Lbfgsb {
    return new Lbfgsb(this.lagrangian, this.values, { memory: PAIRS, initialStep: this.firstStep });
  }

  /** One iteration of the inner solver. */
  private descend(): void {
    const { inner } = this;
    if (inner === undefined) return;
    const { gradientNorm = 0, evaluations, outcome, details } = inner.step();
    this.free = details.free;
    this.evaluations += evaluations - this.innerEvaluations;
    this.innerEvaluations = evaluations;
    this.measure = gradientNorm;
    this.objective = this.lagrangian.objective * this.scale + this.problem.gram.offset;
    this.innerCount++;
    this.sincePricing++;
    this.values = inner.last.x;
    this.placesMeasure = gradientNorm;
    const isSparser = this.free < SHRUNK * this.places.rows.length && this.sincePricing >= 4;
    if (
      gradientNorm >= this.innerTarget &&
      this.sincePricing < BETWEEN &&
      outcome === undefined &&
      !isSparser
    )
      return;
    this.phase = "pricing";
    if (outcome === undefined) return;
    if (this.sincePricing === 1) this.innerCount = INNER; // it gets no further
    this.inner = undefined;
  }

  /** The multipliers and the lower bound; whether to end. */
  private raise(): void {
    const { lagrangian, problem, n } = this;
    const { tolerance } = this.options;
    this.rowSumError = norm2(lagrangian.c) / Math.sqrt(n);
    this.traceError = lagrangian.excess;
    const point = repairFactor(problem.clusters, this.factor, REPAIR_SWEEPS);
    const bound = factoredValue(problem.gram, point);
    if (bound > this.bound) {
      this.bound = bound;
      this.bestPoint = point;
    }
    const change = Math.abs(bound - this.lastBound);
    const allowed = this.sharpness * Math.max(5 * tolerance, LEAST_ROW_SUM_ERROR);
    const isStill =
      change <= 0.3 * this.sharpness * tolerance * Math.abs(bound) && this.rowSumError <= allowed;
    this.lastBound = bound;
    lagrangian.updateMultipliers();
    this.inner?.refresh();
    this.outerCount++;
    this.target = Math.max(TIGHTENING * this.target, LEAST_TOLERANCE * this.sharpness);
    this.innerCount = 0;
    this.phase = this.inner === undefined ? "pricing" : "inner";
    this.innerTarget = 0;
    this.sincePricing = BETWEEN - FIRST_BETWEEN;
    if (isStill)
      this.outcome = {
        status: "converged",
        message: `The lower bound changed by ${change.toPrecision(3)} to ${bound}, and the row sums are right to ${this.rowSumError.toPrecision(3)}. This certifies nothing.`,
      };
    else if (this.outerCount >= this.outerLimit)
      this.outcome = {
        status: "stalled",
        message: `After ${this.outerCount} updates of the multipliers the lower bound still changes by ${change.toPrecision(3)}, or the row sums are wrong by ${this.rowSumError.toPrecision(3)}.`,
      };
  }

  private iteration(phase: string): Iteration<BurerMonteiroDetails> {
    const { bound, evaluations } = this;
    return {
      index: this.index,
      value: this.objective,
      gradientNorm: this.measure,
      stepLength: undefined,
      evaluations,
      gradientEvaluations: evaluations,
      monitoringEvaluations: this.outerCount,
      passes: evaluations,
      phase,
      details: {
        gap: Number.POSITIVE_INFINITY,
        lower: bound,
        upper: Number.POSITIVE_INFINITY,
        rowSumError: this.rowSumError,
        traceError: this.traceError,
        places: this.places.rows.length,
        outer: this.outerCount,
      },
      outcome: this.outcome,
    };
  }

  save(): Snapshot {
    const { index, evaluations, innerEvaluations, bound, lastBound, cursor, violation, target, innerTarget } =
      this;
    const { innerCount, sincePricing, outerCount, outerLimit, sharpness, objective, measure, rowSumError } =
      this;
    const { traceError, firstStep, phase, bestPoint, inner } = this;
    return {
      solver: this.name,
      version: VERSION,
      state: {
        ...{ index, evaluations, innerEvaluations, bound, lastBound, cursor, violation, target, innerTarget },
        ...{ innerCount, sincePricing, outerCount, outerLimit, sharpness, objective, measure, rowSumError },
        ...{ traceError, firstStep, phase },
        trace: this.l.trace,
        rowSums: this.l.rowSums.slice(),
        random: this.random.save(),
        start: phase === "start" ? this.oversegmentation.save() : null,
        isPlace: this.isPlace.slice(),
        values: this.values.slice(),
        factor: bestPoint.factor.data.slice(),
        diagonal: bestPoint.diagonal.slice(),
        constant: bestPoint.constant,
        sweeps: bestPoint.sweeps,
        inner: inner === undefined ? null : { ...inner.save() },
        outcome: this.outcome === undefined ? null : { ...this.outcome },
      },
    };
  }

  restore(snapshot: Snapshot): void {
    const { n, r } = this;
    const state = openSnapshot(snapshot, this.name, VERSION);
    const phase = phases.find((known) => known === state.text("phase"));
    if (phase === undefined)
      throw new CurvatureError("ERR_SNAPSHOT", `A phase of Burer-Monteiro is one of ${phases.join(", ")}.`, {
        path: "phase",
        expected: phases.join(", "),
        received: state.text("phase"),
      });
    const [trace, bound, lastBound, violation, target, innerTarget, sharpness, objective, measure] = [
      ...[
        "trace",
        "bound",
        "lastBound",
        "violation",
        "target",
        "innerTarget",
        "sharpness",
        "objective",
        "measure",
      ],
    ].map((key) => state.number(key));
    const [rowSumError, traceError, firstStep, constant] = [
      ...["rowSumError", "traceError", "firstStep", "constant"],
    ].map((key) => state.number(key));
    const [index, evaluations, innerEvaluations, innerCount, sincePricing, outerCount, outerLimit, sweeps] = [
      ...[
        "index",
        "evaluations",
        "innerEvaluations",
        "innerCount",
        "sincePricing",
        "outerCount",
        "outerLimit",
        "sweeps",
      ],
    ].map((key) => state.integer(key));
    const cursor = state.integer("cursor", 0, n);
    const rowSums = state.float64("rowSums", n);
    const isPlace = state.uint8("isPlace", n * r);
    const places = placesOf(
      n,
      r,
      isPlace.map((mark) => (mark === 1 ? 1 : 0)),
    );
    const values = state.float64("values", places.rows.length);
    const factor = state.float64("factor", n * r);
    const diagonal = state.float64("diagonal", n);
    const outcome = state.outcome("outcome");
    const random = state.uint32("random", 4);
    const takeStart = state.has("start") ? this.oversegmentation.read(state.object("start")) : undefined;
    const innerSnapshot = state.has("inner") ? state.snapshot("inner") : undefined;
    const l = { trace, rowSums: rowSums.slice() };
    const lagrangian = new Lagrangian(
      places,
      this.products,
      this.scale,
      this.problem.clusters,
      PENALTY / n,
      l,
    );
    const inner = innerSnapshot && new Lbfgsb(lagrangian, values, { memory: PAIRS, initialStep: firstStep });
    if (inner !== undefined && innerSnapshot !== undefined) inner.restore(innerSnapshot);
    this.random.restore(random);
    takeStart?.();
    this.isPlace.set(isPlace);
    this.phase = phase;
    this.l = l;
    this.places = places;
    this.values = values.slice();
    this.lagrangian = lagrangian;
    this.inner = inner;
    if (phase === "outer" || (phase === "pricing" && cursor > 0)) {
      this.gradient = new Float64Array(values.length);
      lagrangian.evaluate(this.values, this.gradient); // what the step that comes next takes from its point
    }
    this.bestPoint = {
      factor: { rows: n, columns: r, data: factor.slice() },
      diagonal: diagonal.slice(),
      constant,
      sweeps,
    };
    [this.bound, this.lastBound, this.violation, this.target] = [bound, lastBound, violation, target];
    [this.innerTarget, this.sharpness, this.firstStep] = [innerTarget, sharpness, firstStep];
    [this.objective, this.measure, this.rowSumError, this.traceError] = [
      objective,
      measure,
      rowSumError,
      traceError,
    ];
    [this.index, this.evaluations, this.innerEvaluations] = [index, evaluations, innerEvaluations];
    [this.innerCount, this.sincePricing, this.cursor] = [innerCount, sincePricing, cursor];
    [this.outerCount, this.outerLimit, this.outcome] = [outerCount, outerLimit, outcome];
  }
}

const phases: readonly Phase[] = ["start", "pricing", "inner", "outer"];

/** ‖D‖_F, or 1 where D is 0. */
function frobenius(gram: Gram): number {
  const { points } = gram;
  const D = points !== undefined && points.columns < points.rows ? transposedProduct(points) : gram.dense();
  const size = norm2(D.data);
  return size > 0 ? size : 1;
}

function isMatrix(value: unknown): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    "data" in value &&
    "rows" in value &&
    "columns" in value &&
    value.data instanceof Float64Array
  );
}

function checkFactor({ rows, columns, data }: DenseMatrix, n: number, r: number): void {
  if (rows !== n || columns !== r || data.length !== n * r)
    throw new CurvatureError(
      "ERR_SHAPE",
      `BurerMonteiro: initialization must be ${n} x ${r}; it is ${rows} x ${columns} of ${data.length} numbers.`,
      { path: "initialization", expected: `${n} x ${r}`, received: `${rows} x ${columns}` },
    );
  const at = data.findIndex((entry) => !(entry >= 0 && entry < Number.POSITIVE_INFINITY));
  if (at >= 0 || !data.some((entry) => entry > 0))
    throw new CurvatureError(
      "ERR_ARGUMENT",
      at >= 0
        ? `BurerMonteiro: initialization must be at least 0 and finite; row ${Math.floor(at / r)}, column ${at % r} (counted from 0) has ${data[at]}.`
        : "BurerMonteiro: initialization is zero; it must have a positive entry.",
      { path: "initialization", expected: "numbers of at least 0", received: data[at] },
    );
}
