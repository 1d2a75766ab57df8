/** What can be wrong with a LIBSVM text, as sentences that name the line. */
import { CurvatureError, shown } from "@curvature/linalg";
import { namesMissing, namesNonFinite } from "./table.js";

/** The largest index: one more and a matrix with it has too many columns for 31 bits. */
export const largestIndex = 2 ** 31 - 2;

const lenient = new TextDecoder();
const shownBytes = 60;

function textOf(bytes: Uint8Array): string {
  const text = lenient.decode(bytes.subarray(0, shownBytes));
  return bytes.length > shownBytes ? `${text}...` : text;
}

function refusal(
  code: "ERR_PARSE" | "ERR_NON_FINITE",
  line: number,
  sentence: string,
  expected: string,
  received: unknown,
): CurvatureError {
  return new CurvatureError(code, `Line ${line} ${sentence}`, { path: `line ${line}`, expected, received });
}

/** A word behind the label that is not index:value. */
export function badIndex(line: number, bytes: Uint8Array): CurvatureError {
  const word = textOf(bytes);
  const index = /^([+-]?\d+):/.exec(word)?.[1];
  if (index?.startsWith("-")) {
    return refusal(
      "ERR_PARSE",
      line,
      `has the index ${index}. Indices are whole numbers, counted from 0 or 1.`,
      "an index of at least 0",
      index,
    );
  }
  if (index !== undefined && Number(index) > largestIndex) {
    return refusal(
      "ERR_PARSE",
      line,
      `has the index ${index}, the largest possible is ${largestIndex}. Number the features anew.`,
      `an index of at most ${largestIndex}`,
      index,
    );
  }
  return refusal(
    "ERR_PARSE",
    line,
    `has ${shown(word)} where index:value was expected. Write every feature as its number, a colon and its value, with blanks between.`,
    "index:value",
    word,
  );
}

/** @param value - what the text reads as: NaN if it is no number */
export function badValue(line: number, index: number, bytes: Uint8Array, value: number): CurvatureError {
  const text = textOf(bytes);
  const remedy = "Fill in or leave out such entries.";
  if (namesMissing(text)) {
    const what = text === "" ? "without a value" : `with ${shown(text)}, a missing value`;
    return refusal(
      "ERR_NON_FINITE",
      line,
      `has feature ${index} ${what}. ${remedy}`,
      "a finite number",
      text,
    );
  }
  if (namesNonFinite(text) || !Number.isFinite(Number.isNaN(value) ? 0 : value)) {
    const sentence = `has feature ${index} with ${shown(text)}, which is not a finite number. ${remedy}`;
    return refusal("ERR_NON_FINITE", line, sentence, "a finite number", text);
  }
  if (!Number.isNaN(value)) {
    const sentence = `has feature ${index} with ${shown(text)}, too large for single precision. Scale the data, or read them in double precision.`;
    return refusal("ERR_NON_FINITE", line, sentence, "a number of at most 3.4e38", text);
  }
  return refusal(
    "ERR_PARSE",
    line,
    `has feature ${index} with ${shown(text)}, which is not a number. Correct it.`,
    "a number",
    text,
  );
}

export function repeatedFeature(line: number, index: number): CurvatureError {
  return refusal(
    "ERR_PARSE",
    line,
    `has feature ${index} twice. Keep one of them.`,
    "every index once a line",
    index,
  );
}

export function zeroIndex(line: number): CurvatureError {
  return refusal(
    "ERR_PARSE",
    line,
    "has index 0, but the indices are counted from 1. Read them with indexBase 0 if they are counted from 0.",
    "an index of at least 1",
    0,
  );
}

/** @param what - what the word is instead of one label */
export function badLabel(
  line: number,
  bytes: Uint8Array,
  what: "feature" | "several" | "number",
): CurvatureError {
  const word = textOf(bytes);
  if (what === "feature") {
    const sentence = `begins with ${shown(word)}, so its label is missing. Put a label (any number, if there is none) in front.`;
    return refusal("ERR_PARSE", line, sentence, "a label", word);
  }
  if (what === "several") {
    const sentence = `has the label ${shown(word)}. Rows with several labels, and commas in labels, are not supported; give each row one label.`;
    return refusal("ERR_PARSE", line, sentence, "one label", word);
  }
  const value = Number(word);
  if (namesNonFinite(word) || (word !== "" && Math.abs(value) === Number.POSITIVE_INFINITY)) {
    const sentence = `has the label ${shown(word)}, which is not a finite number. Give every row a label.`;
    return refusal("ERR_NON_FINITE", line, sentence, "a finite number", word);
  }
  const sentence = `has the label ${shown(word)}, but the labels before it are numbers. Give either numbers or words.`;
  return refusal("ERR_PARSE", line, sentence, "a number", word);
}

export function longWord(line: number, most: number): CurvatureError {
  return refusal(
    "ERR_PARSE",
    line,
    `has more than ${most} bytes without a blank. Give LIBSVM text: a label and index:value pairs with blanks between.`,
    `at most ${most} bytes`,
    undefined,
  );
}
