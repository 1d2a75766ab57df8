/** Whether an objective stands still, which is no sign of an optimum: looked at every 100 steps. */
import type { SnapshotReader, SnapshotValue } from "@curvature/optim-core";

export const PLATEAU_STEPS = 100;
/** The relative change up to which it stands still. */
const CHANGE = 1e-7;

export class Plateau {
  lasts = false;
  /** The objective at the last look. */
  private value = Number.NaN;

  /** @param isGoingOn - there is none after the end */
  look(objective: number, isGoingOn: boolean): void {
    this.lasts = isGoingOn && Math.abs(objective - this.value) <= CHANGE * Math.abs(objective);
    this.value = objective;
  }

  save(): { readonly [key: string]: SnapshotValue } {
    return { plateauValue: this.value, plateau: this.lasts };
  }

  /** Reads all fields, and gives back what takes them. @throws CurvatureError ERR_SNAPSHOT */
  read(state: SnapshotReader): () => void {
    const value = state.number("plateauValue");
    const lasts = state.flag("plateau");
    return () => {
      this.value = value;
      this.lasts = lasts;
    };
  }
}
