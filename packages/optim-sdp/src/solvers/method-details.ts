/** What every solver says of an iteration to the layers. */
import type { Bounds } from "../nomad-result.js";

export interface MethodDetails extends Bounds {
  /** Of X − E, X the solver's own point before its repair. */
  readonly rank?: number | undefined;
}
