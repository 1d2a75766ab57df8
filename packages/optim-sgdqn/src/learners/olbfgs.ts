/**
 * Online L-BFGS: the two loops of L-BFGS on stochastic gradients, each pair from one row.
 *
 * Iteration  g = g_t(w),   p = −H g,   s = τ/(τ + t) p,   w ← w + s,   τ = t₀,  t = 0, 1, 2, …
 *            y = g_t(w) − g_t(w − s) + δ s  of the same row,  δ = λ t₀;   kept if s·y > 10⁻¹² ‖s‖ ‖y‖
 *            H from the last m pairs, H₀ = (mean of s·y/y·y) I;  without pairs H = 10⁻⁴ I
 *
 * Costs about 4 m d a row, however few entries the row has, and is fragile where rows are not of one size: a baseline.
 *
 * | symbol | variable | shape, meaning                                        |
 * |--------|----------|-------------------------------------------------------|
 * | s, y   | S, Y     | m x (d + 1), a ring; the newest pair at `newest`      |
 * | s·y    | sy       | m                                                     |
 * | s·y/y·y | ratios  | m                                                     |
 *
 * Schraudolph, Yu, Günter: A stochastic quasi-Newton method for online convex optimization. AISTATS 2007, Algorithm 3.
 * Differs from the paper: δ = λ t₀ instead of λ, which limits the first steps as t₀ does those of SGD; no factor c = 0.1;
 * pairs of (nearly) no curvature are dropped. Steps are explicit.
 */
import { dot } from "@curvature/linalg";
import { float64, stateOf, whole } from "@curvature/optim-core/state";
import type { LearnerSettings, RowLearner, TrainingRows } from "../learner.js";
import { type BiasRole, biasRole, firstParameters } from "./bias.js";

const FIRST_SCALE = 1e-4;

export class OnlineLbfgs implements RowLearner {
  readonly state;
  private readonly settings: LearnerSettings;
  private readonly role: BiasRole;
  private readonly g: Float64Array;
  private readonly gAfter: Float64Array;
  private readonly p: Float64Array;
  private readonly alpha: Float64Array;

  constructor(settings: LearnerSettings) {
    const { columns, memory: m } = settings;
    const length = columns + 1;
    this.settings = settings;
    this.role = biasRole(settings);
    this.g = new Float64Array(length);
    this.gAfter = new Float64Array(length);
    this.p = new Float64Array(length);
    this.alpha = new Float64Array(m);
    this.state = stateOf({
      w: float64(firstParameters(settings)),
      S: float64(new Float64Array(m * length)),
      Y: float64(new Float64Array(m * length)),
      sy: float64(new Float64Array(m)),
      ratios: float64(new Float64Array(m)),
      t: whole(),
      size: whole(0, { to: m }),
      newest: whole(-1, { from: -1, to: m - 1 }),
    });
  }

  get seen(): number {
    return this.state.t;
  }

  get evaluations(): number {
    return 2 * this.state.t;
  }

  visit(rows: TrainingRows, from: number, to: number): void {
    const { state, g, gAfter, p } = this;
    const { w } = state;
    const { t0, lambda } = this.settings;
    for (let k = from; k < to; k++) {
      const i = rows.order === undefined ? k : rows.order[k];
      this.gradient(rows, i, g);
      this.direct();
      const eta = t0 / (t0 + state.t);
      for (let j = 0; j < w.length; j++) {
        p[j] *= eta;
        w[j] += p[j];
      }
      this.gradient(rows, i, gAfter);
      const delta = lambda * t0;
      for (let j = 0; j < w.length; j++) g[j] = gAfter[j] - g[j] + delta * p[j];
      this.keep(p, g);
      state.t++;
    }
  }

  /** g_t(w) = λ w + c l′ x of row i into `out`. */
  private gradient({ access, targets, importances }: TrainingRows, i: number, out: Float64Array): void {
    const { role } = this;
    const { w } = this.state;
    const { loss, lambda, columns: d } = this.settings;
    for (let j = 0; j < role.decayed; j++) out[j] = lambda * w[j];
    for (let j = role.decayed; j <= d; j++) out[j] = 0;
    const c = importances === undefined ? 1 : importances[i];
    const a = c * loss.slope(access.dot(i, w) + w[d], targets[i]);
    if (a === 0) return;
    access.addTo(i, a, out);
    out[d] += a * role.entry;
  }

  /** p ← −H g by the two loops. */
  private direct(): void {
    const { g, p, alpha } = this;
    const { S, Y, sy, ratios, size, newest } = this.state;
    const { length } = p;
    const m = ratios.length;
    for (let j = 0; j < length; j++) p[j] = -g[j];
    let scale = 0;
    for (let age = 0; age < size; age++) {
      const at = (newest - age + m) % m;
      alpha[at] = product(S, at, p) / sy[at];
      addRow(-alpha[at], Y, at, p);
      scale += ratios[at];
    }
    scale = size === 0 ? FIRST_SCALE : scale / size;
    for (let j = 0; j < length; j++) p[j] *= scale;
    for (let age = size - 1; age >= 0; age--) {
      const at = (newest - age + m) % m;
      addRow(alpha[at] - product(Y, at, p) / sy[at], S, at, p);
    }
  }

  private keep(s: Float64Array, y: Float64Array): void {
    const [curvature, squares] = [dot(s, y), dot(y, y)];
    if (!(curvature > 1e-12 * Math.sqrt(dot(s, s) * squares))) return;
    const { state } = this;
    const m = state.ratios.length;
    const at = (state.newest + 1) % m;
    state.S.set(s, at * s.length);
    state.Y.set(y, at * y.length);
    state.sy[at] = curvature;
    state.ratios[at] = curvature / squares;
    state.newest = at;
    state.size = Math.min(m, state.size + 1);
  }

  parameters(): Float64Array {
    return this.state.w.subarray(0, this.role.dimension);
  }
}

/** Row `at` of a matrix with rows as long as p, times p. */
function product(rows: Float64Array, at: number, p: Float64Array): number {
  const offset = at * p.length;
  const whole = p.length - (p.length % 4);
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let j = 0;
  for (; j < whole; j += 4) {
    a += rows[offset + j] * p[j];
    b += rows[offset + j + 1] * p[j + 1];
    c += rows[offset + j + 2] * p[j + 2];
    d += rows[offset + j + 3] * p[j + 3];
  }
  for (; j < p.length; j++) a += rows[offset + j] * p[j];
  return a + b + (c + d);
}

function addRow(a: number, rows: Float64Array, at: number, p: Float64Array): void {
  const offset = at * p.length;
  for (let j = 0; j < p.length; j++) p[j] += a * rows[offset + j];
}
