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
import { rotateRowsInTypeScript } from "../kernels/rotations.js";
import { installed } from "../kernels/table.js";
import { shown } from "../options.js";

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
  const n = d?.length;
  const isWidth = Number.isSafeInteger(width) && width >= 0;
  const areArrays = [d, e, Z].every((array) => array instanceof Float64Array);
  if (!areArrays || !isWidth || e.length !== n || Z.length !== n * width) {
    const sizes = [n, isWidth ? width : shown(width)].join(" x ");
    throw new CurvatureError(
      "ERR_SHAPE",
      `for ${n} diagonal entries e must have ${n} entries and Z ${sizes}; received ${e?.length} and ${Z?.length}.`,
      {
        where: "tridiagonalEigen",
        path: "e, Z",
        expected: `Float64Arrays of ${n} and ${sizes} entries`,
        received: [e?.length, Z?.length],
      },
    );
  }
  let largest = 0;
  for (let i = 0; i < n; i++) largest = Math.max(largest, Math.abs(d[i]), i + 1 < n ? Math.abs(e[i]) : 0);
  if (!Number.isFinite(largest)) throw notFinite();
  const negligible = EPSILON * EPSILON * largest;
  const rotations = width > 0 ? new RotationQueue(Z, n, width) : undefined;
  let sweeps = 0;
  for (let l = 0; l < n; l++) {
    for (;;) {
      const m = endOfBlock(d, e, l, negligible);
      if (m === l) break;
      if (sweeps++ === SWEEPS * n) throw notConverged(l);
      qlSweep(d, e, l, m, rotations);
    }
  }
  rotations?.apply();
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

/** One sweep over the block l … m. */
function qlSweep(
  d: Float64Array,
  e: Float64Array,
  l: number,
  m: number,
  rotations: RotationQueue | undefined,
): void {
  rotations?.begin(m);
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
      rotations?.end(i + 1);
      return;
    }
    s = f / r;
    c = g / r;
    g = d[i + 1] - p;
    const q = (d[i] - g) * s + 2 * c * b;
    p = s * q;
    d[i + 1] = g + p;
    g = c * q - b;
    rotations?.push(c, s);
  }
  d[l] -= p;
  e[l] = g;
  e[m] = 0;
  rotations?.end(l);
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
  return new CurvatureError("ERR_NON_FINITE", "d or e has a NaN or an infinity. Give finite entries.", {
    where: "tridiagonalEigen",
    path: "d, e",
    expected: "finite numbers",
  });
}

function notConverged(index: number): CurvatureError {
  return new CurvatureError(
    "ERR_NO_CONVERGENCE",
    `The eigenvalue at place ${index} of a tridiagonal matrix did not converge in ${SWEEPS} sweeps per eigenvalue. Scale the matrix to entries up to 1.`,
    { path: `eigenvalue ${index}` },
  );
}

/** Rotations that wait, for each row. */
const PER_ROW = 32;

/** Sweeps of rotations that wait until there are enough of them to be worth a walk through the rows. */
class RotationQueue {
  private readonly c: Float64Array;
  private readonly s: Float64Array;
  private readonly sweeps: Int32Array;
  private count = 0;
  private used = 0;

  /** @param Z - n rows of `width`, which are rotated when `apply` is called, or the queue is full */
  constructor(
    private readonly Z: Float64Array,
    private readonly n: number,
    private readonly width: number,
  ) {
    this.c = new Float64Array(PER_ROW * n);
    this.s = new Float64Array(PER_ROW * n);
    this.sweeps = new Int32Array(2 * PER_ROW * n);
  }

  /** A sweep from row m up. */
  begin(m: number): void {
    if (this.used + m > this.c.length) this.apply();
    this.sweeps[2 * this.count + 1] = m;
  }

  /** The next rotation, one row further up. */
  push(c: number, s: number): void {
    this.c[this.used] = c;
    this.s[this.used++] = s;
  }

  /** The sweep has reached row l. */
  end(l: number): void {
    if (this.sweeps[2 * this.count + 1] > l) this.sweeps[2 * this.count++] = l;
  }

  apply(): void {
    const { Z, n, width, sweeps, count, c, s } = this;
    const rotateRows = installed.rotateRows ?? rotateRowsInTypeScript;
    if (count > 0) rotateRows(Z, n, width, sweeps, count, c, s);
    this.count = 0;
    this.used = 0;
  }
}
