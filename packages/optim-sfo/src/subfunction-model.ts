/**
 * What is known of one subfunction: a quadratic around the point of its latest evaluation,
 *
 *   g(z) = f + dᵀ(z − t) + ½ (z − t)ᵀ H (z − t),   H = B diag(σ) Bᵀ + λ I                               (eq. 8)
 *
 * with the history of steps and gradient changes that H comes from. In the whole space I is the identity on the parameters
 * that f depends on, if these are few. Everything is in the subspace's coordinates; the arrays have room for `capacity` of
 * them, and are zero beyond the K in use.
 *
 * Sums of functions of a few parameters each are "partially separable": Griewank, Toint: Partitioned variable metric
 * updates for large structured optimization problems. Numer. Math. 39 (1982) 119-137. doi:10.1007/BF01399316.
 */
import { boolean, float64, number, part, stateIn, uint8, vectors, whole } from "@curvature/optim-core/state";
import { norm } from "./vectors.js";

/** λ I + B diag(σ) Bᵀ */
export interface LowRankHessian {
  readonly lambda: number;
  /** An estimate of the largest eigenvalue. */
  readonly largest: number;
  /** B, column by column, each of K numbers. */
  readonly columns: readonly Float64Array[];
  /** σ, −1 or 1 each. */
  readonly signs: Float64Array;
}

/** A pair with ‖s‖ in units of ‖t‖, the cosine between s and y, or ‖y‖ in units of min(1, the first ‖d‖) below this says nothing. */
const NEGLIGIBLE = 1e-12;

/** Below this part of ‖d‖ a gradient change is 0, */
const FLAT = 1e-14;
/** where the step went along d, by the square of its cosine: in the parameters that f does not depend on it says nothing. */
const ALONG = 1e-4;

export class SubfunctionModel {
  /** t, the point of the latest evaluation that was recorded. */
  readonly t: Float64Array;
  /** d, the gradient there. */
  readonly d: Float64Array;
  /** The value there; NaN before the first. */
  f = Number.NaN;
  /** The first value that was recorded. */
  firstF = Number.NaN;
  /** The length of the first gradient that was recorded. */
  firstSlope = Number.NaN;
  /** λ; 0 while the subfunction is not active. */
  lambda = 0;
  /** An estimate of H's largest eigenvalue. */
  largest = 0;
  /** B's columns. */
  columns: Float64Array[] = [];
  /** σ, −1 or 1 each. */
  signs: Float64Array = new Float64Array(0);
  /** The parameters that H is of; undefined for all. */
  domain: Int32Array | undefined;
  /** The parameters that f depends on; none are known in a subspace, whose coordinates mix them. */
  readonly support: Support;
  /** Evaluations, those of failed steps included. */
  evaluations = 0;
  /** Whether t and d are of an evaluation. */
  isSeen = false;
  isActive = false;
  /** Whether t and d went through a collapse. */
  isCarried = false;
  /** Steps and gradient changes, newest first. */
  S: Float64Array[] = [];
  Y: Float64Array[] = [];
  readonly state;

  /**
   * @param history - L
   * @param isWhole - whether coordinates are parameters
   */
  constructor(
    capacity: number,
    private readonly history: number,
    isWhole: boolean,
  ) {
    this.t = new Float64Array(capacity);
    this.d = new Float64Array(capacity);
    this.support = new Support(isWhole ? capacity : 0);
    const K = (number: (name: string) => number): number => number("K");
    this.state = stateIn(
      this,
      {
        t: float64(this.t, { length: K }),
        d: float64(this.d, { length: K }),
        f: number(),
        firstF: number(),
        firstSlope: number(),
        lambda: number(),
        largest: number(),
        columns: vectors(capacity, K),
        signs: float64(this.signs, { anyLength: true }),
        domainFlags: uint8(this.domainFlags, { from: 0, to: 1 }),
        support: part(this.support),
        evaluations: whole(),
        isSeen: boolean(),
        isActive: boolean(),
        isCarried: boolean(),
        S: vectors(capacity, K),
        Y: vectors(capacity, K),
      },
      (saved) => {
        const length = (name: string): number => {
          const value = saved.get(name);
          return value instanceof Float64Array ? value.length : Number.NaN;
        };
        if (length("columns") !== length("signs") * Number(saved.get("K")))
          return "a model with a sign for each column";
        return length("S") === length("Y") ? undefined : "a model with a gradient change for each step";
      },
    );
  }

  /** The domain as it is saved: 1 for each of its parameters, none for all. */
  get domainFlags(): Uint8Array {
    const flags = new Uint8Array(this.support.isTouched.length);
    for (const parameter of this.domain ?? []) flags[parameter] = 1;
    return flags;
  }

  set domainFlags(flags: Uint8Array) {
    const parameters = flagged(flags);
    this.domain = parameters.length === 0 ? undefined : parameters;
  }

  /**
   * Takes an evaluation in; it and the one before make a pair.
   *
   * @param resolution - the part of ‖d‖ to which d holds through a collapse
   */
  record(z: Float64Array, f: number, d: Float64Array, K: number, resolution: number): void {
    if (this.isSeen) this.push(z, d, K, resolution);
    this.support.see(d);
    this.t.fill(0);
    this.d.fill(0);
    for (let i = 0; i < K; i++) {
      this.t[i] = z[i];
      this.d[i] = d[i];
    }
    if (!this.isSeen) {
      this.firstF = f;
      this.firstSlope = norm(d.subarray(0, K));
    }
    this.f = f;
    this.isSeen = true;
    this.isCarried = false;
  }

  private push(z: Float64Array, d: Float64Array, K: number, resolution: number): void {
    let ss = 0;
    let yy = 0;
    let dd = 0;
    let sy = 0;
    let ds = 0;
    let tt = 0;
    for (let i = 0; i < K; i++) {
      const s = z[i] - this.t[i];
      const y = d[i] - this.d[i];
      ss += s * s;
      yy += y * y;
      sy += s * y;
      dd += this.d[i] * this.d[i];
      ds += this.d[i] * s;
      tt += this.t[i] * this.t[i];
    }
    const isMove = Math.sqrt(ss) > NEGLIGIBLE * Math.sqrt(tt) && Number.isFinite(ss);
    const isFlat = isMove && Math.sqrt(yy) <= FLAT * Math.sqrt(dd) && ds * ds > ALONG * dd * ss;
    const lengths = Math.sqrt(ss) * Math.sqrt(yy);
    const unit = Math.min(1, this.firstSlope > 0 ? this.firstSlope : 1);
    const says = isMove && Math.sqrt(yy) >= NEGLIGIBLE * unit;
    const rounding = this.isCarried ? resolution * Math.sqrt(dd) * Math.sqrt(ss) : 0;
    if (!isFlat) {
      if (Math.abs(sy) < rounding) return; // a curvature that a collapse may have made
      if (!says || !(Math.abs(sy / lengths) >= NEGLIGIBLE) || !Number.isFinite(lengths)) return;
    }
    const isFull = this.S.length === this.history;
    const s = (isFull ? this.S.pop() : undefined) ?? new Float64Array(this.t.length);
    const y = (isFull ? this.Y.pop() : undefined) ?? new Float64Array(this.t.length);
    s.fill(0);
    y.fill(0);
    for (let i = 0; i < K; i++) {
      s[i] = z[i] - this.t[i];
      y[i] = isFlat ? 0 : d[i] - this.d[i];
    }
    this.S.unshift(s);
    this.Y.unshift(y);
  }

  /** @param domain - the parameters that the Hessian's coordinates are; undefined if they are those of the model */
  setHessian({ lambda, largest, columns, signs }: LowRankHessian, domain: Int32Array | undefined): void {
    this.lambda = lambda;
    this.largest = largest;
    this.domain = domain;
    this.columns = columns.map((column) =>
      domain === undefined ? this.padded(column) : this.scattered(column, domain),
    );
    this.signs = signs;
  }

  private scattered(column: Float64Array, domain: Int32Array): Float64Array {
    const vector = new Float64Array(this.t.length);
    domain.forEach((parameter, k) => {
      vector[parameter] = column[k];
    });
    return vector;
  }

  private padded(column: Float64Array): Float64Array {
    const vector = new Float64Array(this.t.length);
    vector.set(column);
    return vector;
  }

  /** out ← out + sign H v */
  addHessianTimes(v: Float64Array, sign: 1 | -1, out: Float64Array, K: number): void {
    const { domain } = this;
    const shift = sign * this.lambda;
    if (domain === undefined) for (let i = 0; i < K; i++) out[i] += shift * v[i];
    else for (const i of domain) out[i] += shift * v[i];
    for (let c = 0; c < this.columns.length; c++) {
      const b = this.columns[c];
      let sum = 0;
      for (let i = 0; i < K; i++) sum += b[i] * v[i];
      const weight = sign * this.signs[c] * sum;
      for (let i = 0; i < K; i++) out[i] += weight * b[i];
    }
  }

  /** (z − t)ᵀ H (z − t) */
  squaredDistance(z: Float64Array, K: number): number {
    const { domain } = this;
    let sum = 0;
    if (domain === undefined) for (let i = 0; i < K; i++) sum += (z[i] - this.t[i]) * (z[i] - this.t[i]);
    else for (const i of domain) sum += (z[i] - this.t[i]) * (z[i] - this.t[i]);
    sum *= this.lambda;
    for (let c = 0; c < this.columns.length; c++) {
      const b = this.columns[c];
      let part = 0;
      for (let i = 0; i < K; i++) part += b[i] * (z[i] - this.t[i]);
      sum += this.signs[c] * part * part;
    }
    return sum;
  }

  /** g(z) */
  value(z: Float64Array, K: number): number {
    let slope = 0;
    for (let i = 0; i < K; i++) slope += this.d[i] * (z[i] - this.t[i]);
    return this.f + slope + 0.5 * this.squaredDistance(z, K);
  }

  /** Forgets that it was evaluated; the model stays until it is again. */
  forget(keepHistory: boolean): void {
    this.evaluations = 0;
    this.isSeen = false;
    if (keepHistory) return;
    this.S.length = 0;
    this.Y.length = 0;
    this.support.forget();
  }

  /** Every vector v becomes Qᵀ v. */
  transform(apply: (v: Float64Array) => void): void {
    this.isCarried = true;
    apply(this.t);
    apply(this.d);
    this.S.forEach(apply);
    this.Y.forEach(apply);
    this.columns.forEach(apply);
  }
}

/**
 * The parameters that a subfunction depends on, as far as its gradients show: those in which one of them had an entry
 * other than 0. A Hessian is zero in all the others, so its history is to be read, and its multiple of the identity to
 * be put, within the support alone.
 */
export class Support {
  readonly isTouched: Uint8Array;
  readonly state;
  private list: Int32Array | undefined;

  constructor(dimension: number) {
    this.isTouched = new Uint8Array(dimension);
    this.state = stateIn(this, { isTouched: uint8(this.isTouched, { from: 0, to: 1 }) });
  }

  /** The parameters in rising order; undefined if they are more than half of all, or none is known. */
  get parameters(): Int32Array | undefined {
    return this.list;
  }

  see(gradient: Float64Array): void {
    const { isTouched } = this;
    let isNew = false;
    for (let i = 0; i < isTouched.length; i++) {
      if (gradient[i] === 0 || isTouched[i] === 1) continue;
      isTouched[i] = 1;
      isNew = true;
    }
    if (isNew) this.enumerate();
  }

  /** Lists what has been touched. */
  enumerate(): void {
    const found = flagged(this.isTouched);
    const isSparse = found.length > 0 && 2 * found.length <= this.isTouched.length;
    this.list = isSparse ? found : undefined;
  }

  forget(): void {
    this.isTouched.fill(0);
    this.list = undefined;
  }
}

function flagged(flags: Uint8Array): Int32Array {
  const found: number[] = [];
  for (let i = 0; i < flags.length; i++) if (flags[i] === 1) found.push(i);
  return Int32Array.from(found);
}
