/**
 * Triangle inequalities, and the multipliers μ ≥ 0 of those in use.
 *
 *   ⟨C_t, Q⟩ = Q_ii + Q_jk − Q_ij − Q_ik ≥ 0,   t = (i, j, k)
 *
 * holds for the Q of every clustering: with i in a cluster of m points it reads 0, 0 or 1/m + Q_jk. It does not hold for all
 * matrices of the relaxation. The sum of all entries of C_t is 0.
 *
 * Where points stand for several, w of them, the matrix is Q'_ab = √(w_a w_b) Q_ab: C_t is written for that one, and divided by
 * its largest coefficient, so that one step length suits all.
 *
 * | symbol | variable     | shape                              |
 * |--------|--------------|------------------------------------|
 * | t      | i, j, k      | one entry each per cut             |
 * | μ      | mu           | one per cut                        |
 * | C_t    | coefficients | 4 per cut: of ii, jk, −ij, −ik     |
 * | 1/√w   | roots        | n                                  |
 */

/** Most violated cuts that one apex i may bring at once. */
const PER_APEX = 12;
/** Cuts that are added at once, over n. */
const PER_ROW = 3;

export class TriangleCuts {
  i = new Int32Array(0);
  j = new Int32Array(0);
  k = new Int32Array(0);
  mu = new Float64Array(0);
  private coefficients = new Float64Array(0);
  /** What C_t was divided by. */
  private largest = new Float64Array(0);

  constructor(
    private readonly n: number,
    private readonly roots: Float64Array,
  ) {}

  get count(): number {
    return this.mu.length;
  }

  /** ⟨C_t, X⟩ of a symmetric X, n × n. */
  value(t: number, X: Float64Array): number {
    const { n, coefficients: c } = this;
    const row = this.i[t] * n;
    const [j, k] = [this.j[t], this.k[t]];
    return (
      c[4 * t] * X[row + this.i[t]] +
      c[4 * t + 1] * X[j * n + k] -
      c[4 * t + 2] * X[row + j] -
      c[4 * t + 3] * X[row + k]
    );
  }

  /** A ← A + Σ y_t C_t */
  addTo(A: Float64Array, y: Float64Array): void {
    const { n, coefficients: c } = this;
    for (let t = 0; t < y.length; t++) {
      if (y[t] === 0) continue;
      const [i, j, k] = [this.i[t], this.j[t], this.k[t]];
      const half = 0.5 * y[t];
      A[i * n + i] += c[4 * t] * y[t];
      addPair(A, j * n + k, k * n + j, c[4 * t + 1] * half);
      addPair(A, i * n + j, j * n + i, -c[4 * t + 2] * half);
      addPair(A, i * n + k, k * n + i, -c[4 * t + 3] * half);
    }
  }

  /** ‖𝒞‖², 𝒞 X = (⟨C_t, X⟩)_t, by the power method: a little too small. */
  squaredNorm(): number {
    const { n, count } = this;
    if (count === 0) return 0;
    let y = new Float64Array(count).fill(1 / Math.sqrt(count));
    let norm = 0;
    for (let step = 0; step < POWER_STEPS; step++) {
      const A = new Float64Array(n * n);
      this.addTo(A, y);
      const next = new Float64Array(count);
      let squares = 0;
      for (let t = 0; t < count; t++) {
        next[t] = this.value(t, A);
        squares += next[t] * next[t];
      }
      norm = Math.sqrt(squares);
      if (norm === 0) return 0;
      for (let t = 0; t < count; t++) next[t] /= norm;
      y = next;
    }
    return norm;
  }

  /** Drops cuts of no multiplier, and adds those that X violates most. */
  renew(X: Float64Array, least: number): void {
    const kept = this.list().filter((_, t) => this.mu[t] > NO_MULTIPLIER);
    this.set([...kept, ...this.violated(X, least).map(({ i, j, k }) => ({ i, j, k, mu: 0 }))]);
  }

  /** All of them, with the multipliers of the undivided inequalities. */
  list(): readonly Cut[] {
    const { i, j, k, mu, largest } = this;
    return Array.from(mu, (y, t) => ({ i: i[t], j: j[t], k: k[t], mu: y / largest[t] }));
  }

  /** Of a cut that is there twice the multipliers are added. */
  set(cuts: readonly Cut[]): void {
    const { roots: r } = this;
    const known = new Map<number, { i: number; j: number; k: number; mu: number }>();
    for (const { i, j: first, k: second, mu } of cuts) {
      const [j, k] = first < second ? [first, second] : [second, first];
      const same = known.get(this.key(i, j, k));
      if (same === undefined) known.set(this.key(i, j, k), { i, j, k, mu });
      else same.mu += mu;
    }
    const own = [...known.values()];
    this.i = Int32Array.from(own, (cut) => cut.i);
    this.j = Int32Array.from(own, (cut) => cut.j);
    this.k = Int32Array.from(own, (cut) => cut.k);
    this.coefficients = new Float64Array(4 * own.length);
    this.largest = new Float64Array(own.length);
    for (const [t, { i, j, k }] of own.entries()) {
      const four = [r[i] * r[i], r[j] * r[k], r[i] * r[j], r[i] * r[k]];
      this.largest[t] = Math.max(...four);
      for (let at = 0; at < 4; at++) this.coefficients[4 * t + at] = four[at] / this.largest[t];
    }
    this.mu = Float64Array.from(own, (cut, t) => cut.mu * this.largest[t]);
  }

  private key(i: number, j: number, k: number): number {
    return (i * this.n + j) * this.n + k;
  }

  /** n³/2 additions; of equal violations the first. */
  private violated(X: Float64Array, least: number): readonly Violated[] {
    const { n, roots: r } = this;
    const Q = new Float64Array(n * n);
    for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) Q[i * n + j] = X[i * n + j] * r[i] * r[j];
    const all: Violated[] = [];
    const best = new MostViolated();
    const row = new Float64Array(n);
    for (let i = 0; i < n; i++) {
      best.begin(least);
      row.set(Q.subarray(i * n, (i + 1) * n));
      row[i] = Number.NEGATIVE_INFINITY; // neither j nor k
      let limit = best.limit;
      for (let j = 0; j < n; j++) {
        const from = row[j] - Q[i * n + i];
        const at = j * n;
        for (let k = j + 1; k < n; k++) {
          const violation = from + row[k] - Q[at + k];
          if (violation > limit) limit = best.take(violation, j, k);
        }
      }
      best.addTo(all, i);
    }
    return all.sort((a, b) => b.violation - a.violation).slice(0, PER_ROW * n);
  }
}

const POWER_STEPS = 8;
/** In units of ‖D‖_F/√K. */
const NO_MULTIPLIER = 1e-9;

export interface Cut {
  readonly i: number;
  readonly j: number;
  readonly k: number;
  readonly mu: number;
}

interface Violated extends Omit<Cut, "mu"> {
  readonly violation: number;
}

/** The most violated cuts of one apex. */
class MostViolated {
  private readonly violation = new Float64Array(PER_APEX);
  private readonly j = new Int32Array(PER_APEX);
  private readonly k = new Int32Array(PER_APEX);
  private count = 0;
  limit = 0;

  begin(least: number): void {
    this.count = 0;
    this.limit = least;
  }

  /** @returns the violation that another one must exceed */
  take(violation: number, j: number, k: number): number {
    let at = this.count < PER_APEX ? this.count++ : PER_APEX - 1;
    for (; at > 0 && this.violation[at - 1] < violation; at--) {
      this.violation[at] = this.violation[at - 1];
      this.j[at] = this.j[at - 1];
      this.k[at] = this.k[at - 1];
    }
    this.violation[at] = violation;
    this.j[at] = j;
    this.k[at] = k;
    if (this.count === PER_APEX) this.limit = this.violation[PER_APEX - 1];
    return this.limit;
  }

  addTo(all: Violated[], i: number): void {
    for (let c = 0; c < this.count; c++)
      all.push({ i, j: this.j[c], k: this.k[c], violation: this.violation[c] });
  }
}

function addPair(A: Float64Array, at: number, other: number, y: number): void {
  A[at] += y;
  A[other] += y;
}
