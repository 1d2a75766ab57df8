/**
 * Words that answers are coded by. One list serves the columns that say which of two is nearer and the ones that nobody uses and
 * that look as if they did.
 */

/** Of the two words the first stands for the first place, by left and right as by number. */
interface Code {
  readonly words: readonly [string, string];
  /** What the words are about: columns that are named by words of the same kind say themselves which is which. */
  readonly about: "amount" | "truth" | "across" | "down" | "order" | "letter" | "nearness";
}

export const codes: readonly Code[] = [
  { words: ["1", "-1"], about: "amount" },
  { words: ["left", "right"], about: "across" },
  { words: ["l", "r"], about: "across" },
  { words: ["arrowleft", "arrowright"], about: "across" },
  { words: ["leftarrow", "rightarrow"], about: "across" },
  { words: ["first", "second"], about: "order" },
  { words: ["1", "2"], about: "order" },
  { words: ["a", "b"], about: "letter" },
  { words: ["top", "bottom"], about: "down" },
  { words: ["up", "down"], about: "down" },
  { words: ["arrowup", "arrowdown"], about: "down" },
  { words: ["near", "far"], about: "nearness" },
];

/** Whether something is so; of what, the words do not say: "chose the right one" and "chose the left one" look alike. */
export const truths: readonly (readonly [yes: string, no: string])[] = [
  ["1", "0"],
  ["true", "false"],
  ["t", "f"],
  ["yes", "no"],
  ["y", "n"],
];

export const ties: ReadonlySet<string> = new Set([
  "tie",
  "ties",
  "tied",
  "equal",
  "equally near",
  "equally far",
  "same",
  "both",
  "neither",
  "draw",
  "=",
]);

/** A word without its spelling: 1.0 and +1 are 1, Arrow Left is arrowleft. */
export const plainWord = (word: string): string => {
  const text = word.trim().toLowerCase();
  if (/^[+-]?\d+\.0*$/.test(text)) return String(Number(text));
  const arrow = text.replaceAll(/[\s_-]/g, "");
  return arrow.startsWith("arrow") || arrow.endsWith("arrow") ? arrow : text.replace(/^\+(?=\d)/, "");
};

/** Keys that people press for one of two; which is which only the experiment knows. */
const keys: readonly (readonly [string, string])[] = [
  ["f", "j"],
  ["d", "k"],
  ["z", "m"],
  ["q", "p"],
  ["37", "39"],
  ["38", "40"],
];

/** Whether words, up to ties, are the two of a code. */
export function areCoded(words: Iterable<string>): boolean {
  const others = [...words].map(plainWord).filter((word) => !ties.has(word));
  if (others.length === 0 || others.length > 2) return false;
  return [...codes.map((code) => code.words), ...truths, ...keys].some((pair) =>
    others.every((word) => pair.includes(word)),
  );
}

/** The words in a column's name: rightImg, right_img and "img right" have "right"; option2 has "2". */
const partsOf = (title: string): ReadonlySet<string> =>
  new Set(
    title
      .replaceAll(/([a-z])([A-Z0-9])/g, "$1 $2")
      .replaceAll(/(\d)([A-Za-z])/g, "$1 $2")
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u),
  );

/**
 * In which order two columns are, by words about something in their names: 1 as the words are, -1 the other way round, 0 if
 * the names do not say, NaN if one name says that it stands at the other's place, and the other nothing.
 */
function orderBy(about: Code["about"], titles: readonly [string, string]): number {
  const [first, second] = titles.map(partsOf);
  const has = (parts: ReadonlySet<string>, place: 0 | 1): boolean =>
    codes.some((code) => code.about === about && parts.has(code.words[place]));
  const placeOf = (parts: ReadonlySet<string>): number => Number(has(parts, 1)) - Number(has(parts, 0));
  const [p, q] = [placeOf(first), placeOf(second)];
  if (p === -1 && q === 1) return 1;
  if (p === 1 && q === -1) return -1;
  return p === 1 || q === -1 ? Number.NaN : 0;
}

/**
 * The two words of a code in the order of the columns: left and right follow columns that are called so.
 *
 * @returns undefined if the names of the columns contradict the code
 */
export function followed(
  { words, about }: Code,
  titles: readonly [string, string] | undefined,
): readonly [string, string] | undefined {
  if (titles === undefined) return words;
  const own = about === "amount" ? 0 : orderBy(about, titles);
  if (own === 1) return words;
  if (own === -1) return [words[1], words[0]];
  const others = codes.map((code) => (code.about === about ? 0 : orderBy(code.about, titles)));
  return Number.isNaN(own) || others.includes(-1) ? undefined : words;
}
