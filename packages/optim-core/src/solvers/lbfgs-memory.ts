/**
 * The last m pairs of steps and gradient changes, and the inverse Hessian that they imply.
 *
 * Pairs      s = x − x₋, y = ∇f(x) − ∇f(x₋), kept only if sᵀy > 1e-12 ‖s‖‖y‖
 * Product    H v by the two-loop recursion on H₀ = γ B⁻¹, γ = sᵀy / yᵀB⁻¹y of the newest pair      (7.20)
 *
 * B⁻¹ is the identity, or an approximation of the inverse Hessian that the user plugs in (γ = 1 while there is
 * no pair).
 *
 * | symbol | variable        | shape                                    |
 * |--------|-----------------|------------------------------------------|
 * | s, y   | S[slot], Y[slot]| n each, m + 1 slots in a ring            |
 * | ρ      | rho[slot]       | 1 / sᵀy                                  |
 * | α      | a[slot]         | coefficients between the two loops       |
 *
 * On a face of a box (`applyWithin`) the pairs are those of the function restricted to the face: s and y without the
 * coordinates that stand still, the condition asked of what is left of each pair, B the identity.
 *
 * Nocedal, Wright: Numerical Optimization, 2nd ed. (2006), Algorithm 7.4. Time 4 m n per product, 5 m n on a face,
 * memory 2 (m + 1) n.
 */
import { axpy, CurvatureError, dot, type Rule, scale, shown, zeros } from "@curvature/linalg";
import type { SnapshotReader } from "../snapshot.js";
import type { SnapshotValue } from "../solver.js";

/** Writes B⁻¹ v into `out`, which is another array than `v`. Linear, symmetric and positive definite. */
export type InverseHessian = (v: Float64Array, out: Float64Array) => void;

const LEAST_COSINE = 1e-12;
const MOST_PAIRS = 10_000;

/** m. More pairs than there are coordinates are of no use, and the work of a step grows with them. */
export const pairsRule: Rule = {
  expected: `a whole number from 1 to ${MOST_PAIRS}`,
  accepts: (value) => Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= MOST_PAIRS,
};

export class LbfgsMemory {
  readonly dimension: number;
  readonly capacity: number;
  private readonly inverse: InverseHessian | undefined;
  private readonly S: Float64Array[];
  private readonly Y: Float64Array[];
  private readonly rho: Float64Array;
  private readonly a: Float64Array;
  private readonly rhoWithin: Float64Array;
  private readonly work: Float64Array;
  private gamma = 1;
  /** The slot that the next pair goes to. One slot more than pairs, so that a refused pair overwrites none. */
  private free = 0;
  private count = 0;

  /**
   * @param dimension - n
   * @param capacity - m, from 1 to 10,000
   * @param inverse - B⁻¹; the identity if left out
   * @throws CurvatureError ERR_ARGUMENT for another m, ERR_SHAPE for an n that is no size, ERR_MEMORY
   */
  constructor(dimension: number, capacity: number, inverse?: InverseHessian) {
    if (!pairsRule.accepts(capacity))
      throw new CurvatureError(
        "ERR_ARGUMENT",
        `LbfgsMemory: capacity must be ${pairsRule.expected}; received ${shown(capacity)}.`,
        { path: "capacity", expected: pairsRule.expected, received: capacity },
      );
    this.dimension = dimension;
    this.capacity = capacity;
    this.inverse = inverse;
    this.S = pairs(capacity + 1, dimension);
    this.Y = pairs(capacity + 1, dimension);
    this.rho = new Float64Array(capacity + 1);
    this.a = new Float64Array(capacity + 1);
    this.rhoWithin = new Float64Array(capacity + 1);
    this.work = new Float64Array(dimension);
  }

  /** How many pairs it holds. */
  get size(): number {
    return this.count;
  }

  /** Forgets all pairs. */
  clear(): void {
    this.count = 0;
    this.free = 0;
    this.gamma = 1;
  }

  /** Takes the pair of a step from x₋ to x. @returns false if the curvature along it is not safely positive */
  update(
    x: Float64Array,
    xBefore: Float64Array,
    gradient: Float64Array,
    gradientBefore: Float64Array,
  ): boolean {
    const { capacity, dimension: n, free } = this;
    if (capacity === 0) return false;
    const s = this.S[free];
    const y = this.Y[free];
    let sy = 0;
    let ss = 0;
    let yy = 0;
    for (let i = 0; i < n; i++) {
      const si = x[i] - xBefore[i];
      const yi = gradient[i] - gradientBefore[i];
      s[i] = si;
      y[i] = yi;
      sy += si * yi;
      ss += si * si;
      yy += yi * yi;
    }
    if (!(sy > LEAST_COSINE * Math.sqrt(ss) * Math.sqrt(yy))) return false;
    this.rho[free] = 1 / sy;
    this.free = (free + 1) % (capacity + 1);
    this.count = Math.min(this.count + 1, capacity);
    this.gamma = this.scaling(sy, yy, y);
    return true;
  }

  /** γ, eq. (7.20) */
  private scaling(sy: number, yy: number, y: Float64Array): number {
    if (this.inverse === undefined) return sy / yy;
    this.inverse(y, this.work);
    const yBy = dot(y, this.work);
    return yBy > 0 && Number.isFinite(sy / yBy) ? sy / yBy : 1;
  }

  /** H v into `out`, which may be `v`. */
  apply(v: Float64Array, out: Float64Array): void {
    const { S, Y, rho, a, capacity, count, gamma } = this;
    const slots = capacity + 1;
    const q = this.work;
    q.set(v);
    for (let k = 1; k <= count; k++) {
      const slot = (this.free - k + slots) % slots; // newest first
      a[slot] = rho[slot] * dot(S[slot], q);
      axpy(-a[slot], Y[slot], q);
    }
    if (this.inverse === undefined) out.set(q);
    else this.inverse(q, out);
    scale(gamma, out);
    for (let k = count; k >= 1; k--) {
      const slot = (this.free - k + slots) % slots; // oldest first
      axpy(a[slot] - rho[slot] * dot(Y[slot], out), S[slot], out);
    }
  }

  /**
   * H v on the face of the coordinates where `free` is 1, with 0 where it is 0, into `out`, which is not `v`.
   *
   * @returns whether a pair is of use there; if none is, `out` is v on the face
   */
  applyWithin(free: Float64Array, v: Float64Array, out: Float64Array): boolean {
    const { S, Y, a, rhoWithin: rho, capacity, count, dimension: n } = this;
    const slots = capacity + 1;
    let gamma = 0;
    for (let i = 0; i < n; i++) out[i] = free[i] * v[i];
    for (let k = 1; k <= count; k++) {
      const slot = (this.free - k + slots) % slots; // newest first
      const s = S[slot];
      const y = Y[slot];
      let sy = 0;
      let ss = 0;
      let yy = 0;
      let sq = 0;
      for (let i = 0; i < n; i++) {
        const si = s[i];
        const yi = free[i] * y[i];
        sy += si * yi;
        ss += free[i] * si * si;
        yy += yi * yi;
        sq += si * out[i];
      }
      rho[slot] = sy > LEAST_COSINE * Math.sqrt(ss) * Math.sqrt(yy) ? 1 / sy : 0;
      if (rho[slot] === 0) continue;
      if (gamma === 0) gamma = sy / yy;
      a[slot] = rho[slot] * sq;
      addWithin(free, -a[slot], y, out);
    }
    if (gamma === 0) return false;
    scale(gamma, out);
    for (let k = count; k >= 1; k--) {
      const slot = (this.free - k + slots) % slots; // oldest first
      if (rho[slot] !== 0) addWithin(free, a[slot] - rho[slot] * dot(Y[slot], out), S[slot], out);
    }
    return true;
  }

  /** A copy of the pairs, oldest first. */
  save(): { readonly [key: string]: SnapshotValue } {
    const { capacity, count, dimension: n } = this;
    const S = new Float64Array(count * n);
    const Y = new Float64Array(count * n);
    const rho = new Float64Array(count);
    for (let k = 0; k < count; k++) {
      const slot = (this.free - count + k + capacity + 1) % (capacity + 1);
      S.set(this.S[slot], k * n);
      Y.set(this.Y[slot], k * n);
      rho[k] = this.rho[slot];
    }
    return { count, S, Y, rho, gamma: this.gamma };
  }

  /** @throws CurvatureError ERR_SNAPSHOT, and is then as it was before */
  restore(state: SnapshotReader): void {
    const n = this.dimension;
    const count = state.integer("count", 0, this.capacity);
    const S = state.float64("S", count * n);
    const Y = state.float64("Y", count * n);
    const rho = state.float64("rho", count);
    this.gamma = state.number("gamma");
    this.count = count;
    this.free = count % (this.capacity + 1);
    for (let k = 0; k < count; k++) {
      this.S[k].set(S.subarray(k * n, (k + 1) * n));
      this.Y[k].set(Y.subarray(k * n, (k + 1) * n));
      this.rho[k] = rho[k];
    }
  }
}

/** y ← y + a x where `free` is 1 */
function addWithin(free: Float64Array, a: number, x: Float64Array, y: Float64Array): void {
  for (let i = 0; i < x.length; i++) y[i] += a * free[i] * x[i];
}

function pairs(count: number, dimension: number): Float64Array[] {
  return Array.from({ length: count }, () => zeros(1, dimension).data);
}
