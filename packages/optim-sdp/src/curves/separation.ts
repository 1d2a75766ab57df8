/**
 * Which points lie on one curve, by sequences of cuts in three kernels (`graph-kernels.ts`, `sweep-cuts.ts`).
 *
 * Count   r_K = φ_K / max(φ_1 … φ_{K−1}); the kernel and the K ≥ 2 of the largest r; K = 1 if it is below 4
 * Given   K: the single-linkage partition, if its smallest part has at least m/(4 K) of the m different points; else that of the
 *         kernel of the largest r_K
 *
 * The family of kernels, the 4 and the m/(4 K) were chosen on points at random places of two rings, moons, spirals, knots, links and
 * single curves. From 2.5 to 5 the bound on r makes one set in 108 another. Of equal ratios the first kernel's counts, and the
 * smaller K.
 */
import { type DenseMatrix, powerOfTwoBelow, zeros } from "@curvature/linalg";
import { numberedByFirst } from "../geometry/clusters.js";
import { type CurveKernelName, graphKernels, unitDistances } from "./graph-kernels.js";
import { CutSequence } from "./sweep-cuts.js";

/** What one kernel sees. */
export interface CurveKernelCuts {
  readonly kernel: CurveKernelName;
  /** φ_1, φ_2, …: the cut that leads from K parts to K + 1, as a share of the parts' edges, from 1e-12. */
  readonly cuts: readonly number[];
  /** Of K = 1, 2, …: r_K; 0 for K = 1. */
  readonly ratios: readonly number[];
}

/** Labels, and what they are from. */
export interface Separation {
  /** Of each point its curve, numbered by their first points. */
  readonly labels: Int32Array;
  /** K */
  readonly clusters: number;
  /** Whose kernel the certificate is of. */
  readonly kernel: CurveKernelName;
  /** Whether the labels are those of single linkage. */
  readonly isSingleLinkage: boolean;
  readonly kernels: readonly CurveKernelCuts[];
  /** Other numbers of curves from 2 to 8 that stand out by a ratio of 4 in some kernel, by falling ratio: coarser or finer answers. */
  readonly otherClusters: readonly number[];
  /** Different points. */
  readonly different: number;
  /** W, n × n: copies of a point have 1 between them. */
  readonly W: DenseMatrix;
}

/** Parts up to which the count is looked for. */
const MOST_PARTS = 9;
/** The least ratio of cuts that says that there is more than one curve. */
const LEAST_RATIO = 4;
/** Smallest part of single linkage, as a share of n/K. */
const LEAST_PART = 1 / 4;
/** Share of the work that is done before the first cut. */
const PATHS = 0.5;

/** @param clusters - K, from 1 to n; yields the share of the work that is done */
export function* separation(
  points: DenseMatrix,
  clusters: number | "auto",
): Generator<number, Separation, void> {
  const { rowOf, X } = distinctRows(points);
  const m = X.rows;
  const most = clusters === "auto" ? MOST_PARTS : Math.min(clusters, m);
  if (m === 1) return onePoint(points.rows);
  const e = unitDistances(X);
  const kernels = yield* scaled(graphKernels(e), 0, PATHS);
  const sequences: CutSequence[] = [];
  const cuts = clusters === "auto" ? MOST_PARTS - 1 : most;
  for (const { W } of kernels) {
    const sequence = new CutSequence(W);
    for (let cut = 0; cut < cuts && sequence.cut(); cut++)
      yield PATHS + ((1 - PATHS) * (sequences.length + (cut + 1) / cuts)) / kernels.length;
    sequences.push(sequence);
  }
  const { K, at, labels, isSingleLinkage } =
    clusters === "auto" ? counted(sequences, m) : known(sequences, e, most);
  const { W, name } = kernels[at];
  return {
    labels: numberedByFirst(
      rowOf.map((row) => labels[row]),
      K,
    ),
    clusters: K,
    kernel: name,
    isSingleLinkage,
    kernels: sequences.map((sequence, i) => ({
      kernel: kernels[i].name,
      cuts: sequence.values,
      ratios: sequence.values.map((_, k) => sequence.ratio(k + 1)),
    })),
    otherClusters: standingOut(sequences).filter((other) => other !== K),
    different: m,
    W: ofAllRows(W, rowOf),
  };
}

/** K from 2 whose ratio is large enough in some kernel, by falling ratio. */
function standingOut(sequences: readonly CutSequence[]): number[] {
  const largest = (K: number): number => Math.max(...sequences.map((sequence) => sequence.ratio(K)));
  return Array.from({ length: MOST_PARTS - 2 }, (_, i) => i + 2)
    .filter((K) => largest(K) >= LEAST_RATIO)
    .sort((a, b) => largest(b) - largest(a) || a - b);
}

interface Choice {
  readonly K: number;
  /** Of the kernel. */
  readonly at: number;
  /** Of the different points. */
  readonly labels: Int32Array;
  readonly isSingleLinkage: boolean;
}

function counted(sequences: readonly CutSequence[], m: number): Choice {
  let best: Choice = { K: 1, at: 0, labels: new Int32Array(m), isSingleLinkage: false };
  let largest = 0;
  for (const [at, sequence] of sequences.entries())
    for (let K = 2; K < MOST_PARTS; K++) {
      const labels = sequence.partition(K);
      const ratio = sequence.ratio(K);
      if (labels === undefined || ratio < LEAST_RATIO || !(ratio > largest)) continue;
      largest = ratio;
      best = { K, at, labels, isSingleLinkage: false };
    }
  return best;
}

function known(sequences: readonly CutSequence[], e: DenseMatrix, K: number): Choice {
  let at = 0;
  for (const [i, sequence] of sequences.entries())
    if (sequence.partition(K) !== undefined && !(sequence.ratio(K) <= sequences[at].ratio(K))) at = i;
  const linked = singleLinkage(e, K);
  const sizes = new Int32Array(K);
  for (const c of linked) sizes[c]++;
  if (Math.min(...sizes) >= (LEAST_PART * e.rows) / K)
    return { K, at, labels: linked, isSingleLinkage: true };
  const labels = sequences[at].partition(K);
  return labels === undefined
    ? { K, at, labels: linked, isSingleLinkage: true }
    : { K, at, labels, isSingleLinkage: false };
}

/**
 * The K parts that are farthest from each other by their nearest points: the shortest spanning tree (Prim's method, m² steps)
 * without its K − 1 longest edges. Of equal edges those that were found last are cut.
 */
export function singleLinkage({ rows: m, data }: DenseMatrix, K: number): Int32Array {
  const isIn = new Uint8Array(m);
  const distance = new Float64Array(m).fill(Number.POSITIVE_INFINITY);
  const nearest = new Int32Array(m);
  const order = new Int32Array(m);
  for (let step = 0, i = 0; step < m; step++) {
    isIn[i] = 1;
    order[step] = i;
    let next = -1;
    for (let j = 0; j < m; j++) {
      if (isIn[j] === 1) continue;
      if (data[i * m + j] < distance[j]) {
        distance[j] = data[i * m + j];
        nearest[j] = i;
      }
      if (next < 0 || distance[j] < distance[next]) next = j;
    }
    i = next;
  }
  const places = Int32Array.from({ length: m - 1 }, (_, step) => step + 1);
  const isCut = new Uint8Array(m);
  for (const step of places
    .sort((a, b) => distance[order[b]] - distance[order[a]] || b - a)
    .subarray(0, K - 1))
    isCut[order[step]] = 1;
  const labels = new Int32Array(m);
  let count = 1;
  for (const i of order.subarray(1)) labels[i] = isCut[i] === 1 ? count++ : labels[nearest[i]];
  return labels;
}

/** The rows that differ, by their first copies, in a unit in which no square overflows; and of each row which of them it is. */
function distinctRows({ rows: n, columns: d, data }: DenseMatrix): { rowOf: Int32Array; X: DenseMatrix } {
  const numbers = new Map<string, number>();
  const rowOf = new Int32Array(n);
  let size = 0;
  for (let k = 0; k < data.length; k++) size = Math.max(size, Math.abs(data[k]));
  for (let i = 0; i < n; i++) {
    const key = data.subarray(i * d, (i + 1) * d).join(); // −0 is written as 0
    rowOf[i] = numbers.get(key) ?? numbers.size;
    if (rowOf[i] === numbers.size) numbers.set(key, rowOf[i]);
  }
  const X = zeros(numbers.size, d);
  const unit = size === 0 ? 1 : powerOfTwoBelow(size);
  for (let i = 0; i < n; i++) for (let j = 0; j < d; j++) X.data[rowOf[i] * d + j] = data[i * d + j] / unit;
  return { rowOf, X };
}

function ofAllRows(W: DenseMatrix, rowOf: Int32Array): DenseMatrix {
  const [n, m] = [rowOf.length, W.rows];
  if (n === m) return W;
  const all = zeros(n, n);
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++)
      all.data[i * n + j] = rowOf[i] === rowOf[j] ? Number(i !== j) : W.data[rowOf[i] * m + rowOf[j]];
  return all;
}

function onePoint(n: number): Separation {
  const W = zeros(n, n);
  W.data.fill(1);
  for (let i = 0; i < n; i++) W.data[i * (n + 1)] = n === 1 ? 1 : 0;
  return {
    ...{
      labels: new Int32Array(n),
      clusters: 1,
      kernel: "euclidean",
      isSingleLinkage: false,
      kernels: [],
      otherClusters: [],
    },
    ...{ different: 1, W },
  };
}

/** The shares of a part of the work as shares of all of it. */
function* scaled<T>(work: Generator<number, T, void>, from: number, to: number): Generator<number, T, void> {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    yield from + (to - from) * step.value;
  }
}
