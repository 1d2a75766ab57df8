/**
 * A given map as a start. E does not see where a map lies, and a descent forgets at what size it began; but digits are
 * lost far from the origin, and a schedule made for one size goes astray from another. So only the map's shape counts:
 *
 *   X ← c X̂,   X̂ = X − x̄, the largest deviation of a column 1
 *
 * | c  | where                                                                                       |
 * |----|---------------------------------------------------------------------------------------------|
 * | s  | the size at which maps start, 1 for a heavy tail and 0.1 without                            |
 * | c* | the map is finished: at c*, where E(cX̂) has its minimum, ‖∇E⁺ + λ ∇E⁻‖ ≤ ‖∇E⁺‖ / 5           |
 *
 * A finished map stays as it is, but for its last percent of size: the forces on its points are at balance, as they are nowhere on
 * the way of any other shape. c* is the root of d/dlog c E(cX̂) = ⟨∇E, cX̂⟩, by the Illinois rule in log c, from s on:
 * some 10 evaluations, which a run does not count. X̂ is rounded to 16 binary digits of the median of its
 * entries: what a shift or a change of units did to the digits behind is not seen, and no descent can amplify it.
 *
 * Dowell, Jarratt: A modified regula falsi method for computing the root of an equation. BIT 11 (1971) 168-174 (Illinois).
 */
import { type DenseMatrix, dot, exp, log, norm2 } from "@curvature/linalg";
import type { EmbeddingObjective } from "@curvature/objectives/embedding";
import { centerColumns } from "./columns.js";

/** ‖∇E‖ beside the attraction alone, below which forces are at balance. */
const BALANCED = 0.2;
/** Of c*. */
const TOLERANCE = 1e-3;
const FARTHEST = log(1e8);
const STRIDE = log(4);
const MAX_STEPS = 20;

/**
 * @param given - N × d, not all in one place; kept as it is
 * @param size - s
 */
export function givenMap(objective: EmbeddingObjective, given: DenseMatrix, size: number): DenseMatrix {
  const shape = shapeOf(given);
  const ray = new Ray(objective, shape);
  const best = ray.balance(size);
  return { ...given, data: ray.at(best !== undefined && ray.isBalanced(best) ? best : size) };
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

  /** c*; undefined where E has no minimum near enough. */
  balance(start: number): number | undefined {
    let from = log(start);
    let slope = this.slope(from);
    const direction = slope < 0 ? 1 : -1;
    let to = from;
    let beyond = slope;
    while (beyond * slope > 0) {
      [from, slope] = [to, beyond];
      to += direction * STRIDE;
      if (Math.abs(to) > FARTHEST) return undefined;
      beyond = this.slope(to);
    }
    for (let step = 0; step < MAX_STEPS && Math.abs(to - from) > TOLERANCE && beyond !== 0; step++) {
      const next = to - (beyond * (to - from)) / (beyond - slope);
      const between = this.slope(next);
      if (between * beyond < 0) [from, slope] = [to, beyond];
      else slope *= 0.5;
      if (Math.abs(next - to) <= 0.1 * TOLERANCE) return exp(next);
      [to, beyond] = [next, between];
    }
    return Number.isFinite(beyond) ? exp(to) : undefined;
  }

  isBalanced(c: number): boolean {
    this.slope(log(c));
    return norm2(this.G) <= BALANCED * norm2(this.A);
  }

  /** ⟨∇E, cX̂⟩ */
  private slope(logarithm: number): number {
    const { X, A, G, shape, objective } = this;
    const c = exp(logarithm);
    for (let k = 0; k < X.length; k++) X[k] = c * shape[k];
    objective.evaluateParts(X, A, G);
    for (let k = 0; k < G.length; k++) G[k] = A[k] + objective.lambda * G[k];
    return dot(G, X);
  }
}
