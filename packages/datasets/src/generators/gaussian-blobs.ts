/**
 * Normal clouds around random centres, of equal or unequal spread.
 *
 * x = c_g + σ_g z,   z standard normal,   c_g uniform on [−box, box)^dimensions
 * σ_g = spread · spreadRatio^(g / (groups − 1)),   so that the last cloud is spreadRatio times as wide as the first
 */
import {
  between,
  exp,
  fillNormal,
  integerFrom,
  log,
  type OptionsOf,
  optionTable,
  RandomGenerator,
  zeros,
} from "@curvature/linalg";
import type { Groups } from "./groups.js";

export const gaussianBlobsOptions = optionTable({
  groups: integerFrom(1).default(3),
  pointsPerGroup: integerFrom(1).default(100),
  dimensions: integerFrom(1).default(2),
  /** Standard deviation of the first group on each coordinate. */
  spread: between(0, 1e100).default(1),
  /** The last group's deviation over the first one's. */
  spreadRatio: between(1e-100, 1e100).default(1),
  /** Centres lie in the cube from −box to box. */
  box: between(0, 1e100).default(10),
  /** Of the random numbers. */
  seed: integerFrom(0).default(0),
});
export type GaussianBlobsOptions = OptionsOf<typeof gaussianBlobsOptions>;

/** @throws CurvatureError ERR_OPTION, ERR_MEMORY */
export function gaussianBlobs(options?: GaussianBlobsOptions): Groups {
  const settings = gaussianBlobsOptions.resolve("gaussianBlobs", options);
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
