/** Summaries of repeats. */
import { mean } from "../../processor.ts";

/** Where seconds come from, for the method of a report. */
export const SECONDS = "Seconds are those of the solver, all in one process.";

export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const place = share * (sorted.length - 1);
  const low = Math.floor(place);
  const high = Math.min(sorted.length - 1, low + 1);
  return sorted[low] + (place - low) * (sorted[high] - sorted[low]);
}

/** "mean (min-max, standard deviation)" */
export function spread(values: readonly number[], digits: number): string {
  if (values.length === 0) return "-";
  const average = mean(values);
  const deviation = Math.sqrt(mean(values.map((value) => (value - average) ** 2)));
  const shown = (value: number): string => value.toFixed(digits);
  return `${shown(average)} (${shown(Math.min(...values))}-${shown(Math.max(...values))}, ±${shown(deviation)})`;
}
