/**
 * The trials of a person, in their order: the same whenever they are made for the same study and person, so that a page that is
 * reloaded goes on where it was.
 *
 * Questions are drawn at random for each person, so that each stimulus is asked about equally often: a map of random answers
 * needs no other computer to choose them, and its test error is that on any question. Each stimulus stands left and right equally
 * often; a question that comes again comes with its sides exchanged, a while later.
 */
import { permutation, RandomGenerator, shuffle } from "@curvature/linalg";
import { markOf, type Study } from "./study.js";

export interface Trial {
  /** The place of a stimulus; undefined where the odd one of three is asked for. */
  readonly anchor: number | undefined;
  /** From left to right. */
  readonly choices: readonly number[];
  /** Of a catch trial the place of the right choice from the left. */
  readonly right: number | undefined;
}

/** Other questions between the two times that one is asked, where there are as many. */
const pause = 10;

export function trialsOf(study: Study, participant: string): readonly Trial[] {
  const { questions, repeats, catches, seed } = study;
  const random = new RandomGenerator(Number.parseInt(markOf(`${seed} ${participant}`).slice(0, 8), 16));
  const asked = inPlaces(drawn(study, random), study, random);
  const timed: (readonly [when: number, trial: Trial])[] = [...asked.entries()];
  const early = Math.max(repeats, questions - pause);
  for (const k of permutation(random, early).subarray(0, repeats)) {
    const { anchor, choices } = asked[k];
    const from = Math.min(k + pause, questions);
    timed.push([
      from + random.uniform() * (questions - from),
      { anchor, choices: [...choices].reverse(), right: undefined },
    ]);
  }
  const obvious = catchTrials(study, random);
  for (const [k, trial] of obvious.entries())
    timed.push([0.5 + ((k + random.uniform()) / catches) * (questions - 1), trial]);
  return timed.sort(([a], [b]) => a - b).map(([, trial]) => trial);
}

/** So many different questions, the stimuli first whose turn it is. */
function drawn({ names, kind, questions }: Study, random: RandomGenerator): number[][] {
  const n = names.length;
  const most = ((n - 1) * (n - 2)) / 2;
  const asked = new Int32Array(n);
  const seen = new Set<string>();
  const found: number[][] = [];
  while (found.length < questions)
    for (const first of permutation(random, n)) {
      if (found.length === questions) break;
      while (asked[first] < most) {
        const others = twoOthers(first, n, random);
        const question = [first, ...others];
        const key = (kind === "triplets" ? question : [...question].sort((a, b) => a - b)).join();
        if (seen.has(key)) continue;
        seen.add(key);
        for (const stimulus of kind === "triplets" ? [first] : question) asked[stimulus]++;
        found.push(question);
        break;
      }
    }
  return found;
}

/** The smaller one first. */
function twoOthers(first: number, n: number, random: RandomGenerator): [number, number] {
  const pick = (taken: readonly number[]): number => {
    let other = random.integer(n);
    while (taken.includes(other)) other = random.integer(n);
    return other;
  };
  const one = pick([first]);
  const other = pick([first, one]);
  return one < other ? [one, other] : [other, one];
}

/** What has stood further to the right goes further to the left. */
function inPlaces(questions: readonly number[][], { kind, names }: Study, random: RandomGenerator): Trial[] {
  const lean = new Int32Array(names.length);
  return questions.map(([first, one, other]) => {
    const choices = kind === "triplets" ? [one, other] : [first, one, other];
    shuffle(random, choices);
    choices.sort((a, b) => lean[a] - lean[b]);
    lean[choices[0]]++;
    lean[choices[choices.length - 1]]--;
    return { anchor: kind === "triplets" ? first : undefined, choices, right: undefined };
  });
}

function catchTrials({ names, kind, catches }: Study, random: RandomGenerator): Trial[] {
  const places = kind === "triplets" ? 2 : 3;
  const rights = Array.from({ length: catches }, (_, k) => k % places);
  shuffle(random, rights);
  return rights.map((right) => {
    const twin = random.integer(names.length);
    const [other] = twoOthers(twin, names.length, random);
    if (kind === "triplets")
      return { anchor: twin, choices: right === 0 ? [twin, other] : [other, twin], right };
    return { anchor: undefined, choices: [0, 1, 2].map((place) => (place === right ? other : twin)), right };
  });
}
