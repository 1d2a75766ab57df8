/**
 * What the words of a response column mean: which of two candidates is the nearer one, or that both are equally near. One code is
 * found for the whole column, since a word alone, as 1, may mean either.
 */
import { CurvatureError, optionName, shown } from "@curvature/linalg";
import { codes, followed, plainWord as plain, ties, truths } from "./answer-words.js";

export const FIRST = 0;
export const SECOND = 1;
export const TIE = 2;

export interface AnswerColumn {
  /** Of the column, for people. */
  readonly name: string;
  /** The different words in it. */
  readonly words: readonly string[];
  /** Of each line the place of its word. */
  readonly answers: Int32Array;
  readonly lines: Int32Array;
  /** The names of the candidates' columns. */
  readonly candidates: readonly [string, string] | undefined;
  /** Whether the word of a line is the name of its first (0) or second (1) candidate; −1 if neither. */
  readonly named: ((line: number) => number) | undefined;
  /** Whether the columns' names say that the first candidate is nearer. */
  readonly areSorted: boolean;
  /** Whether it is jsPsych's own, which holds the index of a button. */
  readonly areButtons: boolean;
  /** What it says of the object, or the pair, that it names. */
  readonly meant: "nearer" | "farther";
  /** Whether its words are objects or sides. */
  readonly response: "auto" | "object" | "side";
  /** The word that says that the first candidate is nearer, and the one for ties, where they are stated. */
  readonly first: string | undefined;
  readonly tie: string | undefined;
}

export interface Decoded {
  /** Of each line FIRST, SECOND or TIE. */
  readonly sides: Uint8Array;
  /** How it was read. */
  readonly note: string;
}

/** Words that name the candidates of every line may be sides as well, where objects are called 1 and 2. */
function checkNames(
  { name, words, answers, areSorted, areButtons, candidates }: AnswerColumn,
  others: readonly string[],
  named: (line: number) => number,
): void {
  const found = others.map(plain);
  const fits = (code: readonly string[]): boolean => found.every((word) => code.includes(word));
  const truth = truths.find(fits);
  const code = codes.find((each) => fits(each.words));
  if (truth === undefined && code === undefined) return;
  // the names of objects that are called so, wherever they stand, agree with one order of the code alone
  const order = code && followed(code, candidates);
  const orders = truth === undefined ? [order ?? []] : truthsIn(truth, { areSorted, areButtons });
  const agrees = (places: readonly string[]): boolean => {
    const side = words.map((word) => places.indexOf(plain(word)));
    return places.length === 2 && answers.every((answer, q) => side[answer] < 0 || side[answer] === named(q));
  };
  if (orders.every(agrees)) return;
  throw new CurvatureError(
    "ERR_PARSE",
    `${shown(name)} holds ${found.map(shown).join(" and ")}, which may be objects or sides. Say which: ${optionName("response", "object")} or ${optionName("response", "side")}.`,
    { path: name, expected: "a stated code" },
  );
}

/** @throws CurvatureError ERR_PARSE for words of no code, and for those that may be read in two ways */
export function decodedAnswers(column: AnswerColumn): Decoded {
  const { words, answers, named, name, tie } = column;
  const isTie = words.map((word) =>
    tie === undefined ? ties.has(plain(word)) && !isCandidate(column, word) : plain(word) === plain(tie),
  );
  const sides = new Uint8Array(answers.length);
  const fill = (sideOf: (line: number) => number): Uint8Array => {
    for (let q = 0; q < sides.length; q++) sides[q] = isTie[answers[q]] ? TIE : sideOf(q);
    return sides;
  };
  const others = words.filter((_, k) => !isTie[k]);
  if (column.first === undefined && named !== undefined && column.response !== "side") {
    let isNamed = others.length > 0;
    for (let q = 0; q < answers.length && isNamed; q++) isNamed = isTie[answers[q]] || named(q) >= 0;
    if (isNamed && column.response === "auto") checkNames(column, others, named);
    if (!isNamed && column.response === "object") throw third(column, undefined);
    if (isNamed)
      return { sides: fill(named), note: `${shown(name)} holds the name of the ${column.meant} object.` };
  }
  if (others.length === 0)
    return {
      sides: fill(() => TIE),
      note: `${shown(name)} holds ties only: nobody says which of two is ${column.meant}.`,
    };
  const code = codeOf(column, others);
  const [first] = code;
  const sideOf = words.map((word) => (plain(word) === plain(first) ? FIRST : SECOND));
  return {
    sides: fill((q) => sideOf[answers[q]]),
    note: `${shown(name)}: ${shown(first)} says that the first of the two is ${column.meant}${code[1] === undefined ? "" : `, ${shown(code[1])} that the second is`}.`,
  };
}

const isCandidate = ({ candidates }: AnswerColumn, word: string): boolean =>
  candidates?.some((each) => plain(each) === plain(word)) ?? false;

function codeOf(column: AnswerColumn, others: readonly string[]): readonly [string, string | undefined] {
  const { first, candidates, areSorted, areButtons, meant } = column;
  const found = others.map(plain);
  if (first !== undefined) {
    const second = others.filter((word) => plain(word) !== plain(first));
    if (second.length > 1) throw third(column, [first, second[0]]);
    return [first, second[0]];
  }
  const isAll = (code: readonly string[]): boolean => found.every((word) => code.includes(word));
  const titles = candidates && ([plain(candidates[0]), plain(candidates[1])] as const);
  if (titles !== undefined && isAll(titles)) return titles;
  const truth = truths.find(isAll);
  if (truth !== undefined) {
    const orders = truthsIn(truth, { areSorted, areButtons });
    if (orders.length === 1) return orders[0];
    const others = truth.includes("0") ? `be the place of the ${meant} one, from 0, or ` : "";
    throw unclear(
      column,
      truth,
      `may ${others}say whether the first is ${meant}, or the second, or whether the answer is right`,
    );
  }
  const code = codes.find(({ words: each }) => isAll(each));
  if (code !== undefined) {
    const order = followed(code, candidates);
    if (order !== undefined) return order;
    throw unclear(
      column,
      code.words,
      `do not agree with the names ${(candidates ?? []).map(shown).join(" and ")} of the columns in this order`,
    );
  }
  if (found.length === 2) throw third(column, undefined);
  const best = [...(titles === undefined ? [] : [titles]), ...codes.map(({ words: each }) => each), ...truths]
    .map((each) => ({ each, count: linesIn(column, each) }))
    .sort((p, q) => q.count - p.count)[0];
  throw third(column, best.count > 0 ? best.each : undefined);
}

/** The orders in which yes and no may say of the first of two that it is nearer; one where names say so. */
function truthsIn(
  [yes, no]: readonly [string, string],
  { areSorted, areButtons }: Pick<AnswerColumn, "areSorted" | "areButtons">,
): (readonly [string, string])[] {
  const isButton = areButtons && no === "0";
  if (areSorted && !isButton) return [[yes, no]];
  if (isButton && !areSorted) return [[no, yes]];
  return [
    [yes, no],
    [no, yes],
  ];
}

function unclear(
  { name, words }: AnswerColumn,
  code: readonly [string, string],
  what: string,
): CurvatureError {
  const written = (word: string): string => words.find((each) => plain(each) === word) ?? word;
  const found = code.filter((word) => words.some((each) => plain(each) === word)).map(written);
  return new CurvatureError(
    "ERR_PARSE",
    `${shown(name)} holds ${found.toSorted().map(shown).join(" and ")}, which ${what}. Say which word stands for the first of the two: ${code
      .map(written)
      .toSorted()
      .map((word) => optionName("first", word))
      .join(" or ")}.`,
    { path: name, expected: "a stated code" },
  );
}

function linesIn({ words, answers }: AnswerColumn, code: readonly string[]): number {
  const isIn = words.map((word) => code.includes(plain(word)));
  return answers.reduce((count, answer) => count + Number(isIn[answer]), 0);
}

/** A word that is neither of two. */
function third(
  { name, words, answers, lines, named, tie }: AnswerColumn,
  code: readonly string[] | undefined,
): CurvatureError {
  const known = new Set(code?.map(plain));
  const q = answers.findIndex((answer, line) => {
    const word = plain(words[answer]);
    if (ties.has(word) || (tie !== undefined && word === plain(tie))) return false;
    return code === undefined ? (named?.(line) ?? -1) < 0 : !known.has(word);
  });
  const word = words[answers[Math.max(q, 0)]];
  const others = words.filter((each) => !ties.has(plain(each)));
  const strays = named === undefined ? [] : [...lines.keys()].filter((line) => named(line) < 0);
  if (code === undefined && strays.length < lines.length / 2)
    return new CurvatureError(
      "ERR_PARSE",
      `Line ${lines[q]}: ${shown(name)} is ${shown(word)}, which is neither of the two, as on ${strays.length} of ${lines.length} lines; the others name one of their two. Correct these lines, or remove them.`,
      { path: `line ${lines[q]}`, received: word },
    );
  const [place, subject] = [
    `line ${lines[Math.max(q, 0)]}`,
    `Line ${lines[Math.max(q, 0)]}: ${shown(name)} is ${shown(word)}`,
  ];
  const sentence =
    code !== undefined
      ? `${subject} beside ${code.map(shown).join(" and ")}. If it says that both are equally near, write ${optionName("tie", word)}; leave such lines out by ${optionName("where")}.`
      : others.length === 2
        ? `${subject}, beside ${shown(others.find((each) => each !== word) ?? "")}. Say which of the two stands for the first candidate: ${optionName("first", others[0])} or ${optionName("first", others[1])}.`
        : `${subject}, which names neither candidate. An answer is one of two words (1 and -1, left and right, ...), or the name of the nearer object or of its column. Say which word stands for the first of the two, ${optionName("first", "...")}, and which for a tie, ${optionName("tie", "...")}.`;
  return new CurvatureError("ERR_PARSE", sentence, { path: place, received: word });
}
