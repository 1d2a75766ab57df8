/**
 * When a stage of a fit has done enough, by the value F_k and the point X_k of its iterations:
 *
 *   settled   |F_k − F_{k−1}| ≤ tolerance |F_k|  and  ‖X_k − X_{k−1}‖ ≤ tolerance ‖X_k‖
 *   slow      F_{k−5} − F_k < slowest |F_{k−5}|
 *
 * Iterations whose value is not known count, and are not looked at.
 */
import { norm2 } from "@curvature/linalg";
import type { SnapshotReader, SnapshotValue, Solver } from "@curvature/optim-core";

/** Iterations in which a stage must fall by its `slowest`. */
const WINDOW = 5;

export class StageWatch {
  /** Of the stage under way. */
  iterations = 0;
  /** The last value that the stage knew, and the point where. */
  private lastValue = Number.NaN;
  private readonly lastX: Float64Array;
  /** The last values of the stage under way, that of iteration k at k modulo their number. */
  private readonly recent = new Float64Array(WINDOW + 1);

  /** @param tolerance - 0 is off */
  constructor(
    dimension: number,
    private readonly tolerance: number,
  ) {
    this.lastX = new Float64Array(dimension);
  }

  /** Another stage begins. */
  begin(): void {
    this.iterations = 0;
    this.lastValue = Number.NaN;
  }

  /** @param solver - whose `last` is X_k, and asked for only where it is needed */
  isSettled(value: number | undefined, solver: Pick<Solver, "last">): boolean {
    const { tolerance, lastX } = this;
    if (tolerance === 0 || value === undefined) return false;
    const { x } = solver.last;
    let change = 0;
    for (let k = 0; k < x.length; k++) change += (x[k] - lastX[k]) * (x[k] - lastX[k]);
    const isSmall =
      Math.abs(this.lastValue - value) <= tolerance * Math.abs(value) &&
      Math.sqrt(change) <= tolerance * norm2(x);
    this.lastValue = value;
    lastX.set(x);
    return isSmall;
  }

  /** @param slowest - 0 is off */
  isSlow(value: number | undefined, slowest: number): boolean {
    const { recent, iterations } = this;
    if (slowest === 0 || value === undefined) return false;
    recent[iterations % recent.length] = value;
    if (iterations <= WINDOW) return false;
    const before = recent[(iterations - WINDOW) % recent.length];
    return before - value < slowest * Math.abs(before);
  }

  save(): { readonly [key: string]: SnapshotValue } {
    const { iterations, lastValue } = this;
    return { iterations, lastValue, lastX: this.lastX.slice(), recent: this.recent.slice() };
  }

  /** Reads all fields, and gives back what takes them. @throws CurvatureError ERR_SNAPSHOT */
  read(state: SnapshotReader): () => void {
    const iterations = state.integer("iterations");
    const lastValue = state.number("lastValue");
    const lastX = state.float64("lastX", this.lastX.length);
    const recent = state.float64("recent", WINDOW + 1);
    return () => {
      [this.iterations, this.lastValue] = [iterations, lastValue];
      this.lastX.set(lastX);
      this.recent.set(recent);
    };
  }
}
