/**
 * A given map as a start. E does not see where a map lies, and a descent forgets at what size it began; but digits are
 * lost far from the origin, and a schedule made for one size goes astray from another. So only the map's shape counts:
 *
 *   X ← c X̂,   X̂ = X − x̄, the largest deviation of a column 1
 *
 * | c  | where                                                                                             |
 * |----|---------------------------------------------------------------------------------------------------|
 * | s  | the size at which maps start, 1 for a heavy tail and 0.1 without                                  |
 * | c* | the map is finished: ‖∇E⁺ + λ ∇E⁻‖ ≤ ‖∇E⁺‖ / 5 where that ratio is least along cX̂                  |
 *
 * A finished map stays as it is, but for the last percent of its size: the forces on its points are at balance, as they are at no size
 * of another shape. c* is found among powers of 4 and then by golden section, in some 25 evaluations, which a run does not
 * count. (E along cX̂ does not do: t-SNE's falls on and on by next to nothing where a map is large.) X̂ is rounded to 16 binary
 * digits of the median of its entries: what a shift or a change of units did to the digits behind is not seen, and no descent can
 * amplify it.
 */
import { type DenseMatrix, exp, log, norm2 } from "@curvature/linalg";
import type { EmbeddingObjective } from "@curvature/objectives/embedding";
import { centerColumns } from "./columns.js";

/** ‖∇E‖ beside the attraction alone, below which forces are at balance. */
const BALANCED = 0.2;
/** Powers of 4 that are tried, of s: a map of half a million points is not 4¹⁰ times as large. */
const [LEAST, MOST] = [-2, 9];
const STRIDE = log(4);
const SECTIONS = 14;
const GOLDEN = 0.5 * (Math.sqrt(5) - 1);

/**
 * @param given - N × d, not all in one place; kept as it is
 * @param size - s
 */
export function givenMap(objective: EmbeddingObjective, given: DenseMatrix, size: number): DenseMatrix {
  const shape = shapeOf(given);
  const ray = new Ray(objective, shape);
  return { ...given, data: ray.at(ray.balance(size) ?? size) };
}

/** X̂: centred twice, for a mean far away is rounded. */
function shapeOf({ rows: N, columns: d, data }: DenseMatrix): Float64Array {
  let largest = 0;
  for (const value of data) largest = Math.max(largest, Math.abs(value));
  const shape = data.map((value) => value / largest); // no square overflows
  centerColumns(shape, d);
  centerColumns(shape, d);
  let deviation = 0;
  for (let i = 0; i < d; i++) {
    const column = Float64Array.from({ length: N }, (_, n) => shape[n * d + i]);
    deviation = Math.max(deviation, norm2(column) / Math.sqrt(N));
  }
  return rounded(shape.map((value) => value / deviation));
}

const DIGITS = 2 ** -16;

/** To multiples of a power of two, so that it is the same for shapes that differ by less. */
function rounded(shape: Float64Array): Float64Array {
  const median = shape.map(Math.abs).sort()[shape.length >> 1];
  if (!(median > Number.EPSILON)) return shape;
  let quantum = DIGITS;
  while (DIGITS * median < quantum) quantum *= 0.5;
  return shape.map((value) => quantum * Math.round(value / quantum));
}

/** c ↦ E(cX̂) */
class Ray {
  private readonly X: Float64Array;
  private readonly A: Float64Array;
  private readonly G: Float64Array;

  constructor(
    private readonly objective: EmbeddingObjective,
    private readonly shape: Float64Array,
  ) {
    [this.X, this.A, this.G] = [shape.slice(), shape.slice(), shape.slice()];
  }

  at(c: number): Float64Array {
    return this.shape.map((value) => c * value);
  }

  /** c*; undefined where forces are at balance nowhere. */
  balance(start: number): number | undefined {
    let best = log(start);
    let least = Number.POSITIVE_INFINITY;
    for (let power = LEAST; power <= MOST; power++) {
      const at = log(start) + power * STRIDE;
      const ratio = this.imbalance(at);
      if (ratio < least) [best, least] = [at, ratio];
    }
    let [low, high] = [best - STRIDE, best + STRIDE];
    let [a, b] = [high - GOLDEN * (high - low), low + GOLDEN * (high - low)];
    let [atA, atB] = [this.imbalance(a), this.imbalance(b)];
    for (let section = 0; section < SECTIONS; section++) {
      if (atA <= atB) {
        [high, b, atB] = [b, a, atA];
        a = high - GOLDEN * (high - low);
        atA = this.imbalance(a);
      } else {
        [low, a, atA] = [a, b, atB];
        b = low + GOLDEN * (high - low);
        atB = this.imbalance(b);
      }
    }
    return Math.min(atA, atB) <= BALANCED ? exp(atA <= atB ? a : b) : undefined;
  }

  /** ‖∇E⁺ + λ ∇E⁻‖ / ‖∇E⁺‖; infinite where it is no number. */
  private imbalance(logarithm: number): number {
    const { X, A, G, shape, objective } = this;
    const c = exp(logarithm);
    for (let k = 0; k < X.length; k++) X[k] = c * shape[k];
    objective.evaluateParts(X, A, G);
    for (let k = 0; k < G.length; k++) G[k] = A[k] + objective.lambda * G[k];
    const ratio = norm2(G) / norm2(A);
    return Number.isNaN(ratio) ? Number.POSITIVE_INFINITY : ratio;
  }
}
