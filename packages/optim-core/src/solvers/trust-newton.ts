/**
 * Newton's method in a trust region, its subproblem solved by eigenvalues: for problems of up to some hundred variables.
 *
 * Model       m(p) = f + gᵀp + ½ pᵀHp,   p = argmin m(p)  s.t.  ‖D p‖ ≤ Δ,   D_i = √|H_ii|, or 1                  (4.3)
 * Solution    D⁻¹HD⁻¹ = V diag(u) Vᵀ,  c = VᵀD⁻¹g,  D p = −V (c / (u + λ)),   λ ≥ max(0, −min u) with ‖D p‖ = Δ,
 *             or 0 where that p is within                                                                         (4.38)
 * Iteration   ρ = (f(x) − f(x + p)) / (m(0) − m(p));  x ← x + p where ρ ≥ 1e-4
 *             ρ < ¼: Δ ← ‖D p‖/4;   ρ > ¾ and ‖D p‖ = Δ: Δ ← 2 Δ, and 10 Δ along a p without positive curvature
 *
 * | symbol | variable       | shape                                                                                 |
 * |--------|----------------|---------------------------------------------------------------------------------------|
 * | H      | H              | n x n: n products by the objective's `hessianVector`, or n differences of its gradient  |
 * | Δ      | radius         | ‖D x‖ in the first step, or ‖D⁻¹g‖ where x is 0                                       |
 *
 * Nocedal, Wright: Numerical Optimization, 2nd ed. (2006), Algorithms 4.1 and 4.3; Moré, Sorensen: Computing a trust region
 * step. SIAM J. Sci. Stat. Comput. 4 (1983) 553-572. Time 9 n³ for a step beside evaluations, memory 3 n².
 * Differs from the book: the region is an ellipsoid by the curvatures along the axes, so that units of x do not matter; one
 * eigendecomposition serves all radii of a step. The end is looked for as in `descent.ts`.
 */
import {
  type DenseMatrix,
  dot,
  norm2,
  type OptionsOf,
  optionTable,
  type SettingsOf,
  symmetricEigen,
  zeros,
} from "@curvature/linalg";
import { clearOf, valueNoise } from "../line-search/noise.js";
import { searchWolfe } from "../line-search/strong-wolfe.js";
import { endless } from "../line-search/unbounded.js";
import type { Objective } from "../problem.js";
import { number, stateOf } from "../state.js";
import { DescentSolver } from "./descent.js";
import { LbfgsMemory, WITNESSES } from "./lbfgs-memory.js";
import { norm1 } from "./line-standpoint.js";
import { differenceStep, shiftOf } from "./newton-look.js";

export const trustNewtonOptions = optionTable({ valueNoise });
export type TrustNewtonOptions = OptionsOf<typeof trustNewtonOptions>;

const ACCEPTED = 1e-4;
const POOR = 0.25;
const GOOD = 0.75;
const MAX_TRIALS = 40;

/** The model in the basis of its eigenvectors. */
interface Model {
  readonly D: Float64Array;
  /** u, rising. */
  readonly u: Float64Array;
  /** Eigenvectors as rows. */
  readonly V: DenseMatrix;
  readonly c: Float64Array;
}

/** A solution of the subproblem. */
interface ModelStep {
  /** ‖D p‖ */
  readonly length: number;
  readonly isAtBoundary: boolean;
  /** m(0) − m(p) */
  readonly decrease: number;
  /** pᵀHp */
  readonly bend: number;
}

export class TrustNewton extends DescentSolver {
  readonly name = "trust-newton";
  readonly options: SettingsOf<typeof trustNewtonOptions>;
  protected readonly memory = new LbfgsMemory(this.dimension, WITNESSES);
  readonly state = stateOf({
    ...this.commonState(this.memory),
    /** Δ; 0 before the first step. */
    radius: number(0),
    /** Where steps began to grow along slopes that stay: ‖p‖ and ‖x‖ there; 0 elsewhere. */
    growsFrom: number(0),
    sizeThere: number(0),
  });
  /** Of the step at hand; undefined where p is not the model's. */
  private model: Model | undefined;
  private modelStep: ModelStep | undefined;

  /**
   * @param objective - its Hessian by `hessianVector`; without that by differences, n evaluations for each step
   * @param x - the first point; copied
   * @throws CurvatureError ERR_OPTION, ERR_ARGUMENT, ERR_SHAPE, ERR_NON_FINITE
   */
  constructor(objective: Objective, x: ArrayLike<number>, options?: TrustNewtonOptions) {
    const settings = trustNewtonOptions.resolve("TrustNewton", options);
    super("TrustNewton", objective, x, settings.valueNoise);
    this.options = settings;
  }

  protected aim(): boolean {
    const { line, state } = this;
    const H = this.hessian();
    this.model = H === undefined ? undefined : modelOf(H, line.gradient);
    if (this.model === undefined) {
      for (let i = 0; i < line.p.length; i++) line.p[i] = -line.gradient[i];
      return true;
    }
    const { D, c } = this.model;
    if (!(state.radius > 0)) state.radius = norm2(line.x.map((xi, i) => D[i] * xi)) || norm2(c) || 1;
    this.modelStep = solve(this.model, state.radius, line.p);
    return false;
  }

  protected firstTrial(isGradient: boolean): number {
    return isGradient ? Math.min(1, 1 / norm1(this.line.gradient)) : 1;
  }

  protected override isSettled(): boolean {
    return this.modelStep !== undefined && this.modelStep.decrease <= this.line.noise;
  }

  protected search(first: number): boolean {
    const { line, model, state } = this;
    if (model === undefined || this.modelStep === undefined) return searchWolfe(line, first);
    const { noise } = line;
    let { modelStep: step } = this;
    for (let trial = 0; trial < MAX_TRIALS; trial++) {
      const isUsable = line.evaluate(1);
      if (line.isSpent || line.unbounded) return false;
      const decrease = isUsable ? line.value - line.trialValue : Number.NEGATIVE_INFINITY;
      const ratio = decrease / step.decrease;
      const isRounding = Math.abs(decrease) <= noise && step.decrease <= clearOf(noise);
      if (ratio < POOR && !isRounding) state.radius = step.length * (isUsable ? 0.25 : 0.1);
      else if (ratio > GOOD && step.isAtBoundary) state.radius = step.length * (step.bend > 0 ? 2 : 10);
      if (ratio >= ACCEPTED || isRounding) {
        this.watchGrowth(ratio > GOOD && step.isAtBoundary && !(step.bend > 0));
        return true;
      }
      if (step.decrease <= noise) return false;
      step = solve(model, state.radius, line.p);
      if (!(line.aim() < 0)) return false;
    }
    return false;
  }

  /** What a single search would see as endless: steps that grow and grow where nothing bends f upwards. */
  private watchGrowth(isGrowing: boolean): void {
    const { state, line } = this;
    const length = norm2(line.p);
    if (!isGrowing || state.growsFrom === 0) {
      state.growsFrom = isGrowing ? length : 0;
      state.sizeThere = norm2(line.x);
    }
    if (isGrowing) line.unbounded = endless(length, state.growsFrom, 1, state.sizeThere);
  }

  protected learn(): void {}

  protected forget(): void {
    this.model = undefined;
    this.modelStep = undefined;
  }

  /** ∇²f(x); undefined where it is not finite, or no evaluation is left. */
  private hessian(): DenseMatrix | undefined {
    const { line } = this;
    const { x, p, gradient, objective } = line;
    const n = x.length;
    const H = zeros(n, n);
    const largest = x.reduce((most, xi) => Math.max(most, Math.abs(xi)), 0);
    const tau = differenceStep(line.valueNoise);
    for (let i = 0; i < n; i++) {
      const row = H.data.subarray(i * n, (i + 1) * n);
      p.fill(0);
      if (objective.hessianVector !== undefined) {
        p[i] = 1;
        objective.hessianVector(x, p, row);
      } else {
        p[i] = shiftOf(x[i], largest, tau, line.objective.resolution?.(i));
        if (!line.evaluate(1) && (line.isSpent || !line.evaluate(-1))) return undefined;
        for (let j = 0; j < n; j++) row[j] = (line.trialGradient[j] - gradient[j]) / (line.alpha * p[i]);
      }
    }
    for (let i = 0; i < n; i++)
      for (let j = 0; j < i; j++) {
        const mean = 0.5 * (H.data[i * n + j] + H.data[j * n + i]);
        H.data[i * n + j] = mean;
        H.data[j * n + i] = mean;
      }
    return H.data.every(Number.isFinite) ? H : undefined;
  }
}

/** H becomes D⁻¹HD⁻¹. */
function modelOf(H: DenseMatrix, g: Float64Array): Model | undefined {
  const n = g.length;
  const D = g.map((_, i) => Math.sqrt(Math.abs(H.data[i * n + i])) || 1);
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) H.data[i * n + j] /= D[i] * D[j];
  if (!H.data.every(Number.isFinite)) return undefined;
  const { values: u, vectors: V } = symmetricEigen(H);
  const scaled = g.map((gi, i) => gi / D[i]);
  const c = u.map((_, k) => dot(V.data.subarray(k * n, (k + 1) * n), scaled));
  return { D, u, V, c };
}

/** Writes the p of (4.3). */
function solve({ D, u, V, c }: Model, radius: number, p: Float64Array): ModelStep {
  const n = c.length;
  const q = new Float64Array(n); // VᵀD p
  const lengthAt = (lambda: number): number => {
    for (let k = 0; k < n; k++) q[k] = c[k] === 0 ? 0 : -c[k] / (u[k] + lambda);
    return norm2(q);
  };
  const least = Math.max(0, -u[0]);
  let length = u[0] > 0 ? lengthAt(0) : Number.POSITIVE_INFINITY;
  const isAtBoundary = !(length <= radius);
  if (isAtBoundary) {
    let low = least;
    let high = norm2(c) / radius + least; // ‖D p‖ ≤ Δ there
    let lambda = high;
    for (let k = 0; k < 100; k++) {
      length = lengthAt(lambda);
      if (Math.abs(length - radius) <= 1e-6 * radius || !(high - low > 1e-15 * high)) break;
      if (length > radius) low = lambda;
      else high = lambda;
      let slope = 0; // Newton's step on 1/Δ − 1/‖D p‖, eq. (4.43)
      for (let i = 0; i < n; i++) slope += (q[i] * q[i]) / (u[i] + lambda);
      const next = lambda + ((length * length) / slope) * ((length - radius) / radius);
      lambda = next > low && next < high ? next : 0.5 * (low + high);
    }
    // The hard case: what is missing of the length goes along the lowest curvature.
    const missing = radius * radius - length * length;
    if (length < (1 - 1e-5) * radius) q[0] += (c[0] > 0 ? -1 : 1) * Math.sqrt(Math.max(0, missing));
    length = norm2(q);
  }
  let bend = 0;
  let slope = 0;
  p.fill(0);
  for (let k = 0; k < n; k++) {
    bend += u[k] * q[k] * q[k];
    slope += c[k] * q[k];
    for (let i = 0; i < n; i++) p[i] += (V.data[k * n + i] * q[k]) / D[i];
  }
  return { length, isAtBoundary, decrease: -slope - 0.5 * bend, bend };
}
