import { CurvatureError, permutation, type RandomGenerator } from "@curvature/linalg";
import { NumberSet } from "./number-set.js";
import type { TripletQuestions } from "./questions.js";

/** So many questions can be listed, and put in a random order. */
const MOST_LISTED = 2 ** 27;

/**
 * Numbers of different questions in random order, as many as are taken; all of them if enough are taken. Few of many
 * are drawn one by one, many of few from a list, so that neither time nor memory grows with questions nobody takes.
 *
 * @param expected - how many are likely to be taken
 * @param others - what follows where more of them are taken than are drawn one by one, and there are too many to list
 * @throws CurvatureError ERR_MEMORY where that is missing
 */
export function* drawnQuestions(
  questions: TripletQuestions,
  expected: number,
  random: RandomGenerator,
  others?: () => Iterable<number>,
): Generator<number, void, void> {
  const { count } = questions;
  const isSparse = expected < count / 4;
  const singly = isSparse ? Math.min(Math.floor(count / 2), 2 * expected + 1000) : 0;
  const taken = new NumberSet(singly);
  for (let drawn = 0; drawn < singly; ) {
    const number = Math.floor(random.uniform() * count);
    if (!taken.add(number)) continue;
    drawn++;
    yield number;
  }
  const isListed = count <= MOST_LISTED;
  if (!isListed && others === undefined)
    throw new CurvatureError(
      "ERR_MEMORY",
      `There are ${count} questions of ${questions.objects} objects, too many to list. Ask for fewer of them.`,
      { path: "count", expected: `at most ${MOST_LISTED} questions in all`, received: count },
    );
  const rest = isListed || others === undefined ? permutation(random, count) : others();
  for (const number of rest) if (!taken.has(number)) yield number;
}
