/**
 * A free bias in Newton's systems. With σ = Σ hᵢ and m = Σ hᵢ xᵢ / σ (0 where σ = 0),
 *
 *   (λ I + Σ hᵢ xᵢxᵢᵀ − σ m mᵀ) s = −(g − g_b m),    s_b = −g_b/σ − m·s    (g_b/σ = 0 where σ = 0)
 *
 * Vectors keep an entry for the bias, the last one; in the system for s it is 0, and −m·p where a product with the rows needs
 * p as the bias follows it: Σ hᵢ (xᵢ·p − m·p) xᵢ is then the product with the matrix above.
 */
import { float64, number, stateIn } from "@curvature/optim-core/state";

export class BiasElimination {
  /** m, with a last entry that is not used; empty where no bias is free. */
  readonly m: Float64Array;
  /** σ */
  sum = 0;
  readonly state;

  constructor(dimension: number, isFree: boolean) {
    this.m = new Float64Array(isFree ? dimension : 0);
    this.state = stateIn<BiasElimination, "m" | "sum">(this, { m: float64(this.m), sum: number(0) });
  }

  get isFree(): boolean {
    return this.m.length > 0;
  }

  /** @param sums - Σ hᵢ xᵢ, of length d at least, and h */
  set(sums: Float64Array, h: Float64Array): void {
    const { m } = this;
    this.sum = 0;
    for (let i = 0; i < h.length; i++) this.sum += h[i];
    for (let j = 0; j + 1 < m.length; j++) m[j] = this.sum > 0 ? sums[j] / this.sum : 0;
  }

  /** out ← −(g − g_b m) */
  rightSide(g: Float64Array, out: Float64Array): void {
    const { m } = this;
    const last = g.length - 1;
    for (let j = 0; j <= last; j++) out[j] = -g[j];
    for (let j = 0; j + 1 < m.length; j++) out[j] += g[last] * m[j];
    if (this.isFree) out[last] = 0;
  }

  /** p_b ← −m·p */
  follow(p: Float64Array): void {
    const { m } = this;
    if (!this.isFree) return;
    let sum = 0;
    for (let j = 0; j + 1 < m.length; j++) sum += m[j] * p[j];
    p[p.length - 1] = -sum;
  }

  /** s_b of the solution s. */
  complete(g: Float64Array, s: Float64Array): void {
    if (!this.isFree) return;
    this.follow(s);
    if (this.sum > 0) s[s.length - 1] -= g[g.length - 1] / this.sum;
  }
}
