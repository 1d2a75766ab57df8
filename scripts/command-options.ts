/**
 * Options of the programs in this folder that take some. A word that is not known, a value that makes no sense: one
 * sentence and exit code 64. `--help`: the comment with which the program's file opens.
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";

/** @param file - the program's `import.meta.url` */
export function commandOptions<Name extends string>(
  file: string,
  defaults: Readonly<Record<Name, string>>,
): Record<Name, string> {
  const options = Object.fromEntries(
    Object.keys(defaults).map((name) => [name, { type: "string" } as const]),
  );
  try {
    const { help, ...given } = parseArgs({ options: { ...options, help: { type: "boolean" } } }).values;
    if (help === true) {
      process.stdout.write(headOf(file));
      process.exit(0);
    }
    return { ...defaults, ...given };
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
}

function headOf(file: string): string {
  const [head] = readFileSync(new URL(file), "utf8").split("*/");
  return head.replace(/^\/\*\*\n/, "").replaceAll(/^ \*? ?/gm, "");
}

export function refuse(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(64);
}

/** A whole number from `least` to `most`. */
export function wholeNumber(option: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value) || value < least || value > most)
    refuse(`--${option} must be a whole number from ${least} to ${most}; received "${text}".`);
  return value;
}

/** Those whose name contains `part`, one at least. */
export function matching<T extends { readonly name: string }>(
  all: readonly T[],
  option: string,
  part: string,
): T[] {
  const chosen = all.filter(({ name }) => name.includes(part));
  if (chosen.length === 0)
    refuse(`--${option}: no name contains "${part}"; there are ${all.map(({ name }) => name).join(", ")}.`);
  return chosen;
}
