/**
 * Rows made orthogonal by plane rotations, two at a time (one-sided Jacobi): J X = Σ W, J and W with orthonormal rows.
 *
 * Rotation   a = ‖x_p‖², b = ‖x_q‖², c = ⟨x_p, x_q⟩;  ζ = (a − b) / 2c,  t = sign(ζ) / (|ζ| + √(1 + ζ²));
 *            x_p ← (x_p + t x_q) / √(1 + t²),  x_q ← (x_q − t x_p) / √(1 + t²), where |c| > √n ε √(a b)
 * Order      row p is the longest of those from p on (de Rijk); sweeps over all pairs until none is left to rotate
 *
 * Small σ are as right as X has them, however large others are. Each sweep takes n²/2 sums and at most as many rotations.
 *
 * Drmač, Veselić: New fast and accurate Jacobi SVD algorithm. SIAM J. Matrix Anal. Appl. 29 (2008) 1322-1362. de Rijk: A
 * one-sided Jacobi algorithm for computing the singular value decomposition on a vector computer. SIAM J. Sci. Stat. Comput. 10
 * (1989) 359-371. Differs from the first: rows of R are rotated as they are, and J is gathered.
 */
import { CurvatureError } from "../errors.js";

const EPSILON = 2 ** -52;
/** Ten are the rule for what has been through a QR with pivoting. */
const MAX_SWEEPS = 60;
/** Squares of lengths below it, of rows whose longest is near 1, are 0. */
const NOTHING = 1e-280;

/**
 * In place. The lengths of the rows decrease at the end; rows of a length below 1e-140 become 0.
 *
 * @param X - r × n, of a largest entry near 1
 * @param J - r × r, the identity, or empty where it is not wanted
 * @throws CurvatureError ERR_NO_CONVERGENCE, which finite entries have never been seen to cause
 */
export function orthogonaliseRows(X: Float64Array, r: number, n: number, J: Float64Array): void {
  const squares = new Float64Array(r);
  const tolerance = Math.sqrt(Math.max(n, 4)) * EPSILON;
  const width = J.length === 0 ? 0 : r;
  for (let sweep = 0; sweep < MAX_SWEEPS; sweep++) {
    for (let p = 0; p < r; p++) {
      squares[p] = product(X, p * n, p * n, n);
      if (squares[p] < NOTHING) X.fill(0, p * n, (p + 1) * n);
    }
    let rotations = 0;
    for (let p = 0; p < r; p++) {
      let longest = p;
      for (let q = p + 1; q < r; q++) if (squares[q] > squares[longest]) longest = q;
      if (longest !== p) exchange(X, J, squares, p, longest, n, width);
      if (squares[p] < NOTHING) break;
      for (let q = p + 1; q < r; q++) {
        const [a, b] = [squares[p], squares[q]];
        if (b < NOTHING) continue;
        const c = product(X, p * n, q * n, n);
        if (Math.abs(c) <= tolerance * Math.sqrt(a) * Math.sqrt(b)) continue;
        rotations++;
        const t = tangent(a, b, c);
        const cosine = 1 / Math.sqrt(1 + t * t);
        rotate(X, p * n, q * n, n, cosine, t * cosine);
        if (width > 0) rotate(J, p * width, q * width, width, cosine, t * cosine);
        squares[p] = renewed(X, p, n, a, a + t * c);
        squares[q] = renewed(X, q, n, b, b - t * c);
      }
    }
    if (rotations === 0) return;
  }
  throw new CurvatureError(
    "ERR_NO_CONVERGENCE",
    `The rows of a matrix were not orthogonal after ${MAX_SWEEPS} sweeps of rotations.`,
    { where: "svd", path: "A" },
  );
}

function tangent(a: number, b: number, c: number): number {
  const zeta = (a - b) / (2 * c);
  const size = Math.abs(zeta);
  const t = size > 1e150 ? 0.5 / size : 1 / (size + Math.sqrt(1 + zeta * zeta));
  return zeta < 0 ? -t : t;
}

/** The square of a row's length, measured where the new one has lost digits. */
function renewed(X: Float64Array, row: number, n: number, before: number, after: number): number {
  return after > 0.5 * before ? after : product(X, row * n, row * n, n);
}

function product(X: Float64Array, p: number, q: number, n: number): number {
  const whole = n - (n % 4);
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  for (let i = 0; i < whole; i += 4) {
    s0 += X[p + i] * X[q + i];
    s1 += X[p + i + 1] * X[q + i + 1];
    s2 += X[p + i + 2] * X[q + i + 2];
    s3 += X[p + i + 3] * X[q + i + 3];
  }
  for (let i = whole; i < n; i++) s0 += X[p + i] * X[q + i];
  return s0 + s1 + (s2 + s3);
}

/** With the tangent of half the angle: what rounding does to the lengths is then small beside a small angle. */
function rotate(X: Float64Array, p: number, q: number, n: number, c: number, s: number): void {
  const half = s / (1 + c);
  for (let i = 0; i < n; i++) {
    const a = X[p + i];
    const b = X[q + i];
    X[p + i] = a + s * (b - half * a);
    X[q + i] = b - s * (a + half * b);
  }
}

function exchange(
  X: Float64Array,
  J: Float64Array,
  squares: Float64Array,
  p: number,
  q: number,
  n: number,
  width: number,
): void {
  for (const [rows, length] of [
    [X, n],
    [J, width],
  ] as const) {
    const row = rows.slice(p * length, (p + 1) * length);
    rows.copyWithin(p * length, q * length, (q + 1) * length);
    rows.set(row, q * length);
  }
  const square = squares[p];
  squares[p] = squares[q];
  squares[q] = square;
}
