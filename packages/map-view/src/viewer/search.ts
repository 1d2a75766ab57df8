/** Rows by words: in names and in all that is known of them, whatever the case and the accents. */
import type { Payload } from "./payload.js";

/** Letters without case and accents: "Älvsjö" is found by "alvsjo". */
const plain = (text: string): string => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

/**
 * A function from what is typed to the rows that have it, or where none has, to those with all of its words; rows whose name
 * begins with it come first.
 * Nothing but blanks finds nothing.
 */
export function searchIn({ names, columns, classOf }: Payload): (query: string) => number[] {
  const called = classOf.map((_, n) => plain(names?.[n] ?? ""));
  const texts = called.map((name, n) => [name, ...columns.map(({ values }) => plain(values[n]))].join("\n"));
  return (query) => {
    const whole = plain(query.trim());
    if (whole === "") return [];
    const having = (words: readonly string[]): number[] =>
      texts.flatMap((text, n) => (words.every((word) => text.includes(word)) ? [n] : []));
    const exact = having([whole]);
    const found = exact.length > 0 ? exact : having(whole.split(/\s+/));
    const rank = (n: number): number =>
      called[n] === whole ? 0 : called[n].startsWith(whole) ? 1 : called[n].includes(whole) ? 2 : 3;
    return found.sort((a, b) => rank(a) - rank(b) || a - b);
  };
}
