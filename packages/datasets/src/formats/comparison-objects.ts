/**
 * What the words of a table of comparisons are, taken together: indices of objects, or names.
 */
import { CurvatureError, nearestName, optionName, shown } from "@curvature/linalg";
import { namesMissing, namesNonFinite } from "./table.js";

/** The objects' indices are Int32. */
export const mostObjects = 2 ** 31 - 1;

/** A word that stands for an object, and where it stood first. */
export interface Word {
  readonly text: string;
  readonly line: number;
  readonly column: number;
}

export interface Objects {
  /** Their number. */
  readonly objects: number;
  readonly names: readonly string[] | undefined;
  /** The object of each word. */
  readonly indexOf: Int32Array;
  readonly warnings: readonly string[];
}

interface Naming {
  readonly objects: "auto" | "indices" | "names";
  readonly known: readonly string[] | number | undefined;
}

/**
 * @param words - each once, in the order of their first appearance
 * @throws CurvatureError ERR_PARSE, ERR_NON_FINITE
 */
export function objectsOf(words: readonly Word[], { objects, known }: Naming): Objects {
  if (typeof known === "object") {
    const names = new Map(known.map((name, object) => [name, object]));
    const foreign = objects !== "names" && words.every(({ text }) => isNumeric(text) && !names.has(text));
    if (objects !== "indices" && !foreign) return knownObjects(words, known, names);
    return { ...indexedObjects(words, known.length), names: known };
  }
  if (objects === "names") return namedObjects(words, []);
  const missing = words.find(({ text }) => namesMissing(text) || namesNonFinite(text));
  if (missing !== undefined) throw noObject(missing);
  const numbers = words.filter(({ text }) => isNumeric(text));
  if (objects === "indices" || typeof known === "number" || numbers.length === words.length) {
    return indexedObjects(words, typeof known === "number" ? known : undefined);
  }
  return namedObjects(words, numbers.length > 0 ? [mixture(words, numbers)] : []);
}

const namedObjects = (words: readonly Word[], warnings: readonly string[]): Objects => ({
  objects: words.length,
  names: words.map(({ text }) => text),
  indexOf: Int32Array.from(words.keys()),
  warnings,
});

function knownObjects(
  words: readonly Word[],
  names: readonly string[],
  index: ReadonlyMap<string, number>,
): Objects {
  const indexOf = Int32Array.from(words, (word) => {
    const object = index.get(word.text);
    if (object !== undefined) return object;
    const nearest = nearestName(word.text, names.slice(0, 1000));
    const hint =
      nearest === undefined ? "Give the names as they are there." : `Did you mean ${shown(nearest)}?`;
    throw new CurvatureError(
      "ERR_PARSE",
      `The cell at ${placeOf(word)} is ${shown(word.text)}, which is none of the ${names.length} objects. ${hint}`,
      { path: placeOf(word), expected: "a known object", received: word.text.slice(0, 60) },
    );
  });
  return { objects: names.length, names, indexOf, warnings: [] };
}

function indexedObjects(words: readonly Word[], known: number | undefined): Objects {
  const limit = known ?? mostObjects;
  let largest = 0;
  const indexOf = Int32Array.from(words, (word, k) => {
    const index = isNumeric(word.text) ? Number(word.text) : Number.NaN;
    if (!Number.isSafeInteger(index) || index < 0 || index >= limit) throw badIndex(word, index, known);
    if (index > Number(words[largest].text)) largest = k;
    return index;
  });
  const objects = known ?? indexOf[largest] + 1;
  if (known === undefined && objects > 16 * words.length + 2 ** 20) throw sparseIndices(words, largest);
  return { objects, names: undefined, indexOf, warnings: [] };
}

function badIndex(word: Word, index: number, known: number | undefined): CurvatureError {
  const where = placeOf(word);
  const content = shown(word.text);
  const expected =
    known === undefined
      ? `a whole number from 0 to ${mostObjects - 1}`
      : `a whole number from 0 to ${known - 1}, since there are ${known} objects`;
  const why = Number.isNaN(index) ? "is no number" : `cannot be an object's index`;
  return new CurvatureError(
    "ERR_PARSE",
    `The cell at ${where} is ${content}, which ${why}: it must be ${expected}, counted from 0. If the objects have names, let ${optionName("objects")} say so.`,
    { path: where, expected, received: word.text.slice(0, 60) },
  );
}

/** Identifiers from elsewhere: as many objects as the largest of them says would fill the memory with nothing. */
function sparseIndices(words: readonly Word[], largest: number): CurvatureError {
  const word = words[largest];
  return new CurvatureError(
    "ERR_PARSE",
    `The cell at ${placeOf(word)} is ${word.text}, but only ${words.length} objects occur. If these numbers are identifiers and no indices from 0, let ${optionName("objects")} take them as names.`,
    { path: placeOf(word), received: word.text },
  );
}

function noObject(word: Word): CurvatureError {
  const place = placeOf(word);
  return new CurvatureError(
    "ERR_NON_FINITE",
    `The cell at ${place} is ${shown(word.text)}, which names no object. Remove such lines; if it is a name, let ${optionName("objects")} say so.`,
    { path: place, expected: "an object", received: word.text.slice(0, 60) },
  );
}

function mixture(words: readonly Word[], numbers: readonly Word[]): string {
  const name = words.find((word) => !isNumeric(word.text)) ?? words[0];
  return (
    `All ${words.length} objects are taken by their names, although ${numbers.length} of these ${numbers.length === 1 ? "is a number" : "are numbers"}: ` +
    `${shown(name.text)} at ${placeOf(name)} is none.`
  );
}

const placeOf = ({ line, column }: Word): string => `line ${line}, column ${column + 1}`;

export const isNumeric = (word: string): boolean =>
  /^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(word.slice(0, 60)) && word.length <= 60;
