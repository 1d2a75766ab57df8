/**
 * Newton's step at a point that may be a minimum, from a Hessian by differences: what no pair of a quasi-Newton method has
 * seen, such as a flat direction, it sees.
 *
 *   H_ij = (∇f(x + t_i e_i) − ∇f(x))_j / t_i,   t_i = τ (|x_i|, or max |x| where that is 0, or 1), at least the objective's `resolution`
 *   A    = D⁻¹ (H + Hᵀ)/2 D⁻¹ = V diag(u) Vᵀ,   D_i = √|H_ii|, or 1
 *   p    = −D⁻¹ V |u|⁻¹ Vᵀ D⁻¹ g,   |u_k| at least 10⁻¹² max |u|
 *   expected decrease  ½ Σ_k (v_kᵀ D⁻¹ g)² / |u_k|
 *
 * Where a whole row of H is 0 the function is linear in that coordinate: the step along it is as long as the point.
 *
 * Nocedal, Wright: Numerical Optimization, 2nd ed. (2006), sections 3.4 and 8.1. The eigenvectors are Jacobi's, which are
 * right to the last digits also where a scaled matrix has eigenvalues of very different size, and take a page of code.
 */

/** The most variables with which a Hessian by differences is affordable. */
const MOST = 50;
/** As a part of the evaluations so far, which it may cost. */
const SHARE = 0.3;
const ALWAYS = 4;
/** Products that a look may always take: fewer say nothing of directions that no pair has seen. */
const FEWEST = 8;
/** In noises, the decrease of a step after which the look is made where it is affordable: Newton's step then ends the run sooner. */
export const CALM = 1e4;
const FLOOR = 1e-12;
const SWEEPS = 30;

/** τ */
export const differenceStep = (valueNoise: number): number => Math.max(1e-6, Math.sqrt(valueNoise));

/** Whether the look may be afforded. @param n - coordinates that may move */
export const isAffordable = (n: number, evaluations: number): boolean =>
  n <= MOST && n <= Math.max(ALWAYS, SHARE * evaluations);

/** Of more variables than that, how many products with the Hessian are affordable. */
export const affordableProducts = (n: number, evaluations: number): number =>
  n > MOST ? Math.min(MOST, Math.max(FEWEST, Math.floor(SHARE * evaluations))) : 0;

/** t_i, exact: x_i + t_i is a number. @param least - its least size, where gradients are not exact */
export function shiftOf(xi: number, largest: number, tau: number, least = 0): number {
  const size = Math.abs(xi) || largest || 1;
  return xi + Math.max(tau * size, least) - xi;
}

/**
 * Writes p.
 *
 * @param H - n x n, its rows as above
 * @param reach - max |x|, or 1
 * @returns the decrease expected
 */
export function newtonStep(H: Float64Array, g: Float64Array, reach: number, p: Float64Array): number {
  const n = g.length;
  const D = g.map((_, i) => Math.sqrt(Math.abs(H[i * n + i])) || 1);
  const A = H.map((_, k) => {
    const [i, j] = [Math.floor(k / n), k % n];
    return (0.5 * (H[i * n + j] + H[j * n + i])) / (D[i] * D[j]);
  });
  const V = jacobi(A, n);
  let most = 0;
  for (let k = 0; k < n; k++) most = Math.max(most, Math.abs(A[k * n + k]));
  let expected = 0;
  p.fill(0);
  for (let k = 0; k < n; k++) {
    let part = 0;
    for (let i = 0; i < n; i++) part += (V[i * n + k] * g[i]) / D[i];
    const curvature = Math.abs(A[k * n + k]);
    const u = (curvature === 0 ? Math.abs(part) / reach : Math.max(curvature, FLOOR * most)) || 1;
    expected += (0.5 * part * part) / u;
    for (let i = 0; i < n; i++) p[i] -= (V[i * n + k] * part) / (u * D[i]);
  }
  return expected;
}

/** Turns a symmetric A into a diagonal one. @returns V, the eigenvectors in its columns */
function jacobi(A: Float64Array, n: number): Float64Array {
  const V = new Float64Array(n * n);
  for (let i = 0; i < n; i++) V[i * n + i] = 1;
  for (let sweep = 0, isDone = false; sweep < SWEEPS && !isDone; sweep++) {
    isDone = true;
    for (let i = 0; i < n; i++)
      for (let j = i + 1; j < n; j++) {
        const off = A[i * n + j];
        const [a, b] = [A[i * n + i], A[j * n + j]];
        if (!(Math.abs(off) > Number.EPSILON * Math.sqrt(Math.abs(a * b))) || off === 0) continue;
        isDone = false;
        const theta = (b - a) / (2 * off);
        const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
        const c = 1 / Math.sqrt(t * t + 1);
        for (let k = 0; k < n; k++) rotate(A, k * n + i, k * n + j, c, t * c);
        for (let k = 0; k < n; k++) rotate(A, i * n + k, j * n + k, c, t * c);
        for (let k = 0; k < n; k++) rotate(V, k * n + i, k * n + j, c, t * c);
      }
  }
  return V;
}

function rotate(M: Float64Array, a: number, b: number, c: number, s: number): void {
  const [first, second] = [M[a], M[b]];
  M[a] = c * first - s * second;
  M[b] = s * first + c * second;
}
