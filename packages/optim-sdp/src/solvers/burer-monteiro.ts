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
import type { DenseMatrix } from "@curvature/linalg";
import { type Iteration, openSnapshot, type Point, type Snapshot, type Solver } from "@curvature/optim-core";
import type { FactoredPoint } from "../bounds/factored-point.js";
import { checkMemory } from "../memory.js";
import {
  checkProblem,
  isClosed,
  type NomadProblem,
  onlyOneFeasible,
  problemFingerprint,
} from "../problem.js";
import { densified } from "./burer-monteiro-factor.js";
import { FactorIteration } from "./burer-monteiro-iteration.js";
import {
  type BurerMonteiroOptions,
  type BurerMonteiroSettings,
  checkBurerMonteiro,
} from "./burer-monteiro-options.js";

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
  /** Entries of Y that may be positive. */
  readonly places: number;
  /** Outer steps that were made. */
  readonly outer: number;
}

const VERSION = 1;
/** Of one place of Y before the first step: its list, its mark, and those of the best point. */
const PLACE_BYTES = 24;

export class BurerMonteiro implements Solver<BurerMonteiroDetails> {
  readonly name = "burer-monteiro";
  readonly dimension: number;
  readonly fingerprint: string;
  readonly options: BurerMonteiroSettings;
  private readonly state: FactorIteration;

  /** @throws CurvatureError ERR_OPTION, ERR_ARGUMENT, ERR_SHAPE, ERR_MEMORY */
  constructor(
    private readonly problem: NomadProblem,
    options?: BurerMonteiroOptions,
  ) {
    checkProblem("BurerMonteiro", problem);
    const { settings, r } = checkBurerMonteiro(problem, options);
    const { gram } = problem;
    const { n } = gram;
    checkMemory("BurerMonteiro", `a factor of ${n} x ${r}`, PLACE_BYTES * n * r, gram.memoryLimit);
    this.options = settings;
    this.dimension = n * r;
    this.fingerprint = problemFingerprint(problem);
    this.state = new FactorIteration(problem, settings, r);
  }

  /** The factor of the best feasible point, n × r, with its value; the point has a diagonal too, see `lowerPoint`. */
  get best(): Point {
    return { x: this.state.best.factor.data, value: this.lower };
  }

  /** Y, n × r, which is feasible to `details.rowSumError`, with Tr(Yᵀ D Y). */
  get last(): Point {
    return { x: this.factor.data, value: this.state.now.objective };
  }

  /** A copy of Y, n × r. */
  get factor(): DenseMatrix {
    return densified(this.state.places, this.state.current);
  }

  /**
   * l₁ and l₂ in the unit of D, copies: −2 (D + l₁ I + (l₂ 1ᵀ + 1 l₂ᵀ)/2) Y, the gradient of the Lagrangian, is 0 where
   * Y > 0 and at least 0 elsewhere, to the inner tolerance.
   */
  get multipliers(): { readonly trace: number; readonly rowSums: Float64Array } {
    const { l, scale } = this.state;
    return { trace: l.trace * scale, rowSums: l.rowSums.map((entry) => entry * scale) };
  }

  /** The best feasible point. */
  get lowerPoint(): FactoredPoint {
    return this.state.best;
  }

  /** Its value Tr(D Q), the offset included. */
  get lower(): number {
    return this.state.now.bound;
  }

  /** Whether it has come to an end. */
  get isOver(): boolean {
    return this.state.outcome !== undefined;
  }

  /** Goes on after the end, for at most 10 outer steps, with both tolerances at 0.3 of what they were. */
  tighten(): void {
    if (!isClosed(this.problem)) this.state.tighten();
  }

  step(): Iteration<BurerMonteiroDetails> {
    const { state } = this;
    const { phase } = state;
    if (this.isOver) return this.iteration(phase);
    state.now.index++;
    if (isClosed(this.problem)) {
      state.outcome = onlyOneFeasible;
      return this.iteration("closed");
    }
    state.advance();
    return this.iteration(phase);
  }

  private iteration(phase: string): Iteration<BurerMonteiroDetails> {
    const { now, places, outcome } = this.state;
    return {
      index: now.index,
      value: now.objective,
      gradientNorm: Number.isNaN(now.measure) ? undefined : now.measure, // not measured yet
      stepLength: undefined,
      evaluations: now.evaluations,
      gradientEvaluations: now.evaluations,
      monitoringEvaluations: now.outerCount,
      passes: now.evaluations,
      phase,
      details: {
        gap: Number.POSITIVE_INFINITY,
        lower: now.bound,
        upper: Number.POSITIVE_INFINITY,
        rowSumError: now.rowSumError,
        traceError: now.traceError,
        places: places.rows.length,
        outer: now.outerCount,
      },
      outcome,
    };
  }

  save(): Snapshot {
    return { solver: this.name, version: VERSION, state: this.state.save() };
  }

  restore(snapshot: Snapshot): void {
    this.state.read(openSnapshot(snapshot, this.name, VERSION))();
  }
}
