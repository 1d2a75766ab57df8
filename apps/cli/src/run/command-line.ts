/** Command lines to be typed: words as a shell takes them. */

const plain = /^[\w@%+=:,./-]+$/;

const quoted = (word: string): string =>
  plain.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;

/** @param words - what stands behind the program's name */
export const commandLine = (words: readonly string[]): string =>
  ["npx @curvature/cli", ...words.map(quoted)].join(" ");

/** The words with these flags, each in place of what it was before. */
export function withFlags(words: readonly string[], flags: readonly (readonly [string, string])[]): string[] {
  const isChanged = (word: string | undefined): boolean => flags.some(([flag]) => word === flag);
  const kept = words.filter(
    (word, k) => !isChanged(word) && !isChanged(words[k - 1]) && !isChanged(word.split("=", 1)[0]),
  );
  return [...kept, ...flags.flat()];
}
