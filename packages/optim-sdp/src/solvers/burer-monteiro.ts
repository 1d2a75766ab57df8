/**
 * NOMAD by Burer and Monteiro's factorisation: Q = Y Yᵀ with Y ≥ 0 (n × r), hence Q ⪰ 0 and Q ≥ 0, in memory O(n (r + d)).
 *
 * Problem     maximise Tr(Yᵀ D Y)  s.t.  Y Yᵀ 1 = 1,  ‖Y‖²_F = K,  Y ≥ 0
 * Outer       minimise the augmented Lagrangian L(Y; l₁, l₂), see `burer-monteiro-lagrangian.ts`, to ‖∇_P L‖ < g_t
 *             l₁ ← l₁ − s₁ (‖Y‖²_F − K),  l₂ ← l₂ − s₂ c;  g_t ← max(0.3 g_t, 1e-5), from 1e-2
 * Inner       L-BFGS-B on the entries of Y that may be positive, the places; all other entries are 0
 * Pricing     the gradient in all n r entries: places come in where Y = 0 and ∂L < 0, the 8 steepest of a row, and go where
 *             Y = 0 and ∂L ≥ 0; the more seldom the less it finds
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
 * right, Y ≤ 1 is left out (it follows), and only entries that may be positive are computed with. At the solution they
 * are few, 4 to 8 in a row for any r, so that an evaluation costs 4 n d times these instead of 4 n d r; or, with D formed
 * where n is below some d or r d (see `burer-monteiro-products.ts`), less still.
 *
 * The problem in Y is not convex, and completely positive Q are not all Q: with a tolerance of 1e-4 the value ends below
 * NOMAD's by 4e-5 on 250 digits, by 3e-4 to 1e-3 on 178 zeros from one seed to another, by 7e-4 on two rings with K = 8.
 * The bound is rigorous, the stop certifies nothing: for that S is needed, of which the multipliers give a good guess.
 *
 * A step is a part of the start, of a pricing, one inner iteration, or an outer update. Memory: the points, some 25 numbers
 * for each place, n r for the best point and n r bytes; where D is formed n² and, for each column, the square of its places.
 */
import {
  CurvatureError,
  type DenseMatrix,
  norm2,
  RandomGenerator,
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
import { checkMemory } from "../memory.js";
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
import {
  type BurerMonteiroOptions,
  type BurerMonteiroSettings,
  checkBurerMonteiro,
} from "./burer-monteiro-options.js";
import { type FactorProducts, factorProducts } from "./burer-monteiro-products.js";
import { BETWEEN, firstProgress, type Progress, readProgress } from "./burer-monteiro-progress.js";
import { Oversegmentation, WORK } from "./burer-monteiro-start.js";

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
/** Of one place of Y before the first step: its list, its mark, and those of the best point. */
const PLACE_BYTES = 24;
const PENALTY = 3;
const PAIRS = 8;
/** g_t: factor, floor. */
const TIGHTENING = 0.3;
const LEAST_TOLERANCE = 1e-5;
/** Inner iterations in one outer step. */
const INNER = 100;
/** Places that one pricing may add to a row. */
const ADDED = 8;
/** Share of the gradient outside the places up to which they are kept. */
const MISSING = 0.3;
/** Share of the places that must be free for them to be kept, and below which they are looked at at once. */
const KEPT = 0.8;
const SHRUNK = 0.5;
/** Inner iterations between new multipliers and the pricing, and the least before another. */
const FIRST_BETWEEN = 5;
const LEAST_BETWEEN = 4;
const OUTER_MORE = 10;
/** ‖c‖/√n that no tolerance asks to be below. */
const LEAST_ROW_SUM_ERROR = 3e-4;
const REPAIR_SWEEPS = 100;
const NMF_ITERATIONS = 100;
/** Positive entries in a row of the first Y, about. */
const START_PLACES = 8;
const START_SWEEPS = 20;

type Phase = "start" | "pricing" | "inner" | "outer";

export class BurerMonteiro implements Solver<BurerMonteiroDetails> {
  readonly name = "burer-monteiro";
  readonly dimension: number;
  readonly fingerprint: string;
  readonly options: BurerMonteiroSettings;
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
  private bestPoint: FactoredPoint;
  private now: Progress;
  private outcome: Outcome | undefined;

  /** @throws CurvatureError ERR_OPTION, ERR_ARGUMENT, ERR_SHAPE, ERR_MEMORY */
  constructor(
    private readonly problem: NomadProblem,
    options?: BurerMonteiroOptions,
  ) {
    checkProblem("BurerMonteiro", problem);
    const { settings, r } = checkBurerMonteiro(problem, options);
    const { gram, clusters: K } = problem;
    const { n } = gram;
    checkMemory("BurerMonteiro", `a factor of ${n} x ${r}`, PLACE_BYTES * n * r, gram.memoryLimit);
    this.options = settings;
    this.n = n;
    this.r = r;
    this.dimension = n * r;
    this.fingerprint = problemFingerprint(problem);
    this.scale = frobenius(gram);
    this.products = factorProducts(gram, r);
    this.random = new RandomGenerator(settings.seed);
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
    this.now = firstProgress(centralValue(problem));
  }

  /** The factor of the best feasible point, n × r, with its value; the point has a diagonal too, see `lowerPoint`. */
  get best(): Point {
    return { x: this.bestPoint.factor.data, value: this.now.bound };
  }

  /** Y, n × r, which is feasible to `details.rowSumError`, with Tr(Yᵀ D Y). */
  get last(): Point {
    return { x: this.factor.data, value: this.now.objective };
  }

  /** A copy of Y, n × r. */
  get factor(): DenseMatrix {
    return densified(this.places, this.inner?.last.x ?? this.values);
  }

  /**
   * l₁ and l₂ in the unit of D, copies: −2 (D + l₁ I + (l₂ 1ᵀ + 1 l₂ᵀ)/2) Y, the gradient of the Lagrangian, is 0 where
   * Y > 0 and at least 0 elsewhere, to the inner tolerance.
   */
  get multipliers(): { readonly trace: number; readonly rowSums: Float64Array } {
    return { trace: this.l.trace * this.scale, rowSums: this.l.rowSums.map((entry) => entry * this.scale) };
  }

  /** The best feasible point. */
  get lowerPoint(): FactoredPoint {
    return this.bestPoint;
  }

  /** Its value Tr(D Q), the offset included. */
  get lower(): number {
    return this.now.bound;
  }

  /** Whether it has come to an end. */
  get isOver(): boolean {
    return this.outcome !== undefined;
  }

  /** Goes on after the end, for at most 10 outer steps, with both tolerances at 0.3 of what they were. */
  tighten(): void {
    if (isClosed(this.problem)) return;
    this.now.sharpness *= TIGHTENING;
    this.now.outerLimit = this.now.outerCount + OUTER_MORE;
    this.outcome = undefined;
  }

  step(): Iteration<BurerMonteiroDetails> {
    if (this.outcome !== undefined) return this.iteration(this.phase);
    this.now.index++;
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

  private lagrangianOf(places: Places, l = this.l): Lagrangian {
    const { products, scale, problem, n } = this;
    return new Lagrangian(places, products, scale, problem.clusters, PENALTY / n, l);
  }

  /** The gradient of some more rows; after the last, inner steps on these places or on new ones, or their end. */
  private price(): void {
    const { n, r, lagrangian, isPlace } = this;
    if (this.now.cursor === 0) {
      if (this.inner === undefined) this.evaluate();
      this.now.violation = 0;
    }
    const rows = Math.max(1, Math.floor(WORK / this.products.rowCost(this.places)));
    const to = Math.min(n, this.now.cursor + rows);
    const gradient = lagrangian.rowsOfGradient(this.values, this.now.cursor, to);
    for (let i = this.now.cursor, from = 0; i < to; i++, from += r) this.mark(gradient, from, i * r);
    this.now.cursor = to;
    if (to < n) return;
    this.now.cursor = 0;
    this.now.measure = Math.sqrt(this.now.placesMeasure * this.now.placesMeasure + this.now.violation);
    this.now.objective = lagrangian.objective * this.scale + this.problem.gram.offset;
    const isDone = this.now.measure < this.now.target || this.now.innerCount >= INNER;
    const isComplete =
      this.inner !== undefined &&
      Math.sqrt(this.now.violation) <= MISSING * this.now.measure &&
      this.now.free >= KEPT * this.places.rows.length;
    if (!isDone && !isComplete) this.open();
    else for (let at = 0; at < isPlace.length; at++) if (isPlace[at] === 2) isPlace[at] = 0;
    this.phase = isDone ? "outer" : "inner";
    this.now.innerTarget = Math.max(0.5 * this.now.target, 0.1 * this.now.measure);
    this.now.sincePricing = 0;
    this.now.between = isComplete ? Math.min(2 * this.now.between, INNER) : BETWEEN;
  }

  /** Marks the places of a row that are to be added: those where L falls fastest, `ADDED` at most. */
  private mark(gradient: Float64Array, from: number, at: number): void {
    const { r, isPlace, steepest } = this;
    let count = 0;
    for (let j = 0; j < r; j++) {
      const g = gradient[from + j];
      if (!(g < 0) || isPlace[at + j] !== 0) continue;
      this.now.violation += g * g;
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
    this.now.evaluations++;
    let squares = 0;
    for (let k = 0; k < values.length; k++) {
      const step = Math.min(values[k], this.gradient[k]);
      squares += step * step;
    }
    this.now.placesMeasure = Math.sqrt(squares);
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
    this.now.firstStep = (0.1 * norm2(values)) / this.now.measure;
    this.inner = innerSolver(this.lagrangian, this.values, this.now.firstStep);
    this.now.innerEvaluations = 0;
  }

  /** One iteration of the inner solver. */
  private descend(): void {
    const { inner } = this;
    if (inner === undefined) return;
    const { gradientNorm = 0, evaluations, outcome, details } = inner.step();
    this.now.free = details.free;
    this.now.evaluations += evaluations - this.now.innerEvaluations;
    this.now.innerEvaluations = evaluations;
    this.now.measure = gradientNorm;
    this.now.objective = this.lagrangian.objective * this.scale + this.problem.gram.offset;
    this.now.innerCount++;
    this.now.sincePricing++;
    this.values = inner.last.x;
    this.now.placesMeasure = gradientNorm;
    const isSparser =
      this.now.free < SHRUNK * this.places.rows.length && this.now.sincePricing >= LEAST_BETWEEN;
    const isOver =
      this.now.sincePricing >= this.now.between || this.now.innerCount >= INNER || outcome !== undefined;
    if (gradientNorm >= this.now.innerTarget && !isOver && !isSparser) return;
    this.phase = "pricing";
    if (outcome === undefined) return;
    if (this.now.sincePricing === 1) this.now.innerCount = INNER; // it gets no further
    this.inner = undefined;
  }

  /** The multipliers and the lower bound; whether to end. */
  private raise(): void {
    const { lagrangian, n } = this;
    const { tolerance } = this.options;
    this.now.rowSumError = norm2(lagrangian.c) / Math.sqrt(n);
    this.now.traceError = lagrangian.excess;
    if (!this.values.some((value) => value > 0)) {
      this.outcome = {
        status: "stalled",
        message: `Y has become 0, from which no gradient leads away. Take a larger rank than ${this.r}, or another seed.`,
      };
      return;
    }
    const { point, value: bound } = this.repaired();
    if (bound > this.now.bound) {
      this.now.bound = bound;
      this.bestPoint = point;
    }
    const change = Math.abs(bound - this.now.lastBound);
    const allowed = this.now.sharpness * Math.max(5 * tolerance, LEAST_ROW_SUM_ERROR);
    const isStill =
      change <= 0.3 * this.now.sharpness * tolerance * Math.abs(bound) && this.now.rowSumError <= allowed;
    this.now.lastBound = bound;
    lagrangian.updateMultipliers();
    this.inner?.refresh();
    this.now.outerCount++;
    this.now.target = Math.max(TIGHTENING * this.now.target, LEAST_TOLERANCE * this.now.sharpness);
    this.now.innerCount = 0;
    this.phase = this.inner === undefined ? "pricing" : "inner";
    this.now.innerTarget = 0;
    this.now.between = FIRST_BETWEEN;
    this.now.sincePricing = 0;
    if (isStill)
      this.outcome = {
        status: "converged",
        message: `The lower bound changed by ${change.toPrecision(3)} to ${bound}, and the row sums are right to ${this.now.rowSumError.toPrecision(3)}. This certifies nothing.`,
      };
    else if (this.now.outerCount >= this.now.outerLimit)
      this.outcome = {
        status: "stalled",
        message: `After ${this.now.outerCount} updates of the multipliers the lower bound still changes by ${change.toPrecision(3)}, or the row sums are wrong by ${this.now.rowSumError.toPrecision(3)}.`,
      };
  }

  /** Y made feasible, with its value. The sweeps and the product are those of the places, 100 of one and one of the other. */
  private repaired(): { readonly point: FactoredPoint; readonly value: number } {
    const { n, places, products, problem } = this;
    const values = this.values.slice();
    const hasEmptyRow = balance(places, values, REPAIR_SWEEPS);
    const point = repairFactor(problem.clusters, densified(places, values), hasEmptyRow ? REPAIR_SWEEPS : 0);
    if (hasEmptyRow) return { point, value: factoredValue(problem.gram, point) }; // it has entries beyond the places
    let value =
      problem.gram.offset + products.atPlaces(places, valuesAt(places, point.factor.data), undefined);
    for (let i = 0; i < n; i++) value += problem.gram.diagonal[i] * point.diagonal[i];
    return { point, value };
  }

  private iteration(phase: string): Iteration<BurerMonteiroDetails> {
    const { bound, evaluations } = this.now;
    return {
      index: this.now.index,
      value: this.now.objective,
      gradientNorm: this.now.measure,
      stepLength: undefined,
      evaluations,
      gradientEvaluations: evaluations,
      monitoringEvaluations: this.now.outerCount,
      passes: evaluations,
      phase,
      details: {
        gap: Number.POSITIVE_INFINITY,
        lower: bound,
        upper: Number.POSITIVE_INFINITY,
        rowSumError: this.now.rowSumError,
        traceError: this.now.traceError,
        places: this.places.rows.length,
        outer: this.now.outerCount,
      },
      outcome: this.outcome,
    };
  }

  save(): Snapshot {
    const { phase, bestPoint, inner } = this;
    return {
      solver: this.name,
      version: VERSION,
      state: {
        progress: { ...this.now },
        phase,
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
        tolerance: this.options.tolerance,
        inner: inner === undefined ? null : { ...inner.save() },
        outcome: this.outcome === undefined ? null : { ...this.outcome },
      },
    };
  }

  restore(snapshot: Snapshot): void {
    const { n, r } = this;
    const state = openSnapshot(snapshot, this.name, VERSION);
    const now = readProgress(state.object("progress"), n);
    const phase = phaseOf(state.text("phase"));
    const l = { trace: state.number("trace"), rowSums: state.float64("rowSums", n).slice() };
    const random = state.uint32("random", 4);
    const takeStart = state.has("start") ? this.oversegmentation.read(state.object("start")) : undefined;
    const isPlace = state.uint8("isPlace", n * r);
    const places = placesOf(
      n,
      r,
      isPlace.map((mark) => (mark === 1 ? 1 : 0)),
    );
    const values = state.float64("values", places.rows.length).slice();
    const factor = { rows: n, columns: r, data: state.float64("factor", n * r).slice() };
    const diagonal = state.float64("diagonal", n).slice();
    const bestPoint = {
      factor,
      diagonal,
      constant: state.number("constant"),
      sweeps: state.integer("sweeps"),
    };
    const tolerance = state.number("tolerance");
    const outcome = state.outcome("outcome");
    const lagrangian = this.lagrangianOf(places, l);
    let inner: Lbfgsb | undefined;
    if (state.has("inner")) {
      inner = innerSolver(lagrangian, values, now.firstStep);
      inner.restore(state.snapshot("inner"));
    }
    this.random.restore(random);
    takeStart?.();
    this.isPlace.set(isPlace);
    this.now = now;
    this.phase = phase;
    this.l = l;
    this.places = places;
    this.values = values;
    this.lagrangian = lagrangian;
    this.inner = inner;
    this.bestPoint = bestPoint;
    // The end at a larger tolerance than this one's is none.
    const isOver = outcome?.status !== "converged" || this.options.tolerance >= tolerance;
    this.outcome = isOver || isClosed(this.problem) ? outcome : undefined;
    this.gradient = new Float64Array(values.length);
    // What the next step takes from the point is no part of the snapshot: it is computed anew.
    if (phase === "outer" || phase === "pricing") lagrangian.evaluate(values, this.gradient);
  }
}

function innerSolver(lagrangian: Lagrangian, values: Float64Array, initialStep: number): Lbfgsb {
  return new Lbfgsb(lagrangian, values, { memory: PAIRS, initialStep });
}

const phases: readonly Phase[] = ["start", "pricing", "inner", "outer"];

/** @throws CurvatureError ERR_SNAPSHOT */
function phaseOf(name: string): Phase {
  const phase = phases.find((known) => known === name);
  if (phase !== undefined) return phase;
  throw new CurvatureError("ERR_SNAPSHOT", `A phase of Burer-Monteiro is one of ${phases.join(", ")}.`, {
    path: "phase",
    expected: phases.join(", "),
    received: name,
  });
}

/** ‖D‖_F, or 1 where D is 0. */
function frobenius(gram: Gram): number {
  const { points } = gram;
  const D = points !== undefined && points.columns < points.rows ? transposedProduct(points) : gram.dense();
  const size = norm2(D.data);
  return size > 0 ? size : 1;
}
