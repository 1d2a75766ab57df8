/**
 * NOMAD: maximise Tr(D Q)  s.t.  Q = Qᵀ, Q 1 = 1, Tr Q = K, Q ⪰ 0, Q ≥ 0 entrywise.
 *
 * | symbol | variable | shape                                             |
 * |--------|----------|---------------------------------------------------|
 * | D      | gram     | n × n, centred                                    |
 * | K      | clusters | real, 1 ≤ K ≤ n                                   |
 * | Q₀     |          | a I + b 1 1ᵀ, a = (K−1)/(n−1), b = (1−a)/n        |
 *
 * Tepper, Sengupta, Chklovskii: Clustering is semidefinitely not that hard: nonnegative SDP for manifold disentangling.
 * J. Mach. Learn. Res. 19 (2018) 1-30, problem (NOMAD) of section 2. Q₀ is strictly feasible for 1 < K < n; for K = 1
 * and K = n it is E = 1 1ᵀ/n and I, the only feasible points and therefore optimal.
 */
import { badOption, CurvatureError, type DenseMatrix, shown, zeros } from "@curvature/linalg";
import { fingerprintOf, type Outcome } from "@curvature/optim-core";
import { checkCount } from "./arguments.js";
import type { Gram } from "./gram.js";

export interface NomadProblem {
  readonly gram: Gram;
  /** K */
  readonly clusters: number;
}

/** @throws CurvatureError ERR_ARGUMENT unless there is a Gram operator, ERR_OPTION unless 1 ≤ K ≤ n */
export function checkProblem(where: string, problem: NomadProblem): void {
  checkGram(where, problem?.gram);
  checkClusters(where, problem.clusters, problem.gram.n);
}

/** @throws CurvatureError ERR_ARGUMENT unless it is a Gram operator */
export function checkGram(where: string, gram: Gram): void {
  const raw: Partial<Gram> = typeof gram === "object" && gram !== null ? gram : {};
  const { n, diagonal, trace, offset } = raw;
  const isOperator = [raw.multiply, raw.quadratic, raw.dense].every((f) => typeof f === "function");
  const isWhole =
    isOperator && Number.isSafeInteger(n) && diagonal instanceof Float64Array && diagonal.length === n;
  if (isWhole && n !== 0 && Number.isFinite(trace) && Number.isFinite(offset)) return;
  throw new CurvatureError(
    "ERR_ARGUMENT",
    `the problem must be { gram, clusters }, gram from gramOfPoints, gramOfMatrix or gramOfDistances; received a gram that is ${shown(gram)}.`,
    { where, path: "problem", received: gram },
  );
}

/** @throws CurvatureError ERR_OPTION unless 1 ≤ K ≤ n */
export function checkClusters(where: string, clusters: number, n: number): void {
  if (typeof clusters === "number" && clusters >= 1 && clusters <= n) return;
  throw badOption(where, "clusters", `a number from 1 to ${n}, the number of points`, clusters);
}

/** Of the data and K. @throws CurvatureError as `checkProblem` */
export function problemFingerprint(problem: NomadProblem): string {
  checkProblem("problemFingerprint", problem);
  const { gram, clusters } = problem;
  return fingerprintOf("nomad", gram.fingerprint, clusters);
}

/** a and b of Q₀ = a I + b 1 1ᵀ. */
export function centralCoefficients(n: number, K: number): { readonly a: number; readonly b: number } {
  return n === 1 ? { a: 0, b: 1 } : { a: (K - 1) / (n - 1), b: (n - K) / (n * (n - 1)) };
}

/** Q₀ @throws CurvatureError ERR_ARGUMENT for n, ERR_OPTION for K */
export function centralPoint(n: number, K: number): DenseMatrix {
  checkCount("centralPoint", "n", n);
  checkClusters("centralPoint", K, n);
  const { a, b } = centralCoefficients(n, K);
  const Q = zeros(n, n);
  Q.data.fill(b);
  for (let i = 0; i < n; i++) Q.data[i * n + i] += a;
  return Q;
}

/** Tr(D Q₀), with the offset. @throws CurvatureError as `checkProblem` */
export function centralValue(problem: NomadProblem): number {
  checkProblem("centralValue", problem);
  const { gram, clusters } = problem;
  return centralCoefficients(gram.n, clusters).a * gram.trace + gram.offset;
}

/** Whether only one point is feasible, Q₀. @throws CurvatureError as `checkProblem` */
export function isClosed(problem: NomadProblem): boolean {
  checkProblem("isClosed", problem);
  const { gram, clusters } = problem;
  return clusters === 1 || clusters === gram.n;
}

/**
 * What surely holds Tr(D Q₀) of a closed problem: 0 plus the offset for K = 1, Tr D for K = n, whose centring, products and sums
 * round n + d + 16 times at the most.
 */
export function closedBounds(problem: NomadProblem): Record<"lower" | "upper" | "margin", number> {
  const { gram, clusters: K } = problem;
  const { n, trace, diagonal, offset, points } = gram;
  const value = centralCoefficients(n, K).a * trace + offset;
  let size = Math.abs(offset);
  if (K > 1) for (let i = 0; i < n; i++) size += Math.abs(diagonal[i]);
  const margin = (n + (points?.columns ?? 0) + 16) * Number.EPSILON * size;
  return { lower: value - margin, upper: value + margin, margin };
}

/** The end of a closed problem. */
export const onlyOneFeasible: Outcome = {
  status: "converged",
  message: "Only one point is feasible; it is optimal.",
};
