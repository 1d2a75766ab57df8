/** An independent check of a point and at a bound, through ml-matrix's full eigendecomposition. */
import type { DenseMatrix } from "@curvature/linalg";
import { eigenvalueDecomposition } from "@curvature/linalg/ml";

/** How far Q is from each of the constraints. */
export interface Violations {
  readonly asymmetry: number;
  readonly rowSum: number;
  readonly trace: number;
  readonly leastEntry: number;
  readonly leastEigenvalue: number;
}

export function violations(Q: DenseMatrix, K: number): Violations {
  const { rows: n, data } = Q;
  let asymmetry = 0;
  let rowSum = 0;
  let trace = -K;
  let leastEntry = Number.POSITIVE_INFINITY;
  for (let i = 0; i < n; i++) {
    let sum = -1;
    for (let j = 0; j < n; j++) {
      asymmetry = Math.max(asymmetry, Math.abs(data[i * n + j] - data[j * n + i]));
      leastEntry = Math.min(leastEntry, data[i * n + j]);
      sum += data[i * n + j];
    }
    rowSum = Math.max(rowSum, Math.abs(sum));
    trace += data[i * n + i];
  }
  const eigenvalues = eigenvalueDecomposition(Q).realEigenvalues;
  return { asymmetry, rowSum, trace: Math.abs(trace), leastEntry, leastEigenvalue: Math.min(...eigenvalues) };
}

/** The largest of all violations. */
export function worstViolation(Q: DenseMatrix, K: number): number {
  const { asymmetry, rowSum, trace, leastEntry, leastEigenvalue } = violations(Q, K);
  return Math.max(asymmetry, rowSum, trace, -leastEntry, -leastEigenvalue);
}

/** Both bounds from S by the deflation J A J − sigma E, sigma beyond the spectrum, and ml-matrix. */
export function independentBounds(
  D: DenseMatrix,
  S: DenseMatrix,
  K: number,
): { readonly spectraplex: number; readonly fantope: number } {
  const n = D.rows;
  const A = D.data.map((d, k) => d + Math.max(0, (S.data[k] + S.data[(k % n) * n + Math.floor(k / n)]) / 2));
  const means = Float64Array.from({ length: n }, (_, i) =>
    A.subarray(i * n, (i + 1) * n).reduce((sum, a) => sum + a / n, 0),
  );
  const grand = means.reduce((sum, mean) => sum + mean / n, 0);
  const sigma = 3 * Math.sqrt(A.reduce((sum, a) => sum + a * a, 0));
  const B = A.map((a, k) => a - means[Math.floor(k / n)] - means[k % n] + grand - sigma / n);
  const l = eigenvalueDecomposition({ rows: n, columns: n, data: B })
    .realEigenvalues.sort((x, y) => y - x)
    .slice(0, -1);
  const k = Math.floor(K - 1);
  const top = l.slice(0, k).reduce((sum, x) => sum + x, 0) + (K - 1 - k) * (l[k] ?? 0);
  return { spectraplex: n * grand + (K - 1) * l[0], fantope: n * grand + top };
}
