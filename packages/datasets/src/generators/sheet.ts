import { type DenseMatrix, RandomGenerator, zeros } from "@curvature/linalg";
import { addNoise } from "./noise.js";

/** Points of a bent rectangle, and where each lies on it. */
export interface Sheet {
  /** count × 3. */
  readonly points: DenseMatrix;
  /** The parameter along the bent side: an angle in radians. */
  readonly along: Float64Array;
  /** The parameter along the straight side. */
  readonly across: Float64Array;
}

/** Points at random on a sheet, each at the next (along, across) that is drawn. */
export function noisySheet(
  { count, noise, seed }: { readonly count: number; readonly noise: number; readonly seed: number },
  draw: (random: RandomGenerator) => readonly [along: number, across: number],
  at: (along: number, across: number) => readonly [number, number, number],
): Sheet {
  const random = new RandomGenerator(seed);
  const points = zeros(count, 3);
  const [along, across] = [new Float64Array(count), new Float64Array(count)];
  for (let i = 0; i < count; i++) {
    [along[i], across[i]] = draw(random);
    points.data.set(at(along[i], across[i]), 3 * i);
  }
  addNoise(points, noise, random);
  return { points, along, across };
}
