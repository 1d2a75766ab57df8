/** What an experimenter decides, and what a page of a study is made of. */

export const studyKinds = {
  triplets: "Which of two is more like a third",
  "odd-one-out": "Which of three is the odd one",
} as const;
export type StudyKind = keyof typeof studyKinds;

export interface Study {
  readonly title: string;
  /** What one agrees to; empty where nothing is asked for. */
  readonly consent: string;
  readonly instructions: string;
  readonly question: string;
  /** What to do with the saved file. */
  readonly ending: string;
  readonly kind: StudyKind;
  /** Of the stimuli, no two alike. */
  readonly names: readonly string[];
  /** As data URLs, in the order of the names; undefined where names are shown. */
  readonly images: readonly string[] | undefined;
  /** Different questions for each person. */
  readonly questions: number;
  /** So many of them are asked a second time. */
  readonly repeats: number;
  /** Trials with an obvious answer. */
  readonly catches: number;
  readonly seed: number;
}

export const limits = { stimuli: 2000, trials: 2000, name: 200, words: 20_000, seed: 2 ** 31 - 1 } as const;

/** Different questions that there are about so many stimuli. */
export const questionsAbout = (stimuli: number, kind: StudyKind): number =>
  (stimuli * (stimuli - 1) * (stimuli - 2)) / (kind === "triplets" ? 2 : 6);

/** Why this is no study, in a sentence for its experimenter; undefined if it is one. */
export function problemOf({ names, questions, repeats, catches, kind }: Study): string | undefined {
  const { length } = names;
  if (length < 3)
    return `A question is about three stimuli, and there ${length === 1 ? "is one" : length === 0 ? "are none" : "are two"}. Add more.`;
  if (length > limits.stimuli) return `There are ${length} stimuli; ${limits.stimuli} are the most.`;
  const long = names.find((name) => name.length > limits.name);
  if (long !== undefined)
    return `“${long.slice(0, 40)}…” has ${long.length} characters; a name has ${limits.name} at most.`;
  const seen = new Set<string>();
  const twice = names.find((name) => seen.size === seen.add(name).size);
  if (twice !== undefined) return `“${twice}” is there twice. Remove one, or give it another name.`;
  const most = questionsAbout(length, kind);
  if (questions > most)
    return `About ${length} stimuli there are ${most} different questions, and each person is to be asked ${questions}. Ask fewer.`;
  if (repeats > questions)
    return `${repeats} questions cannot be asked twice where there are ${questions}. Repeat fewer.`;
  const trials = questions + repeats + catches;
  if (trials > limits.trials)
    return `${trials} trials are too many for a person; ${limits.trials} are the most.`;
  return undefined;
}

const isText = (value: unknown, most: number): value is string =>
  typeof value === "string" && value.length <= most;
const isCount = (value: unknown, least: number, most: number): value is number =>
  Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
const areTexts = (value: unknown, isOne: (text: unknown) => boolean): value is readonly string[] =>
  Array.isArray(value) && value.every(isOne);

/** What came by a link or a file, if it is a study. */
export function studyOf(value: unknown): Study | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const get = (name: keyof Study): unknown => Reflect.get(value, name);
  const [title, consent, instructions] = [get("title"), get("consent"), get("instructions")];
  const [question, ending, kind] = [get("question"), get("ending"), get("kind")];
  const [names, images] = [get("names"), get("images")];
  const [questions, repeats, catches, seed] = [get("questions"), get("repeats"), get("catches"), get("seed")];
  if (
    !isText(title, limits.words) ||
    !isText(consent, limits.words) ||
    !isText(instructions, limits.words) ||
    !isText(question, limits.words) ||
    !isText(ending, limits.words) ||
    (kind !== "triplets" && kind !== "odd-one-out") ||
    !areTexts(names, (name) => isText(name, limits.name) && name !== "") ||
    !isCount(questions, 1, limits.trials) ||
    !isCount(repeats, 0, limits.trials) ||
    !isCount(catches, 0, limits.trials) ||
    !isCount(seed, 0, limits.seed)
  )
    return undefined;
  const isPicture = (image: unknown): boolean =>
    typeof image === "string" && /^data:image\/[a-z0-9.+-]+;base64,[A-Za-z0-9+/=]*$/.test(image);
  if (images !== undefined && !(areTexts(images, isPicture) && images.length === names.length))
    return undefined;
  const words = { title, consent, instructions, question, ending };
  const study: Study = { ...words, kind, names, images, questions, repeats, catches, seed };
  return problemOf(study) === undefined ? study : undefined;
}

/** The same for the same text, and as good as never for another: where a browser keeps the answers. */
export function markOf(text: string): string {
  let [a, b] = [0x811c9dc5, 0x1b873593];
  for (let k = 0; k < text.length; k++) {
    const code = text.charCodeAt(k);
    a = Math.imul(a ^ code, 0x01000193);
    b = Math.imul(b ^ code, 0x85ebca6b) ^ (b >>> 13);
  }
  return [a, b].map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}
