/**
 * Newton's systems H s = −g by conjugate gradients with a preconditioner M, never forming H:
 *
 *   H v = Λ v + Σᵢ hᵢ (xᵢ·v) xᵢ      (a free bias eliminated, see `bias-elimination.ts`)
 *
 * from s = 0 until √(r·M⁻¹r) ≤ 0.1 √(g·M⁻¹g). A tenth per system is what pays: the next system has the better
 * curvatures. Near the end the system must be solved better than that: what is left of it costs the certificate
 * ‖r‖²/(2λ), as H ≥ λ I. Once the decrease that s promises, ½ Σ αₖ ρₖ, is no more than 10 times P − D at the end, the
 * iteration goes on until that cost is a fifth of P − D.
 *
 * Dembo, Steihaug: Truncated-Newton algorithms for large-scale unconstrained optimization. Mathematical
 * Programming 26 (1983) 190-212. The iteration is that of `LinearConjugateGradient` of linalg, here as plain state, so
 * that it can be left within a product and saved.
 */
import { axpy, dot, xpby } from "@curvature/linalg";
import { boolean, float64, number, part, stateOf, whole } from "@curvature/optim-core/state";
import { BiasElimination } from "./bias-elimination.js";
import type { Preconditioner } from "./preconditioner.js";
import type { NewtonSystem, SystemParts } from "./system.js";
import { RowCursor, type Work } from "./work.js";

const REDUCTION = 0.1;
/** Below it r is rounding. */
const MIN_REDUCTION = 1e-7;
const MAX_PRODUCTS = 250;
/** Of P − D at the end: what s brings while a tenth per system is enough, and what the residual may cost after that. */
const FAR = 10;
const SHARE = 0.2;

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
      /** Σ hᵢ xᵢ, as far as it is summed, and what it is summed for. */
      sums: float64(new Float64Array(parts.isBiasFree ? n : 0)),
      center: part(new BiasElimination(n, parts.isBiasFree)),
      isCentering: boolean(),
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
      /** ½ Σ αₖ ρₖ, and P − D at the end of the whole. */
      decrease: number(0),
      enough: number(0),
      preconditioner: part(preconditioner),
    });
  }

  get phase(): string {
    if (this.state.isCentering) return "center";
    return this.state.isPreconditioning ? "preconditioner" : "conjugate gradients";
  }

  start(enough: number): void {
    const { parts, state } = this;
    const { preconditioner, sums } = state;
    const { h } = parts;
    state.enough = enough;
    state.isCentering = parts.isBiasFree;
    sums.fill(0);
    state.isPreconditioning = preconditioner.start(h, state.products);
    state.products = -1;
  }

  advance(work: Work, s: Float64Array): boolean {
    const { state } = this;
    if (state.isCentering) {
      if (!this.sumRows(work)) return false;
      state.isCentering = false;
    }
    if (state.isPreconditioning) {
      if (!state.preconditioner.advance(work, this.parts.h, state.center)) return false;
      state.isPreconditioning = false;
    }
    if (state.products < 0) this.begin(s);
    for (;;) {
      if (!this.multiply(work)) return false;
      if (this.iterate(s)) return true;
    }
  }

  private sumRows(work: Work): boolean {
    const { sweeps, h } = this.parts;
    const { sums, cursor, center } = this.state;
    const isComplete = cursor.sweep(work, (from, to) => {
      sweeps.addTransposed(h, sums, from, to);
      work.rowVisits += to - from;
    });
    if (isComplete) center.set(sums, h);
    return isComplete;
  }

  private begin(s: Float64Array): void {
    const { state } = this;
    s.fill(0);
    state.center.rightSide(this.parts.g, state.r);
    state.preconditioner.solve(state.r, state.p);
    state.rho = dot(state.r, state.p);
    state.rhoAtStart = state.rho;
    state.products = 0;
    state.decrease = 0;
    this.startProduct();
  }

  private startProduct(): void {
    const { Hp, p, center } = this.state;
    const { diagonal } = this.parts;
    center.follow(p);
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
    const { r, p, Hp, preconditioner, center } = state;
    state.products++;
    if (center.isFree) {
      p[p.length - 1] = 0;
      Hp[p.length - 1] = 0;
    }
    const curvature = dot(p, Hp);
    if (!(curvature > 0 && curvature < Number.POSITIVE_INFINITY)) {
      if (state.products === 1) s.set(p); // still downhill; NaN ends in the solver, which looks at s
      return this.complete(s);
    }
    const alpha = state.rho / curvature;
    axpy(alpha, p, s);
    axpy(-alpha, Hp, r);
    preconditioner.solve(r, y);
    const next = dot(r, y);
    state.decrease += 0.5 * alpha * state.rho;
    if (this.isGoodEnough(next / state.rhoAtStart) || state.products === MAX_PRODUCTS)
      return this.complete(s);
    xpby(y, next / state.rho, p);
    state.rho = next;
    this.startProduct();
    return false;
  }

  private complete(s: Float64Array): boolean {
    this.state.center.complete(this.parts.g, s);
    return true;
  }

  /** @param left - r·M⁻¹r, as a part of what it was at the start */
  private isGoodEnough(left: number): boolean {
    if (!(left > MIN_REDUCTION * MIN_REDUCTION)) return true;
    if (left > REDUCTION * REDUCTION) return false;
    const { r, decrease, enough } = this.state;
    return decrease > FAR * enough || dot(r, r) / (2 * this.parts.diagonal[0]) <= SHARE * enough;
  }

  renew(): void {
    this.state.preconditioner.renew?.();
  }
}
