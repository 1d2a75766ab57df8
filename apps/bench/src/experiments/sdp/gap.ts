/** Words that the experiments of NOMAD share. */

/** Of the repeats of a report. */
export const ONE_RUN =
  "One run of each, all in one process. Whatever is drawn (points, where they have noise, and starts of solvers) has seed 0 where no other is given: another run gives the same, seconds aside.";

export const shortGap = (gap: number): string => (Number.isFinite(gap) ? gap.toExponential(1) : "none");
