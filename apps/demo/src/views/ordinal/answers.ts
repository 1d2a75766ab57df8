/** A visitor's answers about a drawn set: as text in a link, as comparisons for the packages. */
import type { Comparisons } from "@curvature/objectives/ordinal";
import type { AnswerGroups } from "@curvature/optim-svrg";
import type { Field } from "../../state/fields.js";

/** "`anchor` is more like `near` than like `far`." */
export interface Answer {
  readonly anchor: number;
  readonly near: number;
  readonly far: number;
  /** Whether the set's rule answered, and not the visitor. */
  readonly byRule: boolean;
}

/** Objects of every drawn set. */
export const setSize = 16;

/** Beyond this a link would grow too long. */
export const mostAnswers = 400;

/** One in so many answers is kept back: the map never sees it. */
const keptBackEvery = 5;

/** Whether the answer at this place (from 0) is kept back. */
export const isKeptBack = (place: number): boolean => place % keptBackEvery === keptBackEvery - 1;

const letterOf = (object: number): string => String.fromCharCode(97 + object);
const objectOf = (letter: string): number => letter.toLowerCase().charCodeAt(0) - 97;

/** Three letters an answer: anchor, near, far; the first is a capital where the rule answered. */
export function answersText(answers: readonly Answer[]): string {
  return answers.map(oneText).join("");
}

function oneText({ anchor, near, far, byRule }: Answer): string {
  const first = letterOf(anchor);
  return `${byRule ? first.toUpperCase() : first}${letterOf(near)}${letterOf(far)}`;
}

const lastLetter = letterOf(setSize - 1);
const form = new RegExp(`^([a-${lastLetter}A-${lastLetter.toUpperCase()}][a-${lastLetter}]{2})*$`);

export const answersField: Field<readonly Answer[]> = {
  fallback: [],
  parse(text) {
    if (text.length > 3 * mostAnswers || !form.test(text)) return undefined;
    const answers: Answer[] = [];
    for (let at = 0; at < text.length; at += 3) {
      const [first, second, third] = text.slice(at, at + 3);
      const answer = {
        anchor: objectOf(first),
        near: objectOf(second),
        far: objectOf(third),
        byRule: first !== first.toLowerCase(),
      };
      if (new Set([answer.anchor, answer.near, answer.far]).size < 3) return undefined;
      answers.push(answer);
    }
    return answers;
  },
  format: answersText,
};

/** Options of `tripletsFromDistances`: a fifth of the answers is kept back. */
export function cityAnswers(count: number, seed: number): { count: number; test: number; seed: number } {
  const test = Math.floor(count / keptBackEvery);
  return { count: count - test, test, seed };
}

/** Comparisons, and of each its trial and its person, where a file names them. */
export type GroupedAnswers = Comparisons & { readonly groups?: AnswerGroups | undefined };

/** Answers to fit, and answers to measure the map by. */
export interface DividedAnswers {
  readonly train: GroupedAnswers;
  readonly test: GroupedAnswers;
}

export function divided(answers: readonly Answer[]): DividedAnswers {
  return {
    train: comparisonsOf(answers.filter((_, place) => !isKeptBack(place))),
    test: comparisonsOf(answers.filter((_, place) => isKeptBack(place))),
  };
}

export const comparisonsOf = (answers: readonly Omit<Answer, "byRule">[]): Comparisons => ({
  objects: setSize,
  quadruplets: Int32Array.from(answers.flatMap(({ anchor, near, far }) => [anchor, near, anchor, far])),
});

/**
 * Every fifth question of a file is kept back, with all answers to it, or every fifth trial where trials are named, of which one
 * makes several answers: a map must not be measured by what it has seen.
 */
export function dividedByQuestion({ objects, quadruplets, weights, groups }: GroupedAnswers): DividedAnswers {
  const places = new Map<string | number, number>();
  const train: number[] = [];
  const test: number[] = [];
  for (let q = 0; 4 * q < quadruplets.length; q++) {
    const key = groups?.trial?.[q] ?? questionKey(quadruplets.subarray(4 * q, 4 * q + 4));
    const place = places.get(key) ?? places.size;
    places.set(key, place);
    (isKeptBack(place) ? test : train).push(q);
  }
  const labels = (of: ArrayLike<string | number> | undefined, list: readonly number[]) =>
    of && list.map((q) => of[q]);
  const chosen = (list: readonly number[]): GroupedAnswers => {
    const some = new Int32Array(4 * list.length);
    list.forEach((q, to) => {
      some.set(quadruplets.subarray(4 * q, 4 * q + 4), 4 * to);
    });
    return {
      objects,
      quadruplets: some,
      weights: weights && Float64Array.from(list, (q) => weights[q]),
      groups: groups && {
        trial: labels(groups.trial, list),
        participant: labels(groups.participant, list),
      },
    };
  };
  return { train: chosen(train), test: chosen(test) };
}

/** The same for both answers to a question. */
function questionKey([i, j, l, k]: Int32Array): string {
  const one = i < j ? `${i},${j}` : `${j},${i}`;
  const other = l < k ? `${l},${k}` : `${k},${l}`;
  return one < other ? `${one} ${other}` : `${other} ${one}`;
}
