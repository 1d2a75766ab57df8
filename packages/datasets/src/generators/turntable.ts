/**
 * Images of an object on a turntable: a closed manifold of one dimension among 576 pixels. The object is three soft lamps,
 * in place of the teapot of Tepper, Sengupta, Chklovskii (J. Mach. Learn. Res. 19, 2018, figure 6a), whose images are not
 * ours to give.
 *
 * grey(x, y) = Σ_k h_k exp(−‖(x, y) − p_k‖² / (2 σ_k²)) + noise,   p_k = centre + ρ_k (cos(α + β_k), sin(α + β_k)),
 * α = 2π i / count,   x, y = 0 … 23,   centre (11.5, 11.5)
 *
 * | k | ρ_k | β_k  | σ_k | h_k |
 * |---|-----|------|-----|-----|
 * | 0 | 3   | 0°   | 2   | 1   |
 * | 1 | 5   | 70°  | 1.5 | 0.8 |
 * | 2 | 8   | 200° | 2.5 | 0.6 |
 */
import {
  between,
  checkOptions,
  cos,
  type DenseMatrix,
  exp,
  integerFrom,
  RandomGenerator,
  type Rules,
  sin,
  zeros,
} from "@curvature/linalg";
import { addNoise } from "./noise.js";

export interface TurntableOptions {
  /** Images of one full turn. Default 100. */
  readonly count: number;
  /** Standard deviation of the normal noise on each pixel. Default 0. */
  readonly noise: number;
  /** Default 0. */
  readonly seed: number;
}

export interface Turntable {
  /** count × 576: 24 rows of 24 grey values for each image, from 0 to about 1. */
  readonly points: DenseMatrix;
  /** α, in radians from 0 to 2π. */
  readonly angle: Float64Array;
}

export const turntableDefaults: TurntableOptions = Object.freeze({ count: 100, noise: 0, seed: 0 });
const rules: Rules<TurntableOptions> = {
  count: integerFrom(1),
  noise: between(0, 1e100),
  seed: integerFrom(0),
};

const SIDE = 24;
const CENTRE = (SIDE - 1) / 2;
const lamps = [
  { radius: 3, turn: 0, width: 2, height: 1 },
  { radius: 5, turn: (70 * Math.PI) / 180, width: 1.5, height: 0.8 },
  { radius: 8, turn: (200 * Math.PI) / 180, width: 2.5, height: 0.6 },
];

/** @throws CurvatureError ERR_OPTION, ERR_MEMORY */
export function turntable(options?: Partial<TurntableOptions>): Turntable {
  const { count, noise, seed } = checkOptions("turntable", options, turntableDefaults, rules);
  const points = zeros(count, SIDE * SIDE);
  const angle = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    angle[i] = (2 * Math.PI * i) / count;
    light(angle[i], points.data.subarray(i * SIDE * SIDE, (i + 1) * SIDE * SIDE));
  }
  addNoise(points, noise, new RandomGenerator(seed));
  return { points, angle };
}

function light(alpha: number, image: Float64Array): void {
  for (const { radius, turn, width, height } of lamps) {
    const px = CENTRE + radius * cos(alpha + turn);
    const py = CENTRE + radius * sin(alpha + turn);
    for (let y = 0; y < SIDE; y++) {
      for (let x = 0; x < SIDE; x++) {
        const square = (x - px) * (x - px) + (y - py) * (y - py);
        image[y * SIDE + x] += height * exp(-square / (2 * width * width));
      }
    }
  }
}
