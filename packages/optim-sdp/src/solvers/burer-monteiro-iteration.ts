/**
 * The iteration of Burer-Monteiro between its snapshots: start, pricing, inner steps, outer updates. See `burer-monteiro.ts` for
 * the method.
 */
import { norm2, RandomGenerator } from "@curvature/linalg";
import { Lbfgsb, type Outcome, type SnapshotReader, type SnapshotValue } from "@curvature/optim-core";
import { type FactoredPoint, readPoint, savedPoint } from "../bounds/factored-point.js";
import { centralCoefficients, centralValue, isClosed, type NomadProblem } from "../problem.js";
import { repairedAt } from "./burer-monteiro-bound.js";
import { Candidates } from "./burer-monteiro-candidates.js";
import { balance, moved, type Places, placesOf, valuesAt } from "./burer-monteiro-factor.js";
import { Lagrangian } from "./burer-monteiro-lagrangian.js";
import type { BurerMonteiroSettings } from "./burer-monteiro-options.js";
import { factorProducts, frobenius } from "./burer-monteiro-products.js";
import { firstProgress, type Progress, readProgress } from "./burer-monteiro-progress.js";
import {
  arePlacesKept,
  endInner,
  endOf,
  isInnerDone,
  isPricingDue,
  planAfterMultipliers,
  planAfterPricing,
  sharpen,
  vanished,
} from "./burer-monteiro-schedule.js";
import { firstFactor, Oversegmentation, WORK } from "./burer-monteiro-start.js";
import type { FactorProducts } from "./factor-products.js";

const PENALTY = 3;
const PAIRS = 8;
const START_SWEEPS = 20;

const phases = ["start", "pricing", "inner", "outer"] as const;
export type Phase = (typeof phases)[number];

export class FactorIteration {
  private readonly n: number;
  /** ‖D‖_F */
  readonly scale: number;
  private readonly products: FactorProducts;
  private readonly random: RandomGenerator;
  private readonly oversegmentation: Oversegmentation;
  private readonly candidates: Candidates;
  phase: Phase = "start";
  /** l₁ and l₂ in the unit of D̂. */
  l: { trace: number; readonly rowSums: Float64Array };
  places: Places;
  /** Of Y at the places. */
  private values: Float64Array;
  private gradient: Float64Array;
  private lagrangian: Lagrangian;
  private inner: Lbfgsb | undefined;
  /** The best feasible point. */
  best: FactoredPoint;
  now: Progress;
  outcome: Outcome | undefined;

  constructor(
    private readonly problem: NomadProblem,
    private readonly options: BurerMonteiroSettings,
    private readonly r: number,
  ) {
    const { gram, clusters: K } = problem;
    const { n } = gram;
    this.n = n;
    this.scale = frobenius(gram);
    this.products = factorProducts(gram, r);
    this.random = new RandomGenerator(options.seed);
    this.oversegmentation = new Oversegmentation(gram, this.products, r, this.random);
    this.candidates = new Candidates(n, r);
    this.l = { trace: 0, rowSums: new Float64Array(n) };
    this.places = placesOf(n, r, this.candidates.marks);
    this.values = new Float64Array(0);
    this.gradient = this.values;
    this.lagrangian = this.lagrangianOf(this.places);
    const { a } = centralCoefficients(n, K);
    const factor = { rows: n, columns: r, data: new Float64Array(n * r) };
    this.best = { factor, diagonal: new Float64Array(n).fill(a), constant: 1 - a, sweeps: 0 };
    this.now = firstProgress(centralValue(problem));
  }

  /** Y at the places. */
  get current(): Float64Array {
    return this.inner?.last.x ?? this.values;
  }

  /** Goes on after the end, for at most 10 outer steps, with both tolerances at 0.3 of what they were. */
  tighten(): void {
    sharpen(this.now);
    this.outcome = undefined;
  }

  /** One step of the phase at hand. */
  advance(): void {
    const { phase } = this;
    if (phase === "start") this.begin();
    else if (phase === "pricing") this.price();
    else if (phase === "inner") this.descend();
    else this.raise();
  }

  /** A part of the start. */
  private begin(): void {
    const { problem, options, r, random, oversegmentation } = this;
    if (options.initialization === "kmeans" && !oversegmentation.advance()) return;
    const Y = firstFactor(problem.gram, r, options, random, oversegmentation.assignment);
    this.places = this.candidates.begin(Y);
    this.values = valuesAt(this.places, Y);
    balance(this.places, this.values, START_SWEEPS);
    const size = norm2(this.values);
    const factor = size > 0 ? Math.sqrt(this.problem.clusters) / size : 0;
    for (let k = 0; k < this.values.length; k++) this.values[k] *= factor;
    this.lagrangian = this.lagrangianOf(this.places);
    this.phase = "pricing";
  }

  private lagrangianOf(places: Places, l = this.l): Lagrangian {
    const { products, scale, problem, n } = this;
    return new Lagrangian(places, products, scale, problem.clusters, PENALTY / n, l);
  }

  /** The gradient of some more rows; after the last, inner steps on these places or on new ones, or their end. */
  private price(): void {
    const { n, r, lagrangian, candidates } = this;
    if (this.now.cursor === 0) {
      if (this.inner === undefined) this.evaluate();
      this.now.violation = 0;
    }
    const rows = Math.max(1, Math.floor(WORK / this.products.rowCost(this.places)));
    const to = Math.min(n, this.now.cursor + rows);
    const gradient = lagrangian.rowsOfGradient(this.values, this.now.cursor, to);
    for (let i = this.now.cursor, from = 0; i < to; i++, from += r)
      this.now.violation = candidates.price(gradient, from, i, this.now.violation);
    this.now.cursor = to;
    if (to < n) return;
    this.now.cursor = 0;
    this.now.measure = Math.sqrt(this.now.placesMeasure * this.now.placesMeasure + this.now.violation);
    this.now.objective = lagrangian.objective * this.scale + this.problem.gram.offset;
    const isDone = isInnerDone(this.now);
    const isComplete = this.inner !== undefined && arePlacesKept(this.now, this.places.rows.length);
    if (!isDone && !isComplete) this.open();
    else candidates.forget();
    this.phase = isDone ? "outer" : "inner";
    planAfterPricing(this.now, isComplete);
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
    const { places } = this;
    if (this.inner !== undefined) this.evaluate();
    const { values, gradient } = this;
    this.places = this.candidates.exchange(places, values, gradient);
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
    if (outcome === undefined && !isPricingDue(this.now, this.places.rows.length)) return;
    this.phase = "pricing";
    if (outcome === undefined) return;
    endInner(this.now);
    this.inner = undefined;
  }

  /** The multipliers and the lower bound; whether to end. */
  private raise(): void {
    const { lagrangian, n } = this;
    this.now.rowSumError = norm2(lagrangian.c) / Math.sqrt(n);
    this.now.traceError = lagrangian.excess;
    if (!this.values.some((value) => value > 0)) {
      this.outcome = vanished(this.r);
      return;
    }
    const { point, value: bound } = repairedAt(this.problem, this.places, this.values, this.products);
    if (bound > this.now.bound) {
      this.now.bound = bound;
      this.best = point;
    }
    const change = Math.abs(bound - this.now.lastBound);
    this.now.lastBound = bound;
    lagrangian.updateMultipliers();
    this.inner?.refresh();
    planAfterMultipliers(this.now);
    this.phase = this.inner === undefined ? "pricing" : "inner";
    this.outcome = endOf(this.now, bound, change, this.options.tolerance);
  }

  save(): { readonly [key: string]: SnapshotValue } {
    const { phase, best, inner } = this;
    return {
      progress: { ...this.now },
      phase,
      trace: this.l.trace,
      rowSums: this.l.rowSums.slice(),
      random: this.random.save(),
      start: phase === "start" ? this.oversegmentation.save() : null,
      isPlace: this.candidates.marks.slice(),
      values: this.values.slice(),
      ...savedPoint(best),
      tolerance: this.options.tolerance,
      inner: inner === undefined ? null : { ...inner.save() },
      outcome: this.outcome === undefined ? null : { ...this.outcome },
    };
  }

  /** Reads all fields, and gives back what takes them. @throws CurvatureError ERR_SNAPSHOT */
  read(state: SnapshotReader): () => void {
    const { n, r } = this;
    const now = readProgress(state.object("progress"), n);
    const phase = state.oneOf("phase", phases);
    const l = { trace: state.number("trace"), rowSums: state.float64("rowSums", n).slice() };
    const random = state.uint32("random", 4);
    const takeStart = state.has("start") ? this.oversegmentation.read(state.object("start")) : undefined;
    const marks = state.uint8("isPlace", n * r);
    const places = placesOf(
      n,
      r,
      marks.map((mark) => (mark === 1 ? 1 : 0)),
    );
    const values = state.float64("values", places.rows.length).slice();
    const best = readPoint(state, n, r);
    const tolerance = state.number("tolerance");
    const outcome = state.outcome("outcome");
    const lagrangian = this.lagrangianOf(places, l);
    let inner: Lbfgsb | undefined;
    if (state.has("inner")) {
      inner = innerSolver(lagrangian, values, now.firstStep);
      inner.restore(state.snapshot("inner"));
    }
    return () => {
      this.random.restore(random);
      takeStart?.();
      this.candidates.marks.set(marks);
      this.now = now;
      this.phase = phase;
      this.l = l;
      this.places = places;
      this.values = values;
      this.lagrangian = lagrangian;
      this.inner = inner;
      this.best = best;
      // The end at a larger tolerance than this one's is none.
      const isOver = outcome?.status !== "converged" || this.options.tolerance >= tolerance;
      this.outcome = isOver || isClosed(this.problem) ? outcome : undefined;
      this.gradient = new Float64Array(values.length);
      // What the next step takes from the point is no part of the snapshot: it is computed anew.
      if (phase === "outer" || phase === "pricing") lagrangian.evaluate(values, this.gradient);
    };
  }
}

function innerSolver(lagrangian: Lagrangian, values: Float64Array, initialStep: number): Lbfgsb {
  return new Lbfgsb(lagrangian, values, { memory: PAIRS, initialStep });
}
