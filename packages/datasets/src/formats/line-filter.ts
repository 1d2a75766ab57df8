/** Which lines of a table are used: by what stands in their columns. */
import { CurvatureError, optionName, shown } from "@curvature/linalg";

export interface Condition {
  readonly column: string;
  readonly value: string;
  readonly isEqual: boolean;
}

const form = /^\s*(.+?)\s*(!?=)\s*(.*?)\s*$/s;

/** "column=value" or "column!=value"; undefined for what is neither. */
export function conditionOf(text: string): Condition | undefined {
  const [, column, sign, value] = form.exec(text) ?? [];
  return column === undefined || value === undefined ? undefined : { column, value, isEqual: sign === "=" };
}

/** "column", or "column=value" with the word that marks a test. */
export function splitChoice(
  text: string | undefined,
): { readonly column: string; readonly value: string | undefined } | undefined {
  if (text === undefined) return undefined;
  const condition = conditionOf(text);
  return condition === undefined ? { column: text, value: undefined } : condition;
}

const same = (cell: string, value: string): boolean =>
  cell.trim() === value || (cell.trim() !== "" && value !== "" && Number(cell) === Number(value));

export interface LineFilter {
  takes(cells: readonly string[]): boolean;
  /** @throws CurvatureError where no line was taken */
  check(): void;
}

/** @param columnOf - its index */
export function lineFilter(conditions: readonly Condition[], columnOf: (name: string) => number): LineFilter {
  const each = conditions.map((condition) => ({
    ...condition,
    index: columnOf(condition.column),
    words: new Set<string>(),
    isMet: false,
  }));
  let taken = 0;
  return {
    takes(cells) {
      let isTaken = true;
      for (const condition of each) {
        const { index, value, isEqual, words } = condition;
        if (words.size < 6) words.add(cells[index]);
        const isSame = same(cells[index], value);
        if (isSame) condition.isMet = true;
        if (isSame !== isEqual) isTaken = false;
      }
      if (isTaken) taken++;
      return isTaken;
    },
    check() {
      const unknown = each.find(({ isMet, isEqual }) => !isMet && !isEqual);
      if (unknown !== undefined)
        throw new CurvatureError(
          "ERR_OPTION",
          `No line has ${unknown.column}=${unknown.value}, which ${optionName("where")} leaves out. ${shown(unknown.column)} holds ${[...unknown.words].slice(0, 5).map(shown).join(", ")}${unknown.words.size > 5 ? ", ..." : ""}.`,
          { path: "where", received: `${unknown.column}!=${unknown.value}` },
        );
      if (taken > 0) return;
      const { column, value, isEqual, words } = each[0];
      throw new CurvatureError(
        "ERR_OPTION",
        `No line has ${each.map((one) => `${one.column}${one.isEqual ? "=" : "!="}${one.value}`).join(" and ")}, as ${optionName("where")} asks. ${shown(column)} holds ${[...words].slice(0, 5).map(shown).join(", ")}${words.size > 5 ? ", ..." : ""}.`,
        { path: "where", received: `${column}${isEqual ? "=" : "!="}${value}` },
      );
    },
  };
}

const testWords = new Set([
  "test",
  "testing",
  "validation",
  "valid",
  "val",
  "holdout",
  "held-out",
  "held_out",
  "heldout",
  "eval",
]);
const trainWords = new Set(["train", "training", "fit", "learn"]);

/**
 * Which words of a column that divides the lines mark the test's.
 *
 * @throws CurvatureError ERR_PARSE for a column of one word; ERR_OPTION where the words do not say which is which
 */
export function testMarks(
  column: string,
  value: string | undefined,
  words: readonly string[],
): readonly boolean[] {
  if (words.length < 2)
    throw new CurvatureError(
      "ERR_PARSE",
      `${shown(column)} holds ${words.map(shown).join("")} on every line, and divides nothing. Name another column with ${optionName("split")}, or hold a share out: ${optionName("test", "0.2")}.`,
      { path: "split", expected: "two words", received: words[0] },
    );
  const plain = words.map((word) => word.trim().toLowerCase());
  const marks =
    value !== undefined ? words.map((word) => same(word, value)) : plain.map((word) => testWords.has(word));
  const isFlag =
    /test|held|hold|valid/i.test(column) && plain.every((word) => /^(0|1|true|false|yes|no)$/.test(word));
  if (value === undefined && isFlag) return plain.map((word) => /^(1|true|yes)$/.test(word));
  const testKinds = new Set(plain.filter((word) => testWords.has(word)));
  if (value === undefined && testKinds.size > 1) {
    const [one, other] = testKinds;
    throw new CurvatureError(
      "ERR_OPTION",
      `${shown(column)} holds ${words.slice(0, 5).map(shown).join(", ")}: both ${shown(one)} and ${shown(other)} may mark the test. Say which, ${optionName("split", `${column}=${words[plain.indexOf(one)]}`)}: all others are fitted to. Lines of neither are left out by ${optionName("where", `${column}!=${words[plain.indexOf(other)]}`)}.`,
      { path: "split", received: words },
    );
  }
  const hasBoth = marks.includes(true) && marks.includes(false);
  const isKnown = value !== undefined || plain.every((word) => testWords.has(word) || trainWords.has(word));
  if (hasBoth && isKnown) return marks;
  throw new CurvatureError(
    "ERR_OPTION",
    `${shown(column)} holds ${words.slice(0, 5).map(shown).join(", ")}${words.length > 5 ? ", ..." : ""}. Say which of them marks the lines of the test: ${optionName("split", `${column}=${words[1]}`)}.`,
    { path: "split", received: value },
  );
}
