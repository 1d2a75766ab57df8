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
import { checkArgument, dot, integerFrom, scale, zeros } from "@curvature/linalg";
import { fixed, float64, number, stateOf, whole } from "../state.js";

/** Writes B⁻¹ v into `out`, which is another array than `v`. Linear, symmetric and positive definite. */
export type InverseHessian = (v: Float64Array, out: Float64Array) => void;

const MIN_COSINE = 1e-12;

/** Pairs that solvers without pairs of their own keep to judge an end by. */
export const WITNESSES = 10;

/** m. More pairs than there are coordinates are of no use, and the work of a step grows with them. */
export const pairCount = integerFrom(1, 10_000);

export class LbfgsMemory {
  readonly dimension: number;
  readonly capacity: number;
  private readonly inverse: InverseHessian | undefined;
  private readonly S: readonly Float64Array[];
  private readonly Y: readonly Float64Array[];
  private readonly a: Float64Array;
  private readonly rhoWithin: Float64Array;
  private readonly work: Float64Array;
  readonly state;

  /**
   * @param dimension - n
   * @param capacity - m, from 1 to 10,000
   * @param inverse - B⁻¹; the identity if left out
   * @throws CurvatureError ERR_ARGUMENT for another m, ERR_SHAPE for an n that is no size, ERR_MEMORY
   */
  constructor(dimension: number, capacity: number, inverse?: InverseHessian) {
    checkArgument("LbfgsMemory", "capacity", pairCount, capacity);
    this.dimension = dimension;
    this.capacity = capacity;
    this.inverse = inverse;
    const slots = capacity + 1;
    const S = zeros(slots, dimension).data;
    const Y = zeros(slots, dimension).data;
    const slot = (all: Float64Array) => (_: unknown, k: number) =>
      all.subarray(k * dimension, (k + 1) * dimension);
    this.S = Array.from({ length: slots }, slot(S));
    this.Y = Array.from({ length: slots }, slot(Y));
    this.a = new Float64Array(slots);
    this.rhoWithin = new Float64Array(slots);
    this.work = new Float64Array(dimension);
    /** As long as no pair was dropped the slots are filled from the first on. */
    const used = (of: (name: string) => number): number => (of("count") < capacity ? of("count") : slots);
    this.state = stateOf({
      capacity: fixed(capacity, "make the solver with the same memory"),
      count: whole(0, { to: capacity }),
      /** The slot that the next pair goes to. One slot more than pairs, so that a refused pair overwrites none. */
      free: whole(0, { to: capacity }),
      gamma: number(1),
      rho: float64(new Float64Array(slots), { length: used }),
      S: float64(S, { length: (of) => used(of) * dimension }),
      Y: float64(Y, { length: (of) => used(of) * dimension }),
    });
  }

  /** How many pairs it holds. */
  get size(): number {
    return this.state.count;
  }

  /** Forgets all pairs. */
  clear(): void {
    this.state.count = 0;
    this.state.free = 0;
    this.state.gamma = 1;
  }

  /** Takes the pair of a step from x₋ to x. @returns false if the curvature along it is not safely positive */
  update(
    x: Float64Array,
    xBefore: Float64Array,
    gradient: Float64Array,
    gradientBefore: Float64Array,
  ): boolean {
    const { capacity, dimension: n } = this;
    const { free } = this.state;
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
    if (!(sy > MIN_COSINE * Math.sqrt(ss) * Math.sqrt(yy))) return false;
    this.state.rho[free] = 1 / sy;
    this.state.free = (free + 1) % (capacity + 1);
    this.state.count = Math.min(this.state.count + 1, capacity);
    this.state.gamma = this.scaling(sy, yy, y);
    return true;
  }

  /** γ, eq. (7.20) */
  private scaling(sy: number, yy: number, y: Float64Array): number {
    if (this.inverse === undefined) return sy / yy;
    this.inverse(y, this.work);
    const yBy = dot(y, this.work);
    return yBy > 0 && Number.isFinite(sy / yBy) ? sy / yBy : 1;
  }

  /** 1 / the least curvature that a pair has, sᵀs / sᵀy; 0 without pairs. */
  widest(): number {
    const { S, capacity } = this;
    const { rho, count, free } = this.state;
    let most = 0;
    for (let k = 1; k <= count; k++) {
      const slot = (free - k + capacity + 1) % (capacity + 1);
      most = Math.max(most, rho[slot] * dot(S[slot], S[slot]));
    }
    return most;
  }

  /**
   * H v into `out`, which may be `v`.
   *
   * @param width - H₀ = width I in the place of γ B⁻¹
   */
  apply(v: Float64Array, out: Float64Array, width?: number): void {
    const { S, Y, a, capacity, dimension: n } = this;
    const { rho, count, free, gamma } = this.state;
    const slots = capacity + 1;
    const q = this.work;
    for (let i = 0; i < n; i++) q[i] = v[i];
    let slot = (free - 1 + slots) % slots;
    let product = dot(S[slot], q);
    for (let k = 1; k <= count; k++) {
      const older = k === count ? slot : (slot - 1 + slots) % slots;
      a[slot] = rho[slot] * product;
      product = axpyDot(-a[slot], Y[slot], q, S[older]);
      slot = older;
    }
    const isScaled = this.inverse === undefined || width !== undefined;
    if (!isScaled) this.inverse?.(q, out);
    const from = isScaled ? q : out;
    const factor = width ?? gamma;
    for (let i = 0; i < n; i++) out[i] = factor * from[i];
    product = dot(Y[slot], out);
    for (let k = 1; k <= count; k++) {
      const newer = k === count ? slot : (slot + 1) % slots;
      product = axpyDot(a[slot] - rho[slot] * product, S[slot], out, Y[newer]);
      slot = newer;
    }
  }

  /**
   * H v on the face of the coordinates where `free` is 1, with 0 where it is 0, into `out`, which is not `v`.
   *
   * @param isWide - H₀ = `widest` I there in the place of γ I
   * @returns γ, or the widest there, 1 / the least curvature that a pair has; 0 if no pair is of use, and `out` is then v on
   *   the face
   */
  applyWithin(free: Float64Array, v: Float64Array, out: Float64Array, isWide = false): number {
    const { S, Y, a, rhoWithin: rho, capacity, dimension: n } = this;
    const { count } = this.state;
    const slots = capacity + 1;
    let gamma = 0;
    for (let i = 0; i < n; i++) out[i] = free[i] * v[i];
    for (let k = 1; k <= count; k++) {
      const slot = (this.state.free - k + slots) % slots; // newest first
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
      rho[slot] = sy > MIN_COSINE * Math.sqrt(ss) * Math.sqrt(yy) ? 1 / sy : 0;
      if (rho[slot] === 0) continue;
      if (isWide) gamma = Math.max(gamma, ss / sy);
      else if (gamma === 0) gamma = sy / yy;
      a[slot] = rho[slot] * sq;
      addWithin(free, -a[slot], y, out);
    }
    if (gamma === 0) return 0;
    scale(gamma, out);
    for (let k = count; k >= 1; k--) {
      const slot = (this.state.free - k + slots) % slots; // oldest first
      if (rho[slot] !== 0) addWithin(free, a[slot] - rho[slot] * dot(Y[slot], out), S[slot], out);
    }
    return gamma;
  }
}

/** y ← y + a x where `free` is 1 */
function addWithin(free: Float64Array, a: number, x: Float64Array, y: Float64Array): void {
  for (let i = 0; i < x.length; i++) y[i] += a * free[i] * x[i];
}

/** y ← y + a x, then ⟨z, y⟩ in the same pass, summed as `dot` does. */
function axpyDot(a: number, x: Float64Array, y: Float64Array, z: Float64Array): number {
  const n = y.length;
  const whole = n - (n % 4);
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  for (let i = 0; i < whole; i += 4) {
    const y0 = y[i] + a * x[i];
    y[i] = y0;
    s0 += z[i] * y0;
    const y1 = y[i + 1] + a * x[i + 1];
    y[i + 1] = y1;
    s1 += z[i + 1] * y1;
    const y2 = y[i + 2] + a * x[i + 2];
    y[i + 2] = y2;
    s2 += z[i + 2] * y2;
    const y3 = y[i + 3] + a * x[i + 3];
    y[i + 3] = y3;
    s3 += z[i + 3] * y3;
  }
  for (let i = whole; i < n; i++) {
    y[i] += a * x[i];
    s0 += z[i] * y[i];
  }
  return s0 + s1 + (s2 + s3);
}
