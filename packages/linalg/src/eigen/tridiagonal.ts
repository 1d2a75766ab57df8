/**
 * Eigenvalues and eigenvectors of a symmetric tridiagonal matrix by QL with implicit Wilkinson shifts.
 *
 * Iteration  T ← Qᵀ T Q, Q the product of plane rotations that chase the bulge from the bottom of an unreduced block
 *            up to its top, where an off-diagonal entry falls to 0 at a cubic rate
 * Deflation  |e_m| ≤ ε (|d_m| + |d_{m+1}|), or below ε² of the largest entry
 *
 * | symbol | variable        | shape                                                       |
 * |--------|-----------------|-------------------------------------------------------------|
 * | d      | d               | n, the diagonal; at the end the eigenvalues                  |
 * | e      | e               | n, e[i] couples i and i + 1; e[n − 1] is scratch             |
 * | Qᵀ     | Z               | rows rotated along: with Z = I the eigenvectors are its rows |
 *
 * Dubrulle, Martin, Wilkinson: The implicit QL algorithm. Numer. Math. 12 (1968) 377-383. About 3 n³ operations for
 * all vectors. Differs from it: lengths are formed without overflow or underflow, as the bits must not depend on
 * an engine's `Math.hypot`.
 */
import { CurvatureError } from "../errors.js";

/** Sweeps for each eigenvalue, on average: two suffice, but one of a cluster may take as many as the cluster is large. */
const SWEEPS = 30;
const EPSILON = 2 ** -52;

/**
 * In place: d becomes the eigenvalues, in no order, and row i of Z (n rows of `width`) the combination of its rows
 * that belongs to d[i].
 *
 * @throws CurvatureError ERR_SHAPE; ERR_NON_FINITE; ERR_NO_CONVERGENCE, which finite entries have never been seen to cause
 */
export function tridiagonalEigen(d: Float64Array, e: Float64Array, Z: Float64Array, width: number): void {
  const n = d.length;
  if (e.length !== n || Z.length !== n * width) {
    throw new CurvatureError(
      "ERR_SHAPE",
      `tridiagonalEigen: for ${n} diagonal entries e must have ${n} entries and Z ${n} x ${width}; received ${e.length} and ${Z.length}.`,
      { path: "e, Z", expected: `${n} and ${n * width} entries`, received: [e.length, Z.length] },
    );
  }
  let largest = 0;
  for (let i = 0; i < n; i++) largest = Math.max(largest, Math.abs(d[i]), i + 1 < n ? Math.abs(e[i]) : 0);
  if (!Number.isFinite(largest)) throw notFinite();
  const negligible = EPSILON * EPSILON * largest;
  const rotations: Rotations = { c: new Float64Array(n), s: new Float64Array(n) };
  let sweeps = 0;
  for (let l = 0; l < n; l++) {
    for (;;) {
      const m = endOfBlock(d, e, l, negligible);
      if (m === l) break;
      if (sweeps++ === SWEEPS * n) throw notConverged(l);
      const last = qlSweep(d, e, l, m, rotations);
      rotateRows(Z, width, last, m, rotations);
    }
  }
}

/** The first m ≥ l whose coupling to m + 1 can be left out. */
function endOfBlock(d: Float64Array, e: Float64Array, l: number, negligible: number): number {
  let m = l;
  for (; m < d.length - 1; m++) {
    const coupling = Math.abs(e[m]);
    if (coupling <= EPSILON * (Math.abs(d[m]) + Math.abs(d[m + 1])) || coupling <= negligible) break;
  }
  return m;
}

/** Cosines and sines; those at i turn rows i and i + 1. */
interface Rotations {
  readonly c: Float64Array;
  readonly s: Float64Array;
}

/** One sweep over the block l … m; returns the last rotation's place (the first is at m − 1). */
function qlSweep(d: Float64Array, e: Float64Array, l: number, m: number, rotations: Rotations): number {
  const half = (d[l + 1] - d[l]) / (2 * e[l]);
  const root = length2(half, 1);
  let g = d[m] - d[l] + e[l] / (half >= 0 ? half + root : half - root); // d_m minus Wilkinson's shift
  let s = 1;
  let c = 1;
  let p = 0;
  for (let i = m - 1; i >= l; i--) {
    const f = s * e[i];
    const b = c * e[i];
    const r = length2(f, g);
    e[i + 1] = r;
    if (r === 0) {
      d[i + 1] -= p;
      e[m] = 0;
      return i + 1;
    }
    s = f / r;
    c = g / r;
    g = d[i + 1] - p;
    const q = (d[i] - g) * s + 2 * c * b;
    p = s * q;
    d[i + 1] = g + p;
    g = c * q - b;
    rotations.c[i] = c;
    rotations.s[i] = s;
  }
  d[l] -= p;
  e[l] = g;
  e[m] = 0;
  return l;
}

/**
 * (zᵢ, zᵢ₊₁) ← (c zᵢ − s zᵢ₊₁, s zᵢ + c zᵢ₊₁) for i = m − 1 down to l, four columns at a time, so that each entry is
 * loaded and stored once.
 */
function rotateRows(Z: Float64Array, width: number, l: number, m: number, rotations: Rotations): void {
  const { c, s } = rotations;
  let k = 0;
  for (; k + 3 < width; k += 4) {
    let at = m * width + k;
    let x0 = Z[at];
    let x1 = Z[at + 1];
    let x2 = Z[at + 2];
    let x3 = Z[at + 3];
    for (let i = m - 1; i >= l; i--) {
      const ci = c[i];
      const si = s[i];
      const z0 = Z[at - width];
      const z1 = Z[at - width + 1];
      const z2 = Z[at - width + 2];
      const z3 = Z[at - width + 3];
      Z[at] = si * z0 + ci * x0;
      Z[at + 1] = si * z1 + ci * x1;
      Z[at + 2] = si * z2 + ci * x2;
      Z[at + 3] = si * z3 + ci * x3;
      x0 = ci * z0 - si * x0;
      x1 = ci * z1 - si * x1;
      x2 = ci * z2 - si * x2;
      x3 = ci * z3 - si * x3;
      at -= width;
    }
    Z[at] = x0;
    Z[at + 1] = x1;
    Z[at + 2] = x2;
    Z[at + 3] = x3;
  }
  for (; k < width; k++) {
    let at = m * width + k;
    let x = Z[at];
    for (let i = m - 1; i >= l; i--, at -= width) {
      const z = Z[at - width];
      Z[at] = s[i] * z + c[i] * x;
      x = c[i] * z - s[i] * x;
    }
    Z[at] = x;
  }
}

/** √(a² + b²) */
function length2(a: number, b: number): number {
  const x = Math.abs(a);
  const y = Math.abs(b);
  const large = Math.max(x, y);
  if (large === 0) return 0;
  const ratio = Math.min(x, y) / large;
  return large * Math.sqrt(1 + ratio * ratio);
}

function notFinite(): CurvatureError {
  return new CurvatureError(
    "ERR_NON_FINITE",
    "tridiagonalEigen: d or e has a NaN or an infinity. Give finite entries.",
    { path: "d, e", expected: "finite numbers" },
  );
}

function notConverged(index: number): CurvatureError {
  return new CurvatureError(
    "ERR_NO_CONVERGENCE",
    `The eigenvalue at place ${index} of a tridiagonal matrix did not converge in ${SWEEPS} sweeps per eigenvalue. Scale the matrix to entries up to 1.`,
    { path: `eigenvalue ${index}` },
  );
}
