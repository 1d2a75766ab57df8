/**
 * Columns beside objects: who answered, in which trial, when. Where every column counts as an object by its position, such a
 * one would become objects, and the map would have people in it. It shows in its name, or in its words, which no other column
 * has.
 */
import { CurvatureError, optionName, shown } from "@curvature/linalg";
import type { AnswerKind } from "./answer-kinds.js";

/** A column's name without its spelling. */
export const plain = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s.-]+/g, "_");

/** A column's name as an option takes it, or its index. */
export const typed = (name: string, column: number): string =>
  /^[^\s,="'*]+$/.test(name) ? name : String(column);

const names: Readonly<Record<string, RegExp>> = {
  participant:
    /^([a-z]+_)?(who|whose|person|people|participant|worker|turker|subject|subj|sub|ppt|user|respondent|responder|rater|annotator|observer|judge|assessor|labell?er|student|puid|prolific|login)s?(_?(id|number|name|pid|no|nr|code|index))?$|^[a-z]*(pid|uid)$/,
  trial:
    /^([a-z]+_)?(trial|question|hit|block|task|session|assignment|round|run)(_?(id|number|index|no|nr|n))?$|^(triplet|row|line)_?(id|number|index|no|nr)$|^id$/,
  time: /^([a-z]+_)?(rt|time|timestamp|date|datetime|duration|seconds|latency|elapsed)(_?(ms|msec|s|sec|seconds))?$/,
};

export const isBeside = (name: string): boolean =>
  Object.values(names).some((words) => words.test(plain(name)));

export const namesPerson = (name: string): boolean => names["participant"]?.test(plain(name)) ?? false;

/** What is known of the columns. */
interface Columns {
  readonly kind: AnswerKind;
  readonly objects: readonly number[];
  readonly answers: readonly number[];
}

/** @throws CurvatureError ERR_PARSE for an object's column that is named like a person, a trial or a time */
export function checkBeside(columns: Columns, header: readonly string[], line: number): void {
  for (const [option, words] of Object.entries(names)) {
    const column = columns.objects.find((k) => words.test(plain(header[k])));
    if (column === undefined) continue;
    const name = header[column];
    throw new CurvatureError(
      "ERR_PARSE",
      `Line ${line} names a column ${shown(name)}, which would be one of the objects. If it is none, write ${optionName(option, typed(name, column))} or ${optionName("ignore", typed(name, column))}; if it is one, name all of them: ${optionName("roles", rolesOf(columns, header))}.`,
      { path: `line ${line}`, received: name },
    );
  }
}

/** The roles as they would be written. */
export function rolesOf({ kind, objects, answers }: Columns, header: readonly string[]): string {
  const own = (k: number): string => typed(header[k] ?? String(k), k);
  const words: Readonly<Record<AnswerKind, readonly string[]>> = {
    triplets: ["anchor", "near", "far"],
    quadruplets: ["i", "j", "l", "k"],
    "odd-one-out": objects.map(() => "object"),
    rank: ["anchor", ...objects.slice(1).map(() => "option")],
    choices: ["anchor", ...objects.slice(1).map(() => "option")],
    ratings: ["first", "second"],
  };
  const last = kind === "odd-one-out" ? "odd" : kind === "choices" || kind === "rank" ? "chosen" : "answer";
  return [
    ...objects.map((k, at) => `${words[kind][at]}=${own(k)}`),
    ...answers.map((k) => `${last}=${own(k)}`),
  ].join(",");
}

/** Lines from which on words that one column alone has are no chance. */
const SEVERAL = 10;

/**
 * Doubts columns whose words stand in no other, beside at least two that share theirs.
 *
 * @param objects - lines × columns, the places of words; −1 for none
 */
export function doubtStrayColumns(
  objects: Int32Array,
  columns: readonly number[],
  header: readonly string[] | undefined,
): readonly string[] {
  const width = columns.length;
  if (objects.length < SEVERAL * width) return [];
  const inSeveral = -1;
  const columnOf = new Map<number, number>();
  const wordsIn = columns.map(() => new Set<number>());
  for (const [at, word] of objects.entries()) {
    if (word < 0) continue;
    const place = at % width;
    wordsIn[place].add(word);
    columnOf.set(word, (columnOf.get(word) ?? place) === place ? place : inSeveral);
  }
  const shared = wordsIn.map((words) => [...words].filter((word) => columnOf.get(word) === inSeveral).length);
  const isStray = (place: number): boolean => wordsIn[place].size > 0 && shared[place] === 0;
  const others = [...shared.keys()].filter((place) => !isStray(place));
  if (others.length < 2 || others.some((place) => 2 * shared[place] < wordsIn[place].size)) return [];
  return columns.flatMap((column, place) => {
    if (!isStray(place)) return [];
    const name = header === undefined ? `Column ${column + 1}` : `The column ${shown(header[column])}`;
    return `${name} is taken for objects, but none of its words stands in another column of objects. If it says who answered, give it as the option participant; if it says something else, as the option ignore.`;
  });
}
