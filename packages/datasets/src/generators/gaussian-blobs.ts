/**
 * Normal clouds around random centres, of equal or unequal spread.
 *
 * x = c_g + σ_g z,   z standard normal,   c_g uniform on [−box, box)^dimensions
 * σ_g = spread · spreadRatio^(g / (groups − 1)),   so that the last cloud is spreadRatio times as wide as the first
 */
import {
  between,
  checkOptions,
  exp,
  fillNormal,
  integerFrom,
  log,
  RandomGenerator,
  type Rules,
  zeros,
} from "@curvature/linalg";
import type { Groups } from "./groups.js";

export interface GaussianBlobsOptions {
  /** Default 3. */
  readonly groups: number;
  /** Default 100. */
  readonly pointsPerGroup: number;
  /** Default 2. */
  readonly dimensions: number;
  /** Standard deviation of the first group on each coordinate. Default 1. */
  readonly spread: number;
  /** The last group's deviation over the first one's. Default 1. */
  readonly spreadRatio: number;
  /** Centres lie in the cube from −box to box. Default 10. */
  readonly box: number;
  /** Default 0. */
  readonly seed: number;
}

export const gaussianBlobsDefaults: GaussianBlobsOptions = Object.freeze({
  groups: 3,
  pointsPerGroup: 100,
  dimensions: 2,
  spread: 1,
  spreadRatio: 1,
  box: 10,
  seed: 0,
});

const rules: Rules<GaussianBlobsOptions> = {
  groups: integerFrom(1),
  pointsPerGroup: integerFrom(1),
  dimensions: integerFrom(1),
  spread: between(0, 1e100),
  spreadRatio: between(1e-100, 1e100),
  box: between(0, 1e100),
  seed: integerFrom(0),
};

/** @throws CurvatureError ERR_OPTION, ERR_MEMORY */
export function gaussianBlobs(options?: Partial<GaussianBlobsOptions>): Groups {
  const settings = checkOptions("gaussianBlobs", options, gaussianBlobsDefaults, rules);
  const { groups, pointsPerGroup, dimensions, spread, spreadRatio, box, seed } = settings;
  const random = new RandomGenerator(seed);
  const points = zeros(groups * pointsPerGroup, dimensions);
  const labels = new Uint32Array(points.rows);
  for (let g = 0; g < groups; g++) {
    const centre = Float64Array.from({ length: dimensions }, () => box * (2 * random.uniform() - 1));
    const deviation = spread * exp((log(spreadRatio) * g) / Math.max(1, groups - 1));
    const first = g * pointsPerGroup;
    labels.fill(g, first, first + pointsPerGroup);
    const cloud = points.data.subarray(first * dimensions, (first + pointsPerGroup) * dimensions);
    fillNormal(random, cloud);
    for (let k = 0; k < cloud.length; k++) cloud[k] = centre[k % dimensions] + deviation * cloud[k];
  }
  return { points, labels };
}
