/**
 * NOMAD on n points of a regular ring, exactly: its optimum is circulant, and the semidefinite programme a linear one.
 *
 * x_i = (cos 2πi/n, sin 2πi/n),  Q_ij = (1/n) Σ_p q_p cos(2πp(i − j)/n),  q_p = q_{n−p},  q_0 = 1
 *
 *   maximise n q_1  s.t.  Σ_{p=1}^{n−1} q_p = K − 1,  q ≥ 0,  1 + Σ_{p≥1} q_p cos(2πpτ/n) ≥ 0,  τ = 0 … ⌊n/2⌋
 *
 * in the variables q_p, p = 1 … ⌊n/2⌋, each counted twice (once for p = n/2). The value rises with K, so that the
 * equation may be written as ≤, which gives the simplex method a basis to start from.
 *
 * | symbol | variable | shape    |
 * |--------|----------|----------|
 * | q_p    | spectrum | ⌊n/2⌋ + 1 |
 * | Q_{0τ} | row      | n        |
 *
 * Tepper, Sengupta, Chklovskii, J. Mach. Learn. Res. 19 (2018), section 2.4; the Fourier factors and frequencies are
 * those above, which differ from the printed (10).
 */
import { checkArgument, cos, integerFrom, zeros } from "@curvature/linalg";
import { checkMemory, denseBytes } from "./arguments.js";
import { defaultMemoryLimit } from "./gram-options.js";
import { checkClusters } from "./problem.js";
import { maximizeLinear } from "./simplex.js";

export interface RingOptimum {
  /** Tr(D Q), D the Gram matrix of the unit ring. */
  readonly value: number;
  /** q_0 … q_⌊n/2⌋, the eigenvalues of Q. */
  readonly spectrum: Float64Array;
  /** The first row of Q; the others are its rotations. */
  readonly row: Float64Array;
}

/**
 * The optimum for n points and K clusters. Some n³ operations; n = 100 takes milliseconds.
 *
 * @param n - from 3 on
 * @throws CurvatureError ERR_ARGUMENT, ERR_OPTION, ERR_MEMORY
 */
export function solveRing(n: number, clusters: number): RingOptimum {
  checkArgument("solveRing", "n", integerFrom(3), n);
  checkClusters("solveRing", clusters, n);
  const half = Math.floor(n / 2);
  checkMemory(
    "solveRing",
    `the linear programme of ${n} points`,
    denseBytes(half + 1, 2),
    defaultMemoryLimit,
  );
  const cosines = Float64Array.from({ length: n }, (_, k) => cos((2 * Math.PI * k) / n));
  const multiplicity = (p: number): number => (2 * p === n ? 1 : 2);
  const A = zeros(half + 1, half);
  const b = new Float64Array(half + 1).fill(1);
  b[0] = clusters - 1; // tau = 0 says nothing; the trace takes its row
  for (let tau = 0; tau <= half; tau++) {
    for (let p = 1; p <= half; p++) {
      const share = multiplicity(p) * (tau === 0 ? 1 : -cosines[(p * tau) % n]);
      A.data[tau * half + p - 1] = share;
    }
  }
  const c = new Float64Array(half);
  c[0] = n;
  const { value, x } = maximizeLinear(c, A, b);
  const spectrum = Float64Array.of(1, ...x);
  const row = Float64Array.from({ length: n }, (_, tau) => {
    let sum = 1;
    for (let p = 1; p <= half; p++) sum += multiplicity(p) * spectrum[p] * cosines[(p * tau) % n];
    return sum / n;
  });
  return { value, spectrum, row };
}
