/**
 * Stochastic gradient descent with a full matrix of gains, and what the paper's theorems say of it.
 *
 * Iteration  w ← w − B g(w)/(t + t₀),   g(w) = λ w + l′(w·x, y) x of a row drawn at random        (the paper's (2))
 *            B = I/λ is SGD (3); B = H⁻¹ is second-order SGD, 2SGD (4)
 *
 * | symbol | meaning                                                      |
 * |--------|--------------------------------------------------------------|
 * | w*     | the minimum of P                                             |
 * | H      | P″(w*), λ I included                                         |
 * | G      | E g(w*) g(w*)ᵀ                                               |
 * | μ      | the eigenvalues of H B                                       |
 *
 * Near w*, u = L⁻¹ (w − w*) with B = L Lᵀ follows u ← u − (S u + noise)/t, S = Lᵀ H L, the noise of covariance
 * Γ = Lᵀ G L. In the basis of S, whose eigenvalues are μ, t E u uᵀ → Γᵢⱼ/(μᵢ + μⱼ − 1) where all μ are above ½, so that
 *
 *            t E[P(w_t) − P*] → ½ Σ μᵢ Γᵢᵢ/(2 μᵢ − 1),
 *
 * which lies between the two sides of the paper's theorem 1, ½ Σ μᵢ Γᵢᵢ/(2 μ − 1) for the largest and the least μ. An
 * eigenvalue below ½ leaves a part of P − P* that falls as t^(−2 μ), whatever the noise.
 */
import { DenseCholesky, type DenseMatrix, gemm, symmetricEigen } from "@curvature/linalg";
import type { LinearLoss } from "@curvature/objectives/linear";

/** P(w) = λ/2 ‖w‖² + Σ c_i l(w·x_i, y_i) / Σ c_i; all c are 1 where they are left out. */
export interface DenseProblem {
  readonly rows: DenseMatrix;
  readonly targets: Float64Array;
  readonly loss: LinearLoss;
  readonly lambda: number;
  readonly counts?: Float64Array;
}

export interface Moments {
  readonly cost: number;
  readonly gradient: Float64Array;
  readonly H: DenseMatrix;
  readonly G: DenseMatrix;
}

const square = (d: number): DenseMatrix => ({ rows: d, columns: d, data: new Float64Array(d * d) });

const whole = ({ data, columns }: DenseMatrix) => ({ data, offset: 0, rowStride: columns, columnStride: 1 });
const transposed = ({ data, columns }: DenseMatrix) => ({
  data,
  offset: 0,
  rowStride: 1,
  columnStride: columns,
});

/** A B, or Aᵀ B. */
export function product(A: DenseMatrix, B: DenseMatrix, isTransposed = false): DenseMatrix {
  const [m, k] = isTransposed ? [A.columns, A.rows] : [A.rows, A.columns];
  const C = { rows: m, columns: B.columns, data: new Float64Array(m * B.columns) };
  gemm(1, m, B.columns, k, isTransposed ? transposed(A) : whole(A), whole(B), whole(C));
  return C;
}

/** Rows that are scaled and multiplied at a time. */
const BLOCK = 2000;

/** P, its gradient and H at w, and G as if w were w*. */
export function moments({ rows, targets, loss, lambda, counts }: DenseProblem, w: Float64Array): Moments {
  const { rows: n, columns: d, data } = rows;
  const [H, G] = [square(d), square(d)];
  const gradient = new Float64Array(d);
  let [sum, total] = [0, 0];
  for (let start = 0; start < n; start += BLOCK) {
    const count = Math.min(BLOCK, n - start);
    const [curved, sloped] = [0, 1].map(() => ({
      rows: count,
      columns: d,
      data: new Float64Array(count * d),
    }));
    for (let k = 0; k < count; k++) {
      const i = start + k;
      const c = counts === undefined ? 1 : counts[i];
      const [s, y] = [score(data, i * d, w), targets[i]];
      const slope = loss.slope(s, y);
      const root = Math.sqrt(c * loss.curvature(s, y));
      for (let j = 0; j < d; j++) {
        const x = data[i * d + j];
        const g = lambda * w[j] + slope * x;
        curved.data[k * d + j] = root * x;
        sloped.data[k * d + j] = Math.sqrt(c) * g;
        gradient[j] += c * g;
      }
      sum += c * loss.value(s, y);
      total += c;
    }
    for (const [C, A] of [
      [H, curved],
      [G, sloped],
    ])
      gemm(1, d, d, count, transposed(A), whole(A), whole(C));
  }
  for (let k = 0; k < d * d; k++) {
    H.data[k] = H.data[k] / total + (k % (d + 1) === 0 ? lambda : 0);
    G.data[k] /= total;
  }
  for (let j = 0; j < d; j++) gradient[j] /= total;
  return { cost: 0.5 * lambda * score(w, 0, w) + sum / total, gradient, H, G };
}

/** Σ_j data[at + j] w_j */
function score(data: Float64Array, at: number, w: Float64Array): number {
  let sum = 0;
  for (let j = 0; j < w.length; j++) sum += data[at + j] * w[j];
  return sum;
}

/** P alone. */
export function costAt({ rows, targets, loss, lambda }: DenseProblem, w: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < rows.rows; i++) sum += loss.value(score(rows.data, i * rows.columns, w), targets[i]);
  return 0.5 * lambda * score(w, 0, w) + sum / rows.rows;
}

/** w*, by Newton's method with halved steps. */
export function minimum(problem: DenseProblem, start: Float64Array): Float64Array {
  let w = start.slice();
  let here = moments(problem, w);
  for (let k = 0; k < 100; k++) {
    const step = here.gradient.slice();
    new DenseCholesky(here.H).solve(step);
    const decrement = score(step, 0, here.gradient);
    if (decrement <= 1e-14 * here.cost) return w;
    let next = w;
    let there = here;
    for (let length = 1; length > 1e-6 && !(there.cost < here.cost); length /= 2) {
      next = w.map((weight, j) => weight - length * step[j]);
      there = moments(problem, next);
    }
    if (!(there.cost < here.cost)) return w; // as near as rounding lets it
    [w, here] = [next, there];
  }
  throw new Error("Newton's method did not find the minimum in 100 steps.");
}

/** What the theorems say of gains B: figures that are to be divided by t. */
export interface Predicted {
  /** The eigenvalues of H B, in increasing order. */
  readonly eigenvalues: Float64Array;
  /** The two sides of theorem 1 with the ½ of the authors' later note; the upper one is infinite where an eigenvalue is ½ or less. */
  readonly low: number;
  readonly high: number;
  /** The limit between them. */
  readonly limit: number;
}

export function predicted({ H, G }: Pick<Moments, "H" | "G">, B: DenseMatrix): Predicted {
  const L = new DenseCholesky(B).factor;
  const { values, vectors } = symmetricEigen(product(L, product(H, L), true));
  const noise = product(L, product(G, L), true);
  let [trace, limit] = [0, 0];
  for (const [i, mu] of values.entries()) {
    const q = vectors.data.subarray(i * vectors.columns, (i + 1) * vectors.columns);
    let own = 0; // Γᵢᵢ in the basis of S
    for (let j = 0; j < q.length; j++) own += q[j] * score(noise.data, j * q.length, q);
    trace += mu * own;
    limit += (mu * own) / (2 * mu - 1);
  }
  const [least, most] = [values[0], values[values.length - 1]];
  const isCovered = least > 0.5;
  return {
    eigenvalues: values,
    low: trace / (2 * most - 1) / 2,
    high: isCovered ? trace / (2 * least - 1) / 2 : Number.POSITIVE_INFINITY,
    limit: isCovered ? limit / 2 : Number.POSITIVE_INFINITY,
  };
}

/** t₀ at which a step along a row of average length is half of what the row asks for. */
export function steadyT0({ rows, loss }: DenseProblem, B: DenseMatrix): number {
  const { data } = product(rows, B);
  let sum = 0;
  for (let k = 0; k < data.length; k++) sum += data[k] * rows.data[k];
  return 2 + (2 * loss.curvatureBound * sum) / rows.rows;
}

/**
 * w after so many steps of (2) from 0, each of `times`, which increase.
 *
 * @param rowAt - the row of step t, counted from 0
 */
export function genericSgd(
  { rows, targets, loss, lambda }: DenseProblem,
  B: DenseMatrix,
  t0: number,
  times: readonly number[],
  rowAt: (t: number) => number,
): Float64Array[] {
  const d = rows.columns;
  const scaled = product(rows, B).data; // B x of every row: B is symmetric
  const w = new Float64Array(d);
  const pull = new Float64Array(d);
  const found: Float64Array[] = [];
  for (let t = 0; ; t++) {
    if (t === times[found.length]) found.push(w.slice());
    if (found.length === times.length) return found;
    const at = rowAt(t) * d;
    const slope = loss.slope(score(rows.data, at, w), targets[at / d]);
    for (let j = 0; j < d; j++) pull[j] = lambda * score(B.data, j * d, w) + slope * scaled[at + j];
    const rate = 1 / (t + t0);
    for (let j = 0; j < d; j++) w[j] -= rate * pull[j];
  }
}

export interface Directions {
  /** The eigenvalues μ of H B, in increasing order. */
  readonly eigenvalues: Float64Array;
  /** Those of ½ or less, for which theorem 1 does not hold; and the share of vᵀ H v that lies along them. */
  readonly slow: number;
  readonly slowShare: number;
}

/** How v lies among the eigenvectors of H B, B = diag(gains). */
export function directions(H: DenseMatrix, gains: Float64Array, v: Float64Array): Directions {
  const d = gains.length;
  const roots = gains.map(Math.sqrt);
  const S = { ...H, data: H.data.map((h, k) => h * roots[Math.floor(k / d)] * roots[k % d]) };
  const { values, vectors } = symmetricEigen(S);
  const u = v.map((one, j) => one / roots[j]);
  let [slow, slowPart, all] = [0, 0, 0];
  for (const [i, mu] of values.entries()) {
    const part = mu * score(vectors.data, i * d, u) ** 2;
    all += part;
    if (mu > 0.5) continue;
    slow++;
    slowPart += part;
  }
  return { eigenvalues: values, slow, slowShare: slowPart / all };
}
