/**
 * What the words of a column mean that says which of a trial's objects was chosen: one of the objects, one of their columns, or
 * a place among them. It is found for the whole column, since 1 may be an object, the first place or the second.
 */
import { CurvatureError, optionName, shown } from "@curvature/linalg";

export interface ChoiceColumn {
  /** Of the column, for people. */
  readonly name: string;
  readonly lines: number;
  /** The words of a line that say what was chosen. */
  readonly wordsOf: (line: number) => readonly string[];
  /** The objects of a line among which it was. */
  readonly objectsOf: (line: number) => readonly number[];
  /** The object of a word, or −1. */
  readonly objectNamed: (word: string) => number;
  /** The names of the objects' columns. */
  readonly titles: readonly string[];
  /** Whether it is jsPsych's own, which holds the index of a button. */
  readonly areButtons: boolean;
  readonly response: "auto" | "object" | "side";
  /** The word that stands for the first place, where it is stated. */
  readonly first: string | undefined;
}

/** Of a line and one of its words the place of the object that is meant, from 0. */
type Placed = (line: number, word: string) => number;

interface Places {
  readonly place: Placed;
  /** What the words are, for people. */
  readonly are: string;
}

const plain = (word: string): string => word.trim().toLowerCase();
/** Programs write whole numbers with a point where cells of their column are empty. */
const wholeIn = (word: string): number => (/^\d{1,3}(\.0*)?$/.test(word.trim()) ? Number(word) : Number.NaN);

/** @throws CurvatureError ERR_PARSE for words that name nothing of their line, or that can be read in two ways */
export function placesOf(column: ChoiceColumn): Places {
  const { lines, wordsOf, objectsOf, objectNamed, response } = column;
  const titles = column.titles.map(plain);
  const byObject: Placed = (line, word) => {
    const object = objectNamed(word);
    return object < 0 ? -1 : objectsOf(line).indexOf(object);
  };
  const byTitle: Placed = (_, word) => titles.indexOf(plain(word));
  const every = (placed: Placed): boolean => {
    for (let line = 0; line < lines; line++)
      for (const word of wordsOf(line)) if (placed(line, word) < 0) return false;
    return true;
  };
  const byPlace = numbered(column);
  const areObjects = response !== "side" && every(byObject);
  if (areObjects) {
    if (response === "auto") for (const place of placesIn(byPlace)) checkSame(column, byObject, place);
    return { place: byObject, are: "objects" };
  }
  if (new Set(titles).size === titles.length && every(byTitle)) return { place: byTitle, are: "columns" };
  if (byPlace === "either" && response !== "object")
    throw new CurvatureError(
      "ERR_PARSE",
      `${shown(column.name)} holds places, which may be counted from 0 or from 1. Say which stands for the first: ${optionName("first", "0")} or ${optionName("first", "1")}.`,
      { path: column.name, expected: "a stated place" },
    );
  if (typeof byPlace === "object" && response !== "object") return byPlace;
  const place: Placed = (line, word) => {
    const at = byObject(line, word);
    return at < 0 ? byTitle(line, word) : at;
  };
  return { place, are: "objects, or their columns" };
}

/** Places as numbers from 0 or 1; "either" where the numbers do not say from which; undefined if they are none. */
function numbered({
  lines,
  wordsOf,
  objectsOf,
  first,
  areButtons,
}: ChoiceColumn): Places | "either" | undefined {
  const stated = first === undefined ? undefined : wholeIn(first);
  let [fromZero, fromOne] = [stated !== 1, stated !== 0];
  let [hasZero, hasLast] = [false, false];
  for (let line = 0; line < lines; line++) {
    const count = objectsOf(line).length;
    for (const word of wordsOf(line)) {
      const n = wholeIn(word);
      if (Number.isNaN(n)) return undefined;
      if (n >= count) fromZero = false;
      if (n < 1 || n > count) fromOne = false;
      if (n === 0) hasZero = true;
      if (n === count) hasLast = true;
    }
  }
  if (!fromZero && !fromOne) return undefined;
  const isSaid = stated === 0 || stated === 1 || hasZero || hasLast;
  if (!isSaid && !areButtons) return "either";
  const base = fromZero ? 0 : 1;
  return { place: (_, word) => wholeIn(word) - base, are: `places, counted from ${base}` };
}

/** The places that numbers may be. */
const placesIn = (byPlace: Places | "either" | undefined): readonly Placed[] =>
  byPlace === undefined
    ? []
    : byPlace === "either"
      ? [0, 1].map((base) => (_: number, word: string) => wholeIn(word) - base)
      : [byPlace.place];

/** Objects that are called 1, 2, 3 may be places as well. */
function checkSame({ name, lines, wordsOf }: ChoiceColumn, byObject: Placed, byPlace: Placed): void {
  for (let line = 0; line < lines; line++)
    for (const word of wordsOf(line))
      if (byObject(line, word) !== byPlace(line, word))
        throw new CurvatureError(
          "ERR_PARSE",
          `${shown(name)} holds numbers, which may be objects or their places. Say which: ${optionName("response", "object")} or ${optionName("response", "side")}.`,
          { path: name, expected: "a stated code" },
        );
}
