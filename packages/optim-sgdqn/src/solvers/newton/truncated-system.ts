/**
 * Newton's systems H s = −g by conjugate gradients with a preconditioner M, never forming H:
 *
 *   H v = Λ v + Σᵢ hᵢ (xᵢ·v) xᵢ,
 *
 * from s = 0 until √(r·M⁻¹r) ≤ 0.1 √(g·M⁻¹g). A tenth per system is what pays: the next system has the better
 * curvatures. The last system must be solved better than that, or what is left of it would be mistaken for a minimum:
 * of the decrease ½ g·H⁻¹g that it promises, s brings ½ Σ αₖ ρₖ, and what is missing is ½ r·H⁻¹r ≤ ‖r‖²/(2λ), as
 * H ≥ λ I. Once s brings no more than is enough to end, the iteration goes on until both together are that little.
 *
 * Dembo, Steihaug: Truncated-Newton algorithms for large-scale unconstrained optimization. Mathematical
 * Programming 26 (1983) 190-212. The iteration is that of `LinearConjugateGradient` of linalg, here as plain state, so
 * that it can be left within a product and saved.
 */
import { axpy, dot, xpby } from "@curvature/linalg";
import { boolean, float64, number, part, stateOf, whole } from "@curvature/optim-core/state";
import type { Preconditioner } from "./preconditioner.js";
import type { NewtonSystem, SystemParts } from "./system.js";
import { RowCursor, type Work } from "./work.js";

const REDUCTION = 0.1;
/** Below it r is rounding. */
const MIN_REDUCTION = 1e-7;
const MAX_PRODUCTS = 250;

export class TruncatedSystem implements NewtonSystem {
  readonly state;
  private readonly y: Float64Array;

  /** @param cost - multiplications per row of a product with X */
  constructor(
    private readonly parts: SystemParts,
    preconditioner: Preconditioner,
    cost: number,
  ) {
    const n = parts.diagonal.length;
    this.y = new Float64Array(n);
    this.state = stateOf({
      isPreconditioning: boolean(),
      r: float64(new Float64Array(n)),
      p: float64(new Float64Array(n)),
      Hp: float64(new Float64Array(n)),
      cursor: part(new RowCursor(parts.rows, 2 * cost)),
      /** r·M⁻¹r, now and at the start. */
      rho: number(0),
      rhoAtStart: number(0),
      /** Products with H in this system; −1 while M is not applied yet. */
      products: whole(0, { from: -1 }),
      /** ½ Σ αₖ ρₖ, and how little of it ends the whole. */
      decrease: number(0),
      enough: number(0),
      isSolved: boolean(true),
      preconditioner: part(preconditioner),
    });
  }

  get isSolved(): boolean {
    return this.state.isSolved;
  }

  get phase(): string {
    return this.state.isPreconditioning ? "preconditioner" : "conjugate gradients";
  }

  start(enough: number): void {
    const { parts, state } = this;
    const { r, preconditioner } = state;
    const { h, g } = parts;
    state.enough = enough;
    for (let j = 0; j < g.length; j++) r[j] = -g[j];
    state.isPreconditioning = !preconditioner.serves(h, state.products);
    if (state.isPreconditioning) preconditioner.start(h);
    state.products = -1;
  }

  advance(work: Work, s: Float64Array): boolean {
    const { state } = this;
    if (state.isPreconditioning) {
      if (!state.preconditioner.advance(work, this.parts.h)) return false;
      state.isPreconditioning = false;
    }
    if (state.products < 0) this.begin(s);
    for (;;) {
      if (!this.multiply(work)) return false;
      if (this.iterate(s)) return true;
    }
  }

  private begin(s: Float64Array): void {
    const { state } = this;
    s.fill(0);
    state.preconditioner.solve(state.r, state.p);
    state.rho = dot(state.r, state.p);
    state.rhoAtStart = state.rho;
    state.products = 0;
    state.decrease = 0;
    state.isSolved = true;
    this.startProduct();
  }

  private startProduct(): void {
    const { Hp, p } = this.state;
    const { diagonal } = this.parts;
    for (let j = 0; j < p.length; j++) Hp[j] = diagonal[j] * p[j];
  }

  private multiply(work: Work): boolean {
    const { sweeps, h } = this.parts;
    const { p, Hp, cursor } = this.state;
    return cursor.sweep(work, (from, to) => {
      sweeps.addHessianProduct(h, p, Hp, from, to);
      work.rowVisits += to - from;
    });
  }

  /** One iteration, H p known. @returns whether s is good enough, or as good as it gets */
  private iterate(s: Float64Array): boolean {
    const { state, y } = this;
    const { r, p, Hp, preconditioner } = state;
    state.products++;
    const curvature = dot(p, Hp);
    if (!(curvature > 0 && curvature < Number.POSITIVE_INFINITY)) {
      state.isSolved = false;
      if (state.products === 1) s.set(p); // still downhill; NaN ends in the solver, which looks at s
      return true;
    }
    const alpha = state.rho / curvature;
    axpy(alpha, p, s);
    axpy(-alpha, Hp, r);
    preconditioner.solve(r, y);
    const next = dot(r, y);
    state.decrease += 0.5 * alpha * state.rho;
    if (this.isGoodEnough(next / state.rhoAtStart)) return true;
    state.isSolved = state.products < MAX_PRODUCTS;
    if (!state.isSolved) return true;
    xpby(y, next / state.rho, p);
    state.rho = next;
    this.startProduct();
    return false;
  }

  /** @param left - r·M⁻¹r, as a part of what it was at the start */
  private isGoodEnough(left: number): boolean {
    if (!(left > MIN_REDUCTION * MIN_REDUCTION)) return true;
    if (left > REDUCTION * REDUCTION) return false;
    const { r, decrease, enough } = this.state;
    const missing = dot(r, r) / (2 * this.parts.diagonal[0]);
    return decrease > enough || decrease + missing <= enough;
  }

  renew(): void {
    this.state.preconditioner.renew?.();
  }
}
