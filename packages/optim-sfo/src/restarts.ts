/**
 * How often a run that diverged begins again, and with how long a step. After r restarts, from x₀ to x with N models:
 *
 *   the next step is at most  (0.3 ‖x − x₀‖/√N + 1e-3 max(1, ‖x‖)) 0.3^r  long
 */
import { norm2, squaredDistance } from "@curvature/linalg";
import type { SnapshotReader, SnapshotValue } from "@curvature/optim-core";

export class Restarts {
  count = 0;
  /** x₀ */
  readonly start: Float64Array;

  constructor(
    x: Float64Array,
    private readonly most: number,
  ) {
    this.start = x.slice();
  }

  get areSpent(): boolean {
    return this.count === this.most;
  }

  /** Counts one more, if there may be one. */
  take(): void {
    if (!this.areSpent) this.count++;
  }

  isStart(point: Float64Array): boolean {
    return point.every((entry, i) => entry === this.start[i]);
  }

  firstLength(x: Float64Array, models: number): number {
    const far = Math.sqrt(squaredDistance(x, this.start)) / Math.sqrt(models);
    return (0.3 * far + 1e-3 * Math.max(1, norm2(x))) * 0.3 ** this.count;
  }

  save(): { readonly [key: string]: SnapshotValue } {
    return { start: this.start.slice(), restarts: this.count };
  }

  /** Reads and checks; the returned function takes it over. @throws CurvatureError ERR_SNAPSHOT */
  open(state: SnapshotReader): () => void {
    const start = state.float64("start", this.start.length);
    const count = state.integer("restarts");
    return () => {
      this.start.set(start);
      this.count = count;
    };
  }
}
