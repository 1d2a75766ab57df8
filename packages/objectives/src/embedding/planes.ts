/**
 * A map X (N × d, row-major) taken apart into its d coordinates, each in an array of its own, which is how the loops
 * over pairs read it: they run over one array at a time and compute no index.
 */
export class Planes {
  readonly coordinates: readonly Float64Array[];

  constructor(
    private readonly points: number,
    private readonly dimensions: number,
  ) {
    this.coordinates = Array.from({ length: dimensions }, () => new Float64Array(points));
  }

  load(X: Float64Array): void {
    const { coordinates, points, dimensions: d } = this;
    for (let i = 0; i < d; i++) {
      const plane = coordinates[i];
      for (let n = 0; n < points; n++) plane[n] = X[n * d + i];
    }
  }

  clear(): void {
    for (const plane of this.coordinates) plane.fill(0);
  }

  /** `factor` times the coordinates, row-major again. */
  store(factor: number, out: Float64Array): void {
    const { coordinates, points, dimensions: d } = this;
    for (let i = 0; i < d; i++) {
      const plane = coordinates[i];
      for (let n = 0; n < points; n++) out[n * d + i] = factor * plane[n];
    }
  }
}
