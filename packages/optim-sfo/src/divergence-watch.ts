/**
 * Watches for divergence, which the paper's method does not: models that are wrong may lead far above F(x₀).
 *
 * Once every subfunction was evaluated, E = Σ (latest values) estimates F, and E₀ = Σ (first values) F near x₀. A
 * restart is due when E > E₀ or is not finite, when half of the last N steps failed, or when η is at its floor; not
 * within N steps of the last one. The paper has no such rule.
 *
 * It is a last resort: sums of functions of a few parameters, on which the authors' program diverges, are held by their
 * supports and a trust region (`model/support.ts`, `step-control.ts`), and with seeds 0 to 4 no restart comes on any of
 * the nine reference problems. Wrong gradients are what it is most often about.
 */
import type { SnapshotReader, SnapshotValue } from "@curvature/optim-core";
import { SCALE_FLOOR } from "./step-control.js";

export class DivergenceWatch {
  /** The lowest estimate, and the point that it belongs to. */
  lowest = Number.POSITIVE_INFINITY;
  readonly point: Float64Array;
  /** 1 for each of the last N steps that failed, a ring. */
  private readonly failures: Uint8Array;
  private failureCount = 0;
  private at = 0;
  private sinceRestart = 0;

  constructor(x: Float64Array, count: number) {
    this.point = x.slice();
    this.failures = new Uint8Array(Math.max(count, LEAST_WINDOW));
  }

  /** @returns why a restart is due, if it is */
  see(
    estimate: number | undefined,
    first: number | undefined,
    x: Float64Array,
    hasFailed: boolean,
    stepScale: number,
  ): string | undefined {
    this.failureCount += Number(hasFailed) - this.failures[this.at];
    this.failures[this.at] = Number(hasFailed);
    this.at = (this.at + 1) % this.failures.length;
    this.sinceRestart++;
    if (estimate === undefined || first === undefined) return undefined;
    if (estimate < this.lowest && !hasFailed) {
      this.lowest = estimate;
      this.point.set(x);
    }
    if (this.sinceRestart <= this.failures.length) return undefined;
    if (!(estimate <= first)) return "the sum of the latest values is above that of the first";
    if (2 * this.failureCount >= this.failures.length) return "half of the last steps failed";
    if (stepScale <= SCALE_FLOOR) return "the step length is at its floor";
    return undefined;
  }

  save(): SnapshotValue {
    const { lowest, point, failures, failureCount, at, sinceRestart } = this;
    return {
      point: point.slice(),
      failures: failures.slice(),
      numbers: Float64Array.of(lowest, failureCount, at, sinceRestart),
    };
  }

  /** Reads and checks; the returned function takes it over. @throws CurvatureError ERR_SNAPSHOT */
  open(state: SnapshotReader): () => void {
    const point = state.float64("point", this.point.length);
    const failures = state.uint8("failures", this.failures.length);
    const [lowest, failureCount, at, sinceRestart] = state.float64("numbers", 4);
    return () => {
      this.point.set(point);
      this.failures.set(failures);
      Object.assign(this, { lowest, failureCount, at, sinceRestart });
    };
  }

  /** The count of steps and failures begins anew. */
  restart(): void {
    this.failures.fill(0);
    this.failureCount = 0;
    this.sinceRestart = 0;
  }
}

/** With a few subfunctions only, half of N steps is too few to tell. */
const LEAST_WINDOW = 10;
