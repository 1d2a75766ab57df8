/**
 * An initial embedding from the eigenvectors of the answers: objects that are said to be far from each other are pushed
 * apart, near ones together.
 *
 *   S = Σ_q w_q (Lap(l, k) − Lap(i, j)),   Lap(a, b) = (e_a − e_b)(e_a − e_b)ᵀ,   D = diag(how often an object occurs)
 *   V, W: the p largest eigenpairs of D^−½ S D^−½;   X = D^−½ V √max(W, W₁/1000), centred, of root mean square 1
 *
 * Groups of objects that no answer connects have a map each, about one centre: of all together each eigenvector would be one
 * group's, and all others would stand in one place in it, which descent does not leave.
 *
 * S is half the gradient of Σ w (d₂ − d₁) in the Gram matrix: one step of projected descent from nothing. That it is a
 * good start, and its normalisation, were measured; the paper starts at random.
 *
 * Time O(N + n² p), memory O(n²).
 */
import { CurvatureError, lanczos, maxAbs, symmetricTimesVector, zeros } from "@curvature/linalg";
import type { Comparisons } from "@curvature/objectives/ordinal";
import { groupsOf } from "../answers/groups.js";

/** The eigenvectors are a start: more digits of them change nothing. */
const TOLERANCE = 1e-6;
const MAX_PRODUCTS = 2000;

/** @returns undefined where the answers have no such map: they cancel each other, or the eigenvectors do not show */
export function spectralStart(comparisons: Comparisons, dimensions: number): Float64Array | undefined {
  const p = dimensions;
  const groups = answeredGroups(comparisons);
  if (groups.length < 2) return startOf(comparisons, p);
  const X = new Float64Array(comparisons.objects * p);
  for (const { members, answers } of groups) {
    const own = startOf(restricted(comparisons, members, answers), p);
    if (own === undefined) return undefined;
    members.forEach((object, i) => {
      X.set(own.subarray(i * p, (i + 1) * p), object * p);
    });
  }
  return X;
}

interface Group {
  readonly members: number[];
  /** Their numbers. */
  readonly answers: number[];
}

/** Groups that answers connect, and their answers where there are several groups. */
function answeredGroups(comparisons: Comparisons): readonly Group[] {
  const { quadruplets } = comparisons;
  const { count, labels } = groupsOf(comparisons);
  const groups = Array.from({ length: count }, (): Group => ({ members: [], answers: [] }));
  labels.forEach((group, object) => {
    groups[group].members.push(object);
  });
  const answered = groups.filter(({ members }) => members.length > 1);
  if (answered.length > 1)
    for (let q = 0; 4 * q < quadruplets.length; q++) groups[labels[quadruplets[4 * q]]].answers.push(q);
  return answered;
}

/** Some answers, by the places of their objects among the members. */
function restricted(
  { objects, quadruplets, weights }: Comparisons,
  members: readonly number[],
  answers: readonly number[],
): Comparisons {
  const place = new Int32Array(objects);
  members.forEach((object, i) => {
    place[object] = i;
  });
  const own = new Int32Array(4 * answers.length);
  answers.forEach((q, to) => {
    for (let k = 0; k < 4; k++) own[4 * to + k] = place[quadruplets[4 * q + k]];
  });
  return {
    objects: members.length,
    quadruplets: own,
    weights: weights && Float64Array.from(answers, (q) => weights[q]),
  };
}

function startOf(comparisons: Comparisons, p: number): Float64Array | undefined {
  const { objects: n } = comparisons;
  const { S, D } = comparisonLaplacian(comparisons);
  const root = D.map((count) => (count > 0 ? 1 / Math.sqrt(count) : 0));
  for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) S.data[i * n + j] *= root[i] * root[j];
  const pairs = largestPairs((v, out) => symmetricTimesVector(S, v, out), n, Math.min(p, n));
  if (pairs === undefined || !(pairs.values[0] > 0)) return undefined;
  const { values, vectors } = pairs;
  const X = new Float64Array(n * p);
  for (let t = 0; t < values.length; t++) {
    const length = Math.sqrt(Math.max(values[t], 1e-3 * values[0]));
    for (let i = 0; i < n; i++) X[i * p + t] = root[i] * length * vectors.data[t * n + i];
  }
  return normalize(X, p) ? X : undefined;
}

function comparisonLaplacian({ objects: n, quadruplets, weights }: Comparisons) {
  const S = zeros(n, n);
  const D = new Float64Array(n);
  const join = (a: number, b: number, weight: number): void => {
    S.data[a * n + b] -= weight;
    S.data[b * n + a] -= weight;
    S.data[a * n + a] += weight;
    S.data[b * n + b] += weight;
    D[a] += Math.abs(weight);
    D[b] += Math.abs(weight);
  };
  const largest = weights === undefined ? 1 : maxAbs(weights); // only ratios count, and sums stay in the range of numbers
  for (let q = 0; 4 * q < quadruplets.length; q++) {
    const weight = weights === undefined ? 1 : weights[q] / largest;
    join(quadruplets[4 * q], quadruplets[4 * q + 1], -weight);
    join(quadruplets[4 * q + 2], quadruplets[4 * q + 3], weight);
  }
  return { S, D };
}

function largestPairs(apply: (v: Float64Array, out: Float64Array) => void, n: number, count: number) {
  try {
    return lanczos(apply, n, {
      count,
      which: "largest",
      tolerance: TOLERANCE,
      relativeTo: "operator",
      maxProducts: MAX_PRODUCTS,
    });
  } catch (error) {
    if (error instanceof CurvatureError && error.code === "ERR_NO_CONVERGENCE") return undefined;
    throw error;
  }
}

/** Centres X and scales it to root mean square 1. @returns false where there is nothing to scale */
function normalize(X: Float64Array, p: number): boolean {
  centre(X, p);
  let squares = 0;
  for (let k = 0; k < X.length; k++) squares += X[k] * X[k];
  const size = Math.sqrt(squares / X.length);
  if (!(size > 0 && size < Number.POSITIVE_INFINITY)) return false;
  for (let k = 0; k < X.length; k++) X[k] /= size;
  return true;
}

/** Takes the mean off every column of X, n × p. */
export function centre(X: Float64Array, p: number): void {
  const n = X.length / p;
  const mean = new Float64Array(p);
  for (let k = 0; k < X.length; k++) mean[k % p] += X[k] / n;
  for (let k = 0; k < X.length; k++) X[k] -= mean[k % p];
}
