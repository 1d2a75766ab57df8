/**
 * What is known of one subfunction: a quadratic around the point of its latest evaluation,
 *
 *   g(z) = f + dᵀ(z − t) + ½ (z − t)ᵀ H (z − t),   H = B diag(σ) Bᵀ + λ I                               (eq. 8)
 *
 * In the whole space I is the identity on the parameters that f depends on, if these are few.
 *
 * with the history of steps and gradient changes that H comes from. Everything is in the subspace's coordinates;
 * the arrays have room for `capacity` of them, and are zero beyond the K in use.
 */
import { CurvatureError } from "@curvature/linalg";
import type { SnapshotReader, SnapshotValue } from "@curvature/optim-core";
import { norm } from "../newton-step.js";
import type { HistoryHessian } from "./history-hessian.js";
import { Support } from "./support.js";

/** A pair with ‖s‖, the cosine between s and y, or ‖y‖ in units of min(1, the first ‖d‖) below this says nothing. */
const NEGLIGIBLE = 1e-12;

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
  private firstSlope = Number.NaN;
  /** λ; 0 while the subfunction is not active. */
  lambda = 0;
  /** An estimate of H's largest eigenvalue. */
  largest = 0;
  /** B's columns. */
  columns: readonly Float64Array[] = [];
  /** σ */
  signs: readonly number[] = [];
  /** The parameters that H is of; undefined for all. */
  domain: Int32Array | undefined;
  /** What is known of the parameters that f depends on; undefined in a subspace, whose coordinates mix them. */
  readonly support: Support | undefined;
  /** Evaluations, those of failed steps included. */
  evaluations = 0;
  /** Whether t and d are of an evaluation. */
  isSeen = false;
  isActive = false;
  /** Whether t and d went through a collapse. */
  private isCarried = false;
  /** Newest first. */
  readonly S: Float64Array[] = [];
  readonly Y: Float64Array[] = [];
  private readonly history: number;

  /** @param isWhole - whether coordinates are parameters */
  constructor(capacity: number, history: number, isWhole: boolean) {
    this.t = new Float64Array(capacity);
    this.d = new Float64Array(capacity);
    this.history = history;
    this.support = isWhole ? new Support(capacity) : undefined;
  }

  /**
   * Takes an evaluation in; it and the one before make a pair.
   *
   * @param resolution - the part of ‖d‖ to which d holds through a collapse
   */
  record(z: Float64Array, f: number, d: Float64Array, K: number, resolution: number): void {
    if (this.isSeen) this.push(z, d, K, resolution);
    this.support?.see(d);
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
    for (let i = 0; i < K; i++) {
      const s = z[i] - this.t[i];
      const y = d[i] - this.d[i];
      ss += s * s;
      yy += y * y;
      sy += s * y;
      dd += this.d[i] * this.d[i];
    }
    const lengths = Math.sqrt(ss) * Math.sqrt(yy);
    const unit = Math.min(1, this.firstSlope > 0 ? this.firstSlope : 1);
    const says = Math.sqrt(ss) >= NEGLIGIBLE && Math.sqrt(yy) >= NEGLIGIBLE * unit;
    const rounding = this.isCarried ? resolution * Math.sqrt(dd) * Math.sqrt(ss) : 0;
    if (Math.abs(sy) < rounding) return; // a curvature that a collapse may have made
    if (!says || !(Math.abs(sy / lengths) >= NEGLIGIBLE) || !Number.isFinite(lengths)) return;
    const isFull = this.S.length === this.history;
    const s = (isFull ? this.S.pop() : undefined) ?? new Float64Array(this.t.length);
    const y = (isFull ? this.Y.pop() : undefined) ?? new Float64Array(this.t.length);
    s.fill(0);
    y.fill(0);
    for (let i = 0; i < K; i++) {
      s[i] = z[i] - this.t[i];
      y[i] = d[i] - this.d[i];
    }
    this.S.unshift(s);
    this.Y.unshift(y);
  }

  /** @param domain - the parameters that the Hessian's coordinates are; undefined if they are those of the model */
  setHessian({ lambda, largest, columns, signs }: HistoryHessian, domain: Int32Array | undefined): void {
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
  renew(keepHistory: boolean): void {
    this.evaluations = 0;
    this.isSeen = false;
    if (keepHistory) return;
    this.S.length = 0;
    this.Y.length = 0;
    this.support?.forget();
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

  /** The first K coordinates of everything. */
  save(K: number): SnapshotValue {
    const cut = (vectors: readonly Float64Array[]): Float64Array => {
      const all = new Float64Array(vectors.length * K);
      vectors.forEach((vector, k) => {
        all.set(vector.subarray(0, K), k * K);
      });
      return all;
    };
    const { f, firstF, firstSlope, lambda, largest, evaluations, isSeen, isActive, isCarried } = this;
    return {
      t: this.t.slice(0, K),
      d: this.d.slice(0, K),
      S: cut(this.S),
      Y: cut(this.Y),
      columns: cut(this.columns),
      signs: Float64Array.from(this.signs),
      numbers: Float64Array.of(f, firstF, firstSlope, lambda, largest),
      support: this.support?.save() ?? null,
      domain: this.domain?.slice() ?? null,
      evaluations,
      isSeen,
      isActive,
      isCarried,
    };
  }

  /** Reads and checks what `save` gave; the returned function takes it over. @throws CurvatureError ERR_SNAPSHOT */
  open(state: SnapshotReader, K: number): () => void {
    const t = state.float64("t", K);
    const d = state.float64("d", K);
    const signs = Array.from(state.float64("signs"));
    const columns = state.float64("columns", signs.length * K);
    const S = state.float64("S");
    const Y = state.float64("Y", S.length);
    const [f, firstF, firstSlope, lambda, largest] = state.float64("numbers", 5);
    const restoreSupport = this.support?.open(state, "support");
    const domain = state.has("domain") ? openDomain(state, this.t.length) : undefined;
    const evaluations = state.integer("evaluations");
    const isSeen = state.flag("isSeen");
    const isActive = state.flag("isActive");
    const isCarried = state.flag("isCarried");
    return () => {
      this.t.fill(0);
      this.t.set(t);
      this.d.fill(0);
      this.d.set(d);
      this.signs = signs;
      this.columns = this.parts(columns, K);
      this.S.splice(0, this.S.length, ...this.parts(S, K));
      this.Y.splice(0, this.Y.length, ...this.parts(Y, K));
      restoreSupport?.();
      this.domain = domain;
      Object.assign(this, {
        f,
        firstF,
        firstSlope,
        lambda,
        largest,
        evaluations,
        isSeen,
        isActive,
        isCarried,
      });
    };
  }

  private parts(all: Float64Array, K: number): Float64Array[] {
    const count = K === 0 ? 0 : all.length / K;
    return Array.from({ length: count }, (_, k) => this.padded(all.subarray(k * K, (k + 1) * K)));
  }
}

/** @throws CurvatureError ERR_SNAPSHOT */
function openDomain(state: SnapshotReader, dimension: number): Int32Array {
  const domain = state.int32("domain");
  if (domain.some((parameter) => parameter < 0 || parameter >= dimension))
    throw new CurvatureError(
      "ERR_SNAPSHOT",
      `Sfo: a subfunction's domain has parameters beyond ${dimension - 1}.`,
      {
        path: "domain",
      },
    );
  return domain.slice();
}
