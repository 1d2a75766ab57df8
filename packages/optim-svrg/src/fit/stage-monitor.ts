/**
 * When a stage of a fit has done enough, by the value F_k and the point X_k of its iterations:
 *
 *   settled   |F_k − F_{k−1}| ≤ tolerance |F_k|  and  ‖X_k − X_{k−1}‖ ≤ tolerance ‖X_k‖
 *   slow      F_{k−5} − F_k < slowest |F_{k−5}|
 *
 * Iterations whose value is not known count, and are not looked at.
 */
import { norm2 } from "@curvature/linalg";
import type { Solver } from "@curvature/optim-core";
import { float64, number, stateOf, whole } from "@curvature/optim-core/state";

/** Iterations in which a stage must fall by its `slowest`. */
const WINDOW = 5;

export class StageMonitor {
  readonly state;

  /** @param tolerance - 0 is off */
  constructor(
    dimension: number,
    private readonly tolerance: number,
  ) {
    this.state = stateOf({
      /** Of the stage under way. */
      iterations: whole(),
      /** The last value that the stage knew, and the point where. */
      lastValue: number(),
      lastX: float64(new Float64Array(dimension)),
      /** The last values of the stage under way, that of iteration k at k modulo their number. */
      recent: float64(new Float64Array(WINDOW + 1)),
    });
  }

  /** Another stage begins. */
  begin(): void {
    this.state.iterations = 0;
    this.state.lastValue = Number.NaN;
  }

  /** @param solver - whose `last` is X_k, and asked for only where it is needed */
  isSettled(value: number | undefined, solver: Pick<Solver, "last">): boolean {
    const { tolerance, state } = this;
    if (tolerance === 0 || value === undefined) return false;
    const { x } = solver.last;
    const { lastX } = state;
    let change = 0;
    for (let k = 0; k < x.length; k++) change += (x[k] - lastX[k]) * (x[k] - lastX[k]);
    const isSmall =
      Math.abs(state.lastValue - value) <= tolerance * Math.abs(value) &&
      Math.sqrt(change) <= tolerance * norm2(x);
    state.lastValue = value;
    lastX.set(x);
    return isSmall;
  }

  /** @param slowest - 0 is off */
  isSlow(value: number | undefined, slowest: number): boolean {
    const { recent, iterations } = this.state;
    if (slowest === 0 || value === undefined) return false;
    recent[iterations % recent.length] = value;
    if (iterations <= WINDOW) return false;
    const before = recent[(iterations - WINDOW) % recent.length];
    return before - value < slowest * Math.abs(before);
  }
}
