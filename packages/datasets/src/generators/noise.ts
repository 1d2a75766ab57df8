import { between, type DenseMatrix, fillNormal, integerFrom, type RandomGenerator } from "@curvature/linalg";

/** Options of every generator of noisy points. */
export const noiseEntries = (deviation = 0) => ({
  /** Standard deviation of the normal noise on each coordinate. */
  noise: between(0, 1e100).default(deviation),
  /** Of the random numbers. */
  seed: integerFrom(0).default(0),
});

/** Adds independent normal numbers of the given standard deviation to every entry; draws none if it is 0. */
export function addNoise(points: DenseMatrix, deviation: number, random: RandomGenerator): void {
  if (deviation === 0) return;
  const noise = new Float64Array(points.columns);
  for (let start = 0; start < points.data.length; start += points.columns) {
    fillNormal(random, noise);
    for (let j = 0; j < noise.length; j++) points.data[start + j] += deviation * noise[j];
  }
}
