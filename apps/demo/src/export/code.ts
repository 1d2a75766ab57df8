/** Options as TypeScript and as words of the command line. */
export type PlainOptions = Readonly<
  Record<string, string | number | boolean | readonly number[] | undefined>
>;

/** `{ method: "ee", seed: 1 }`, without what is undefined; "" if nothing is left. */
export function optionsLiteral(options: PlainOptions): string {
  const entries = Object.entries(options).filter(([, value]) => value !== undefined);
  if (entries.length === 0) return "";
  return `{ ${entries.map(([name, value]) => `${name}: ${JSON.stringify(value)}`).join(", ")} }`;
}

/** `--method ee --layers 16,2`; true stands as a flag alone. Names are those of the command line. */
export function flagsOf(options: PlainOptions): string {
  const words: string[] = [];
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || value === false) continue;
    words.push(value === true ? `--${name}` : `--${name} ${shellWord(String(value))}`);
  }
  return words.join(" ");
}

/** A word as a POSIX shell takes it. */
export const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
