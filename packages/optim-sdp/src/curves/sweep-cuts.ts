/**
 * A sequence of cuts of a graph: always the part is split next whose best sweep cut is smallest.
 *
 * v      the second eigenvector of N = D^{-1/2} W D^{-1/2} of a part, D = diag(W 1)
 * order  the points of the part by D^{-1/2} v
 * φ(t)   cut(t) / vol(first t) + cut(t) / vol(others),   t from 2 % to 98 % of the part;   φ = min φ(t)
 *
 * | symbol    | variable | shape                                                         |
 * |-----------|----------|---------------------------------------------------------------|
 * | φ_1 φ_2 … | values   | in the order made: φ_K leads from K parts to K + 1             |
 *
 * Shi, Malik: Normalized cuts and image segmentation. IEEE Trans. Pattern Anal. Mach. Intell. 22 (2000), whose value of a cut φ is.
 * A cut below 1e-12 counts as 1e-12: sums of a part's edges hold no more digits.
 */
import { type DenseMatrix, dot, lanczos, matrixTimesVector, norm2, zeros } from "@curvature/linalg";

/** Share of a part that a cut leaves on either side at the least. */
const ENDS = 0.02;
const LEAST_CUT = 1e-12;
/** Residual of the second eigenvector, whose order is all that is used. */
const EIGEN_TOLERANCE = 1e-8;

interface Part {
  readonly points: Int32Array;
  readonly best: Cut | undefined;
}

interface Cut {
  /** φ */
  readonly value: number;
  readonly sides: readonly [Int32Array, Int32Array];
}

/** Parts of the points of a graph, and what the cuts between them cost. */
export class CutSequence {
  private readonly parts: Part[] = [];
  private readonly cuts: number[] = [];
  /** Labels of 1, 2, … parts. */
  private readonly partitions: Int32Array[] = [];

  /** @param W - m × m, symmetric, at least 0, no row without weight beside its diagonal if m > 1 */
  constructor(private readonly W: DenseMatrix) {
    this.parts.push(this.part(Int32Array.from({ length: W.rows }, (_, i) => i)));
    this.partitions.push(new Int32Array(W.rows));
  }

  /** Makes the next cut. @returns whether there was one */
  cut(): boolean {
    const { parts } = this;
    let least: Part | undefined;
    for (const part of parts)
      if (part.best !== undefined && part.best.value < (least?.best?.value ?? Number.POSITIVE_INFINITY))
        least = part;
    if (least?.best === undefined) return false;
    const { value, sides } = least.best;
    this.cuts.push(value);
    parts.splice(parts.indexOf(least), 1, this.part(sides[0]), this.part(sides[1]));
    const labels = new Int32Array(this.W.rows);
    for (const [c, { points }] of parts.entries()) for (const i of points) labels[i] = c;
    this.partitions.push(labels);
    return true;
  }

  /** φ_1, φ_2, … */
  get values(): readonly number[] {
    return this.cuts;
  }

  /** Labels of that many parts; undefined where there were not as many cuts. */
  partition(parts: number): Int32Array | undefined {
    return this.partitions[parts - 1];
  }

  /** r_K = φ_K / max(φ_1 … φ_{K−1}): how much worse the next cut is than all that lead to K parts. */
  ratio(K: number): number {
    const { cuts } = this;
    if (K < 2 || K > cuts.length) return 0;
    return cuts[K - 1] / Math.max(...cuts.slice(0, K - 1));
  }

  private part(points: Int32Array): Part {
    return { points, best: points.length < 2 ? undefined : bestSweepCut(this.W, points) };
  }
}

function bestSweepCut(W: DenseMatrix, points: Int32Array): Cut {
  const m = points.length;
  const within = zeros(m, m);
  const degrees = new Float64Array(m);
  for (let i = 0; i < m; i++)
    for (let j = 0; j < m; j++) {
      const w = W.data[points[i] * W.columns + points[j]];
      within.data[i * m + j] = w;
      degrees[i] += w;
    }
  const order = sweepOrder(within, degrees);
  let volume = 0;
  for (const d of degrees) volume += d;
  const ends = Math.max(1, Math.ceil(ENDS * m));
  const isLeft = new Uint8Array(m);
  let [left, cut, value, at] = [0, 0, Number.POSITIVE_INFINITY, ends];
  for (let t = 1; t <= m - ends; t++) {
    const i = order[t - 1];
    let inside = 0;
    for (let j = 0; j < m; j++) if (isLeft[j] === 1) inside += within.data[i * m + j];
    isLeft[i] = 1;
    left += degrees[i];
    cut += degrees[i] - 2 * inside;
    if (t < ends) continue;
    const phi = Math.max(LEAST_CUT, cut / left + cut / Math.max(volume - left, Number.MIN_VALUE));
    if (!(phi < value)) continue;
    value = phi;
    at = t;
  }
  const side = (isFirst: boolean): Int32Array =>
    Int32Array.from(isFirst ? order.subarray(0, at) : order.subarray(at), (i) => points[i]).sort();
  return { value, sides: [side(true), side(false)] };
}

/** The points of a part by the second eigenvector; equal ones by their numbers. */
function sweepOrder(within: DenseMatrix, degrees: Float64Array): Int32Array {
  const m = within.rows;
  const roots = degrees.map(Math.sqrt);
  const N = zeros(m, m);
  for (let i = 0; i < m; i++)
    for (let j = 0; j < m; j++) N.data[i * m + j] = within.data[i * m + j] / roots[i] / roots[j];
  const first = roots.slice();
  const length = norm2(first);
  for (let i = 0; i < m; i++) first[i] /= length;
  const { vectors } = lanczos(
    (v, out) => {
      // the first eigenvector, of eigenvalue 1, is moved below all others
      const along = 3 * dot(first, v);
      matrixTimesVector(N, v, out);
      for (let i = 0; i < m; i++) out[i] -= along * first[i];
    },
    m,
    { count: 1, which: "largest", tolerance: EIGEN_TOLERANCE, relativeTo: "operator" },
  );
  const v = vectors.data.map((entry, i) => entry / roots[i]);
  return Int32Array.from({ length: m }, (_, i) => i).sort((a, b) => v[a] - v[b] || a - b);
}
