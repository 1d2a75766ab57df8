/** Words that the experiments of NOMAD share. */

/** For the method of a report. */
export const SECONDS = "Seconds are processor time, all work in one process.";

export const shortGap = (gap: number): string => (Number.isFinite(gap) ? gap.toExponential(1) : "none");
