/** Options as TypeScript and as words of the command line. */
export type PlainOptions = Readonly<
  Record<string, string | number | boolean | readonly (string | number)[] | undefined>
>;

/** `{ method: "ee", seed: 1 }`, without what is undefined; "" if nothing is left. */
export function optionsLiteral(options: PlainOptions): string {
  const entries = Object.entries(options).filter(([, value]) => value !== undefined);
  if (entries.length === 0) return "";
  return `{ ${entries.map(([name, value]) => `${name}: ${JSON.stringify(value)}`).join(", ")} }`;
}

/** Flags that are not the option's name in the command line's spelling. */
const flagNames: Readonly<Record<string, string>> = { initialization: "init" };

/** `--method ee --layers 16,2`; true stands as a flag alone. */
export function flagsOf(options: PlainOptions): string {
  const words: string[] = [];
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || value === false) continue;
    const flag = flagNames[name] ?? name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    words.push(value === true ? `--${flag}` : `--${flag} ${shellWord(String(value))}`);
  }
  return words.join(" ");
}

/** A word as a POSIX shell takes it. */
export const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

/** Where code has its data from. */
export interface Source {
  readonly imports: readonly string[];
  readonly data: readonly string[];
}

/** @param options - of the generator, a function of the package of data sets */
export const generatorSource = (generator: string, options: PlainOptions): Source => ({
  imports: [`import { ${generator} } from "@curvature/datasets";`],
  data: [`const { points } = ${generator}(${optionsLiteral(options)});`],
});

export const loadDigitsImport = `import { loadDigits } from "@curvature/datasets/digits";`;
