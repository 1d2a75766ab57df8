/**
 * The question at a place of the dialogue. Every fifth is drawn at random, and its answer kept back: questions that were
 * chosen since they are hard would make the map look worse than it is. The others are those of `selectQuestions`.
 *
 * The question at place N depends on the first N − 1 answers: it is made while the visitor still looks at the one
 * before, and a link that holds the answers asks it again.
 */
import { RandomGenerator } from "@curvature/linalg";
import { type NextQuestion, selectQuestions } from "@curvature/optim-svrg";
import { type Answer, comparisonsOf, divided, isKeptBack, setSize } from "./answers.js";

export interface Question {
  readonly anchor: number;
  /** In the order in which they are shown. */
  readonly choices: readonly [number, number];
  readonly isKeptBack: boolean;
  /** Bits that the answer is expected to teach; undefined for a question drawn at random. */
  readonly gain: number | undefined;
}

/** Candidates of which the first that was not asked yet is taken: the fit does not know those that were kept back. */
const candidates = 40;

/**
 * @param answers - all so far; of place N, the last may be there or not
 * @param waiting - a question that is asked and has no answer yet
 * @returns undefined when all questions have been asked
 */
export async function questionAt(
  place: number,
  answers: readonly Answer[],
  waiting: Question | undefined,
  { seed, signal }: { readonly seed: number; readonly signal: AbortSignal },
): Promise<Question | undefined> {
  const asked: Omit<Answer, "byRule">[] = [...answers];
  if (waiting !== undefined) {
    const { anchor, choices } = waiting;
    asked.push({ anchor, near: choices[0], far: choices[1] });
  }
  const kept = isKeptBack(place);
  const settings = { objects: setSize, seed: seed + place, signal };
  const { questions } = kept
    ? await selectQuestions(comparisonsOf(asked), {
        ...settings,
        count: 1,
        randomFirst: Number.MAX_SAFE_INTEGER,
      })
    : await selectQuestions(divided(answers.slice(0, Math.max(0, place - 1))).train, {
        ...settings,
        count: candidates,
      });
  const before = new Set(asked.map(({ anchor, near, far }) => keyOf(anchor, near, far)));
  const found = questions.find(({ anchor, first, second }) => !before.has(keyOf(anchor, first, second)));
  return found === undefined ? undefined : shown(found, kept, new RandomGenerator(seed + place));
}

const keyOf = (anchor: number, one: number, other: number): string =>
  `${anchor} ${Math.min(one, other)} ${Math.max(one, other)}`;

/** Left and right by lot. */
function shown(
  { anchor, first, second, gain }: NextQuestion,
  isKept: boolean,
  random: RandomGenerator,
): Question {
  const choices: readonly [number, number] = random.uniform() < 0.5 ? [first, second] : [second, first];
  return { anchor, choices, isKeptBack: isKept, gain };
}
