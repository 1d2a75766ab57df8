/**
 * What the words of a response column mean: which of two candidates is the nearer one, or that both are equally near. One code is
 * found for the whole column, since a word alone, as 1, may mean either.
 */
import { CurvatureError, optionName, shown } from "@curvature/linalg";

export const FIRST = 0;
export const SECOND = 1;
export const TIE = 2;

/** Of the two words the first says that the first candidate is nearer. */
const codes: readonly (readonly [string, string])[] = [
  ["1", "-1"],
  ["true", "false"],
  ["t", "f"],
  ["yes", "no"],
  ["y", "n"],
  ["left", "right"],
  ["l", "r"],
  ["first", "second"],
  ["1", "2"],
  ["a", "b"],
  ["top", "bottom"],
  ["up", "down"],
  ["arrowleft", "arrowright"],
  ["near", "far"],
];
const ties = new Set([
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

const plain = (word: string): string => {
  const text = word.trim().toLowerCase();
  return /^[+-]?\d+\.0*$/.test(text) ? String(Number(text)) : text.replace(/^\+(?=\d)/, "");
};

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
  readonly isJsPsych: boolean;
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
  { name, words, answers, areSorted, isJsPsych }: AnswerColumn,
  others: readonly string[],
  named: (line: number) => number,
): void {
  const found = others.map(plain);
  const places: readonly (readonly [string, string])[] = [
    isJsPsych || !areSorted ? ["0", "1"] : ["1", "0"],
    ...codes,
  ];
  const code = places.find((each) => found.every((word) => each.includes(word)));
  if (code === undefined) return;
  const side = words.map((word) => code.indexOf(plain(word)));
  if (answers.every((answer, q) => side[answer] < 0 || side[answer] === named(q))) return;
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
  const { name, first, candidates, areSorted, isJsPsych, meant } = column;
  const found = others.map(plain);
  if (first !== undefined) {
    const second = others.filter((word) => plain(word) !== plain(first));
    if (second.length > 1) throw third(column, [first, second[0]]);
    return [first, second[0]];
  }
  const own: readonly (readonly [string, string])[] =
    candidates === undefined ? codes : [[plain(candidates[0]), plain(candidates[1])], ...codes];
  const isAll = (code: readonly string[]): boolean => found.every((word) => code.includes(word));
  if (isAll(["0", "1"])) {
    if (isJsPsych) return ["0", "1"];
    if (areSorted) return ["1", "0"];
    throw new CurvatureError(
      "ERR_PARSE",
      `${shown(name)} holds ${found.map(shown).join(" and ")}, which may be the place of the ${meant} one, from 0, or say whether the first is ${meant}. Say which word stands for the first of the two: ${optionName("first", "0")} or ${optionName("first", "1")}.`,
      { path: name, expected: "a stated code" },
    );
  }
  const code = own.find(isAll);
  if (code !== undefined) return code;
  if (found.length === 2) throw third(column, undefined);
  const best = [...own, ["0", "1"] as const]
    .map((each) => ({ each, count: linesIn(column, each) }))
    .sort((p, q) => q.count - p.count)[0];
  throw third(column, best.count > 0 ? best.each : undefined);
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
