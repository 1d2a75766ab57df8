/** Where an experiment's tables and figures go, and what they say of the machine. */
import { mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { machine } from "../../machine.ts";

/** Results that are meant to be read, or a first look that is not. */
const folderOf = (isQuick: boolean): string =>
  isQuick
    ? join(tmpdir(), "curvature-bench", "sdp")
    : fileURLToPath(new URL("../../../../../docs/results/sdp/", import.meta.url));

/** The table to standard output and to its file. */
export function writeTable(isQuick: boolean, name: string, lines: readonly string[]): void {
  const content = `${lines.join("\n")}\n`;
  process.stdout.write(content);
  writeFile(isQuick, `${name}.md`, content);
}

export function writeFile(isQuick: boolean, name: string, content: string): void {
  const folder = folderOf(isQuick);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), content);
}

export const note = (sentence: string): unknown => process.stderr.write(`${sentence}\n`);

export const provenance = (): string =>
  `Measured on ${machine()}, ${new Date().toISOString().slice(0, 10)}; seconds are processor time, all work in one process.`;

/** Processor time since the start of the process. */
export function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

export const shortGap = (gap: number): string => (Number.isFinite(gap) ? gap.toExponential(1) : "none");

/** A row of a Markdown table. */
export const row = (...cells: readonly (string | number)[]): string => `| ${cells.join(" | ")} |`;

export const header = (...cells: readonly string[]): string[] => [
  row(...cells),
  row(...cells.map(() => "---")),
];
