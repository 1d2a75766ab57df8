/**
 * What a user should read of the answers or the method.
 *
 * "unplaced": objects that no answer mentions; "components": groups that none connects; "circular": most answers
 * contradict each other in circles; "few-answers": too few to choose the ridge by some of them; "no-spectral-map": the
 * fit starts at random instead.
 */
export interface OrdinalWarning {
  readonly code: "unplaced" | "components" | "circular" | "few-answers" | "no-spectral-map";
  /** A sentence or two. */
  readonly message: string;
}
