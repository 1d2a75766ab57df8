/** Rows for linear models, and what the command reports of a training on them. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { expect } from "vitest";
import type { Workplace } from "./cli.js";

export const fixture = (name: string): string =>
  fileURLToPath(
    new URL(`../../../packages/optim-sgdqn/test/fixtures/linear/${name}.svm.gz`, import.meta.url),
  );
export const textOf = (name: string): string => gunzipSync(readFileSync(fixture(name))).toString();
export const linesOf = (text: string): string[] => text.trimEnd().split("\n");

export async function reportOf(
  place: Workplace,
  name: string,
  words: readonly string[],
): Promise<Record<string, Record<string, unknown>>> {
  const ended = await place.run(["train", ...words, "--quiet", "--report", name]);
  expect(ended.stderr).toBe("");
  expect(ended.code).toBe(0);
  return JSON.parse(place.read(name));
}

/** Two classes that a line parts, as LIBSVM text. */
export const parted = (rows: number, names: readonly [string, string] = ["-1", "+1"]): string =>
  Array.from({ length: rows }, (_, i) => {
    const x = ((i * 7919) % 1000) / 500 - 1;
    const y = ((i * 104_729) % 1000) / 500 - 1;
    return `${names[x + 2 * y > 0.1 ? 1 : 0]} 1:${x} 2:${y}\n`;
  }).join("");
