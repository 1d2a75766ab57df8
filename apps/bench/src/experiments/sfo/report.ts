/** Where an experiment's tables and figures go, and what they say of the machine. */
import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { machine, median } from "../../machine.ts";

/** Results that are meant to be read, or a first look that is not. */
export const folderOf = (isQuick: boolean): string =>
  isQuick
    ? join(tmpdir(), "curvature-bench", "sfo")
    : fileURLToPath(new URL("../../../../../docs/results/sfo/", import.meta.url));

export function write(folder: string, name: string, content: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), content);
}

export const note = (sentence: string): unknown => process.stderr.write(`${sentence}\n`);

export const provenance = (): string =>
  `Measured on ${machine()}, ${new Date().toISOString().slice(0, 10)}; seconds are processor time of solver and evaluations, ` +
  "one after the other in one process, without the evaluations that only look.";

/** Values of one kind over repeats. */
export interface Spread {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

export const spreadOf = (values: readonly number[]): Spread => ({
  median: median(values),
  least: Math.min(...values),
  most: Math.max(...values),
});

export function spreadText({ median: middle, least, most }: Spread): string {
  const shown = valueText(middle);
  return least === most ? shown : `${shown} (${valueText(least)} to ${valueText(most)})`;
}

export const valueText = (value: number): string =>
  Number.isFinite(value) ? Number(value.toPrecision(6)).toString() : "broken off";
