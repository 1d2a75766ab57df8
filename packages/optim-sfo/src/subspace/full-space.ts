/**
 * The whole space, P = I, which is not stored: for problems with no more parameters than the subspace would have
 * columns.
 */
import type { Subspace } from "./subspace.js";

export class FullSpace implements Subspace {
  readonly dimension: number;
  readonly bytes = 0;
  readonly hasOutgrown = false;
  readonly resolution = 0;

  constructor(dimension: number) {
    this.dimension = dimension;
  }

  get K(): number {
    return this.dimension;
  }

  get capacity(): number {
    return this.dimension;
  }

  project(v: Float64Array, out: Float64Array): void {
    out.set(v);
  }

  addTo(x: Float64Array, c: Float64Array): void {
    for (let i = 0; i < x.length; i++) x[i] += c[i];
  }

  expand(v: Float64Array, out: Float64Array): boolean {
    out.set(v);
    return false;
  }

  collapse(): void {
    throw new RangeError("The full space does not collapse.");
  }
}
