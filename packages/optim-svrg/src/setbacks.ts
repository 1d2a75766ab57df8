/**
 * Inner loops of SVRG in a row that are made again from their snapshot with a shorter step: they ended in numbers that are
 * not finite, three of which are the end of the run, or above F(X₀), of which ten are.
 */
import type { Outcome, SnapshotReader, SnapshotValue } from "@curvature/optim-core";

const MOST_FAILURES = 3;
const MOST_RISES = 10;

export class Setbacks {
  private failures = 0;
  private rises = 0;

  get count(): number {
    return this.failures + this.rises;
  }

  /** A loop has ended well. */
  forget(): void {
    this.failures = 0;
    this.rises = 0;
  }

  /** A loop with the step B has ended in numbers that are not finite. */
  fail(B: number): Outcome | undefined {
    this.failures++;
    if (this.failures !== MOST_FAILURES) return undefined;
    return {
      status: "diverged",
      message: `Three epochs in a row ended in numbers that are not finite, the last with step ${B}. Give a larger epsilon or smaller initialStep.`,
    };
  }

  /** A loop has ended above F(X₀). */
  rise(): Outcome | undefined {
    this.rises++;
    if (this.rises !== MOST_RISES) return undefined;
    return {
      status: "stalled",
      message: `${MOST_RISES} epochs in a row, each with a shorter step, ended above the value of the first point.`,
    };
  }

  save(): { readonly [key: string]: SnapshotValue } {
    return { failures: this.failures, rises: this.rises };
  }

  /** Reads what `save` wrote; takes it when the function returned is called. */
  reader(state: SnapshotReader): () => void {
    const failures = state.integer("failures");
    const rises = state.integer("rises");
    return () => {
      this.failures = failures;
      this.rises = rises;
    };
  }
}

export const notFiniteAtFirst = (value: number, gradientNorm: number): Outcome => ({
  status: "diverged",
  message: `At the first point the value is ${value} and the gradient norm ${gradientNorm}. Start where both are finite, and write every entry of the gradient.`,
});
