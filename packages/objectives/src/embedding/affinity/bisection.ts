/**
 * An order of points in which blocks of consecutive ones are near: halved again and again across the direction in
 * which they spread most, until a part is no larger than a block (Sproull's tree, of which only the order is kept).
 *
 * Direction  w ← Σ_s (y_s − ȳ) ⟨y_s − ȳ, w⟩ over a sample of the part, a few times, from the sample's farthest point
 * Cut        at the multiple of the block's size nearest the middle of the projections ⟨y, w⟩
 *
 * Sproull: Refinements to nearest-neighbor searching in k-dimensional trees. Algorithmica 6 (1991) 579-589.
 * doi:10.1007/BF01759061. Time O(N D log N).
 */
import { type DenseMatrix, dot, maxAbs, type RandomGenerator, scale } from "@curvature/linalg";

/** Points from which a direction is taken: one far point is seldom among them, and cannot bend all directions. */
const SAMPLE = 96;
const ITERATIONS = 4;

/**
 * @param points - N × D
 * @param block - rows of a block
 * @param random - draws the samples
 * @returns the rows in their new order: position → row
 */
export function bisected(points: DenseMatrix, block: number, random: RandomGenerator): Int32Array {
  const steps = bisection(points, block, random);
  for (let step = steps.next(); ; step = steps.next()) if (step.done === true) return step.value;
}

/** The same in steps, one for each cut. */
export function* bisection(
  { rows: N, columns: D, data }: DenseMatrix,
  block: number,
  random: RandomGenerator,
): Generator<void, Int32Array, void> {
  const order = Int32Array.from({ length: N }, (_, n) => n);
  const keys = new Float64Array(N);
  const direction = new Direction(data, D);
  const parts = [[0, N]];
  for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
    const [start, end] = part;
    const blocks = Math.ceil((end - start) / block);
    if (blocks <= 1) continue;
    const w = direction.of(order, start, end, random);
    for (let p = start; p < end; p++) keys[p] = dotRow(data, order[p] * D, w);
    const middle = start + (blocks >> 1) * block;
    partition(keys, order, start, end, middle, random);
    parts.push([middle, end], [start, middle]);
    yield;
  }
  return order;
}

/** The direction in which some of the points spread most. */
class Direction {
  private readonly sample: Float64Array;
  private readonly w: Float64Array;
  private readonly next: Float64Array;

  constructor(
    private readonly data: Float64Array,
    private readonly D: number,
  ) {
    this.sample = new Float64Array(SAMPLE * D);
    this.w = new Float64Array(D);
    this.next = new Float64Array(D);
  }

  /** Of the rows order[start] … order[end − 1], of length 1; zero where the sample is one point. Overwritten by the next call. */
  of(order: Int32Array, start: number, end: number, random: RandomGenerator): Float64Array {
    const { sample, D, next } = this;
    const count = Math.min(SAMPLE, end - start);
    const { w } = this;
    next.fill(0);
    for (let s = 0; s < count; s++) {
      const row = order[start + random.integer(end - start)] * D;
      for (let j = 0; j < D; j++) {
        sample[s * D + j] = this.data[row + j];
        next[j] += this.data[row + j] / count;
      }
    }
    let farthest = 0;
    w.fill(0);
    for (let s = 0; s < count; s++) {
      const y = sample.subarray(s * D, (s + 1) * D);
      for (let j = 0; j < D; j++) y[j] -= next[j];
      const far = maxAbs(y);
      if (far > farthest) {
        farthest = far;
        w.set(y);
      }
    }
    for (let iteration = 0; iteration < ITERATIONS && farthest > 0; iteration++) {
      scale(1 / maxAbs(w), w);
      next.fill(0);
      for (let s = 0; s < count; s++) {
        const along = dotRow(sample, s * D, w) / farthest;
        for (let j = 0; j < D; j++) next[j] += (sample[s * D + j] / farthest) * along;
      }
      if (!(maxAbs(next) > 0)) break;
      w.set(next);
    }
    if (farthest > 0) {
      scale(1 / maxAbs(w), w);
      scale(1 / Math.sqrt(dot(w, w)), w);
    }
    return w;
  }
}

function dotRow(data: Float64Array, row: number, w: Float64Array): number {
  let s0 = 0;
  let s1 = 0;
  const even = w.length & ~1;
  for (let j = 0; j < even; j += 2) {
    s0 += data[row + j] * w[j];
    s1 += data[row + j + 1] * w[j + 1];
  }
  if (even < w.length) s0 += data[row + even] * w[even];
  return s0 + s1;
}

/** Hoare's selection: afterwards no key before `middle` is above, and none from it on is below the key there. */
function partition(
  keys: Float64Array,
  order: Int32Array,
  start: number,
  end: number,
  middle: number,
  random: RandomGenerator,
): void {
  let low = start;
  let high = end - 1;
  while (low < high) {
    const pivot = keys[low + random.integer(high - low + 1)];
    let i = low;
    let j = high;
    while (i <= j) {
      while (keys[i] < pivot) i++;
      while (keys[j] > pivot) j--;
      if (i > j) break;
      const key = keys[i];
      keys[i] = keys[j];
      keys[j] = key;
      const row = order[i];
      order[i++] = order[j];
      order[j--] = row;
    }
    if (middle <= j) high = j;
    else if (middle >= i) low = i;
    else return;
  }
}
