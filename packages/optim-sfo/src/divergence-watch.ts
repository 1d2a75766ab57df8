/**
 * Watches for divergence, which the paper's method does not: the models may lead far above F(x₀) on sums whose
 * subfunctions each depend on a few parameters only.
 *
 * Once every subfunction was evaluated, E = Σ (latest values) estimates F, and E₀ = Σ (first values) F near x₀. A
 * restart is due when E > E₀ or is not finite, when half of the last N steps failed, or when η is at its floor; not
 * within N steps of the last one. The paper has no such rule.
 *
 * Measured on the chain of 39 Rosenbrock terms of two parameters each, F(x₀) = 9680, where the authors' program is at
 * 3·10⁵ in the median, and up to 10¹⁴, after 20 passes: with five sets of seeds (61 in all) the medians are 41 to 69, the
 * worst of a set 148 to 9658: of a run that was late to restart no point far below F(x₀) is known by then. Other radii and rates for Δ (0.1 to 1
 * times the distance gone, growth by ½ to 2 N⁻¹, shrinking to 0.3 to 0.7), a quarter of failed steps for a half, a shorter
 * wait, forgetting all pairs, and other selection rules were no better beyond the differences between sets of seeds. No
 * restart came on any of the other eight reference problems.
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
