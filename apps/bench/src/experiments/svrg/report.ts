/** Writes what an experiment found: Markdown to standard output and to a file, figures beside it. */
import { mkdirSync, writeFileSync } from "node:fs";
import { machine } from "../../machine.ts";

const folder = new URL("../../../../../docs/results/svrg/", import.meta.url);

export function writeTable(name: string, lines: readonly string[]): void {
  const content = `${lines.join("\n")}\n`;
  process.stdout.write(content);
  mkdirSync(folder, { recursive: true });
  writeFileSync(new URL(`${name}.md`, folder), content);
}

export function writeFigure(name: string, svg: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(new URL(`${name}.svg`, folder), svg);
}

/** Where and when it was measured. */
export const provenance = (): string =>
  `Measured on ${machine()}; seconds are processor time of the solver in one process.`;

export function note(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const place = share * (sorted.length - 1);
  const low = Math.floor(place);
  const high = Math.min(sorted.length - 1, low + 1);
  return sorted[low] + (place - low) * (sorted[high] - sorted[low]);
}

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** "mean (min-max, standard deviation)" */
export function spread(values: readonly number[], digits: number): string {
  if (values.length === 0) return "-";
  const average = mean(values);
  const deviation = Math.sqrt(mean(values.map((value) => (value - average) ** 2)));
  const shown = (value: number): string => value.toFixed(digits);
  return `${shown(average)} (${shown(Math.min(...values))}-${shown(Math.max(...values))}, ±${shown(deviation)})`;
}
