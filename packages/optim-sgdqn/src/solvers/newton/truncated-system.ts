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
import type { SnapshotReader, SnapshotValue } from "@curvature/optim-core";
import type { NewtonSystem } from "./newton-system.js";
import type { Preconditioner } from "./preconditioner.js";
import type { RowSweeps } from "./sweeps/sweeps.js";
import { RowCursor, type Work } from "./work.js";

const REDUCTION = 0.1;
/** Below it r is rounding. */
const LEAST_REDUCTION = 1e-7;
const MOST_PRODUCTS = 250;

export class TruncatedSystem implements NewtonSystem {
  isSolved = true;
  private h: Float64Array;
  private isPreconditioning = false;
  private readonly r: Float64Array;
  private readonly p: Float64Array;
  private readonly Hp: Float64Array;
  private readonly y: Float64Array;
  private readonly cursor: RowCursor;
  /** r·M⁻¹r, now and at the start. */
  private rho = 0;
  private rhoAtStart = 0;
  /** Products with H in this system; −1 while M is not applied yet. */
  private products = 0;
  /** ½ Σ αₖ ρₖ, and how little of it ends the whole. */
  private decrease = 0;
  private enough = 0;

  constructor(
    private readonly sweeps: RowSweeps,
    private readonly rows: number,
    private readonly diagonal: Float64Array,
    private readonly preconditioner: Preconditioner,
    cost: number,
  ) {
    const n = diagonal.length;
    this.h = new Float64Array(0);
    this.r = new Float64Array(n);
    this.p = new Float64Array(n);
    this.Hp = new Float64Array(n);
    this.y = new Float64Array(n);
    this.cursor = new RowCursor(rows, 2 * cost);
  }

  get phase(): string {
    return this.isPreconditioning ? "preconditioner" : "conjugate gradients";
  }

  start(h: Float64Array, g: Float64Array, enough: number): void {
    this.h = h;
    this.enough = enough;
    for (let j = 0; j < g.length; j++) this.r[j] = -g[j];
    this.isPreconditioning = !this.preconditioner.serves(h, this.products);
    if (this.isPreconditioning) this.preconditioner.start(h);
    this.products = -1;
  }

  advance(work: Work, s: Float64Array): boolean {
    if (this.isPreconditioning) {
      if (!this.preconditioner.advance(work, this.h)) return false;
      this.isPreconditioning = false;
    }
    if (this.products < 0) this.begin(s);
    for (;;) {
      if (!this.multiply(work)) return false;
      if (this.iterate(s)) return true;
    }
  }

  private begin(s: Float64Array): void {
    s.fill(0);
    this.preconditioner.solve(this.r, this.p);
    this.rho = dot(this.r, this.p);
    this.rhoAtStart = this.rho;
    this.products = 0;
    this.decrease = 0;
    this.isSolved = true;
    this.startProduct();
  }

  private startProduct(): void {
    const { Hp, p, diagonal } = this;
    for (let j = 0; j < p.length; j++) Hp[j] = diagonal[j] * p[j];
  }

  private multiply(work: Work): boolean {
    const { h, p, Hp } = this;
    return this.cursor.sweep(work, (from, to) => {
      this.sweeps.addHessianProduct(h, p, Hp, from, to);
      work.rowVisits += to - from;
    });
  }

  /** One iteration, H p known. @returns whether s is good enough, or as good as it gets */
  private iterate(s: Float64Array): boolean {
    const { r, p, Hp, y } = this;
    this.products++;
    const curvature = dot(p, Hp);
    if (!(curvature > 0 && curvature < Number.POSITIVE_INFINITY)) {
      this.isSolved = false;
      if (this.products === 1) s.set(p); // still downhill; NaN ends in the solver, which looks at s
      return true;
    }
    const alpha = this.rho / curvature;
    axpy(alpha, p, s);
    axpy(-alpha, Hp, r);
    this.preconditioner.solve(r, y);
    const next = dot(r, y);
    this.decrease += 0.5 * alpha * this.rho;
    if (this.isGoodEnough(next / this.rhoAtStart)) return true;
    this.isSolved = this.products < MOST_PRODUCTS;
    if (!this.isSolved) return true;
    xpby(y, next / this.rho, p);
    this.rho = next;
    this.startProduct();
    return false;
  }

  /** @param left - r·M⁻¹r, as a part of what it was at the start */
  private isGoodEnough(left: number): boolean {
    if (!(left > LEAST_REDUCTION * LEAST_REDUCTION)) return true;
    if (left > REDUCTION * REDUCTION) return false;
    const missing = dot(this.r, this.r) / (2 * this.diagonal[0]);
    return this.decrease > this.enough || this.decrease + missing <= this.enough;
  }

  save(): { readonly [key: string]: SnapshotValue } {
    return {
      isPreconditioning: this.isPreconditioning,
      r: this.r.slice(),
      p: this.p.slice(),
      Hp: this.Hp.slice(),
      next: this.cursor.next,
      rho: this.rho,
      rhoAtStart: this.rhoAtStart,
      products: this.products,
      decrease: this.decrease,
      enough: this.enough,
      isSolved: this.isSolved,
      preconditioner: this.preconditioner.save(),
    };
  }

  restore(state: SnapshotReader, h: Float64Array): void {
    const n = this.diagonal.length;
    const isPreconditioning = state.flag("isPreconditioning");
    const r = state.float64("r", n);
    const p = state.float64("p", n);
    const Hp = state.float64("Hp", n);
    const next = state.integer("next", 0, this.rows);
    const rho = state.number("rho");
    const rhoAtStart = state.number("rhoAtStart");
    const products = state.integer("products", -1);
    const decrease = state.number("decrease");
    const enough = state.number("enough");
    const isSolved = state.flag("isSolved");
    this.preconditioner.restore(state.object("preconditioner"));
    this.h = h;
    this.isPreconditioning = isPreconditioning;
    this.r.set(r);
    this.p.set(p);
    this.Hp.set(Hp);
    this.cursor.next = next;
    this.rho = rho;
    this.rhoAtStart = rhoAtStart;
    this.products = products;
    this.decrease = decrease;
    this.enough = enough;
    this.isSolved = isSolved;
  }
}
