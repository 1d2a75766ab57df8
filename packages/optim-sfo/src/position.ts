/** Where a run is: x, its coordinates z in the subspace, and the point before it; and where other points are from there. */
import type { SnapshotReader, SnapshotValue } from "@curvature/optim-core";
import type { Subspace } from "./subspace/subspace.js";

export class Position {
  /** The next point to be evaluated. */
  readonly x: Float64Array;
  /** The point before the last step. */
  readonly xPrevious: Float64Array;
  readonly z: Float64Array;
  private now: Float64Array | undefined;
  private before: Float64Array | undefined;
  private readonly subspace: Subspace;
  /** Room for the way from x to a point, where P is rounded. */
  private readonly shift: Float64Array | undefined;

  /** Takes x into the subspace. */
  constructor(x: Float64Array, subspace: Subspace) {
    this.x = x.slice();
    this.xPrevious = x.slice();
    this.z = new Float64Array(subspace.capacity);
    this.subspace = subspace;
    this.shift = subspace.resolution > 0 ? new Float64Array(x.length) : undefined;
    subspace.expand(x, this.z);
  }

  /** A copy of x, the same one until x moves. */
  pointNow(): Float64Array {
    this.now ??= this.x.slice();
    return this.now;
  }

  /** The same of the point before the last step. */
  pointBefore(): Float64Array {
    this.before ??= this.xPrevious.slice();
    return this.before;
  }

  /** @param point - of `pointNow`, if x is there */
  isAt(point: Float64Array): boolean {
    return point === this.now;
  }

  /**
   * The coordinates of a point: Pᵀ point, or where P is rounded, z + Pᵀ (point − x). That differs by rounding of the
   * distance to x, not of the distance to 0, which would soon be more than the steps near a minimum.
   */
  locate(point: Float64Array, out: Float64Array): void {
    const { shift, x, z, subspace } = this;
    if (shift === undefined) {
      projectInto(subspace, point, out);
      return;
    }
    for (let i = 0; i < shift.length; i++) shift[i] = point[i] - x[i];
    projectInto(subspace, shift, out);
    for (let k = 0; k < subspace.K; k++) out[k] += z[k];
  }

  /** What a collapse keeps of a point beside z: it itself, or where P is rounded the way from z to it. */
  direction(point: Float64Array): Float64Array {
    const { shift, z } = this;
    return shift === undefined ? point : point.map((entry, k) => entry - z[k]);
  }

  /** After a collapse, which has moved z as it moves all coordinates; an exact P says it anew. */
  renew(): void {
    if (this.shift === undefined) projectInto(this.subspace, this.x, this.z);
  }

  moveTo(point: Float64Array): void {
    const z = new Float64Array(this.z.length);
    this.locate(point, z);
    this.z.set(z);
    this.x.set(point);
    this.now = point;
  }

  /** @param p - of K coordinates */
  step(p: Float64Array): void {
    const { x, z } = this;
    this.xPrevious.set(x);
    this.before = this.now;
    this.now = undefined;
    this.subspace.addTo(x, p);
    for (let k = 0; k < p.length; k++) z[k] += p[k];
  }

  save(): { readonly [key: string]: SnapshotValue } {
    return {
      x: this.x.slice(),
      xPrevious: this.xPrevious.slice(),
      z: this.z.slice(0, this.subspace.K),
    };
  }

  /** Reads and checks; the returned function takes it over. @throws CurvatureError ERR_SNAPSHOT */
  open(state: SnapshotReader, K: number): () => void {
    const { x, xPrevious, z } = this;
    const saved = {
      x: state.float64("x", x.length),
      xPrevious: state.float64("xPrevious", x.length),
      z: state.float64("z", K),
    };
    return () => {
      x.set(saved.x);
      xPrevious.set(saved.xPrevious);
      z.fill(0);
      z.set(saved.z);
      this.now = undefined;
      this.before = undefined;
    };
  }
}

/** Pᵀ v, with zeros behind. */
export function projectInto(subspace: Subspace, v: Float64Array, out: Float64Array): void {
  out.fill(0);
  subspace.project(v, out);
}
