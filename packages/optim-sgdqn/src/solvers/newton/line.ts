/**
 * The objective along a line w + t s, at the price of O(n + d) a value of t: the margins z = X w and their change q = X s
 * are at hand.
 *
 *   P(w + t s) = ½ (w + t s)ᵀΛ(w + t s) + Σᵢ cᵢ l(zᵢ + t qᵢ, yᵢ)
 *   aᵢ = cᵢ l′(zᵢ + t qᵢ, yᵢ),   hᵢ = cᵢ l″(zᵢ + t qᵢ, yᵢ)
 *
 * cᵢ is the importance of row i over n, Λ is λ, and 0 for a free bias.
 */
import { axpy } from "@curvature/linalg";
import type { LinearProblem } from "@curvature/objectives/linear";
import type { SnapshotReader, SnapshotValue } from "@curvature/optim-core";
import { type Derivatives, type LossSweep, lossSweep } from "./loss-sweep.js";

export class Line {
  readonly w: Float64Array;
  readonly s: Float64Array;
  readonly z: Float64Array;
  readonly q: Float64Array;
  readonly a: Float64Array;
  readonly h: Float64Array;
  /** Λ */
  readonly diagonal: Float64Array;
  private readonly losses: LossSweep;
  private readonly out: Derivatives = { slope: 0, curvature: 0 };

  constructor({ rows, loss, targets, importances, lambda, bias }: LinearProblem, dimension: number) {
    const n = rows.rows;
    const c = new Float64Array(n).fill(1 / n);
    if (importances !== undefined) for (let i = 0; i < n; i++) c[i] = importances[i] / n;
    this.losses = lossSweep(loss, targets, c);
    this.diagonal = new Float64Array(dimension).fill(lambda);
    if (bias === "free") this.diagonal[dimension - 1] = 0;
    this.w = new Float64Array(dimension);
    this.s = new Float64Array(dimension);
    this.z = new Float64Array(n);
    this.q = new Float64Array(n);
    this.a = new Float64Array(n);
    this.h = new Float64Array(n);
  }

  /** P at w + t s; a and h are those there from now on. */
  measure(t: number): number {
    const { w, s, diagonal, z, q, a, h } = this;
    let squares = 0;
    for (let j = 0; j < w.length; j++) squares += diagonal[j] * (w[j] + t * s[j]) * (w[j] + t * s[j]);
    return 0.5 * squares + this.losses.measure(z, q, t, a, h);
  }

  /** dP/dt and d²P/dt² at w + t s; the object is the line's own. */
  derivatives(t: number): Derivatives {
    const { w, s, diagonal, z, q, out } = this;
    this.losses.along(z, q, t, out);
    for (let j = 0; j < w.length; j++) {
      out.slope += diagonal[j] * s[j] * (w[j] + t * s[j]);
      out.curvature += diagonal[j] * s[j] * s[j];
    }
    return out;
  }

  /** w ← w + t s, z ← z + t q */
  move(t: number): void {
    axpy(t, this.s, this.w);
    axpy(t, this.q, this.z);
  }

  save(): { readonly [key: string]: SnapshotValue } {
    const { w, s, z, q, a, h } = this;
    return { w: w.slice(), s: s.slice(), z: z.slice(), q: q.slice(), a: a.slice(), h: h.slice() };
  }

  /** Checks a saved state; what it returns takes it over. @throws CurvatureError ERR_SNAPSHOT */
  restoring(state: SnapshotReader): () => void {
    const { w, s, z, q, a, h } = this;
    const own = { w, s, z, q, a, h };
    const saved = Object.entries(own).map(([key, to]) => ({ to, from: state.float64(key, to.length) }));
    return () => {
      for (const { to, from } of saved) to.set(from);
    };
  }
}
