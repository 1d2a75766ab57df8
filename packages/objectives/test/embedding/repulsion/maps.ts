/** Maps to sum over, and how far two sums are apart. */
import { fillNormal, RandomGenerator } from "@curvature/linalg";

/** Ten round clusters, of a width of a twentieth of the extent. */
export function clusters(points: number, extent: number, seed: number, dimensions = 2): Float64Array {
  const random = new RandomGenerator(seed);
  const d = dimensions;
  const centres = Float64Array.from({ length: 10 * d }, () => extent * random.uniform());
  const X = new Float64Array(d * points);
  fillNormal(random, X);
  return X.map((value, k) => (value * extent) / 20 + centres[(k % d) + d * (Math.floor(k / d) % 10)]);
}

/** Evenly over a square or a cube. */
export function spread(points: number, extent: number, seed: number, dimensions = 2): Float64Array {
  const random = new RandomGenerator(seed);
  return Float64Array.from({ length: dimensions * points }, () => extent * random.uniform());
}

export function norm(a: Float64Array): number {
  return Math.sqrt(a.reduce((sum, value) => sum + value * value, 0));
}

/** ‖a − b‖ / ‖b‖ */
export function difference(a: Float64Array, b: Float64Array): number {
  return norm(a.map((value, k) => value - b[k])) / norm(b);
}
