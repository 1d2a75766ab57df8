/** What the experimenter fills in, kept by the browser until the next visit; pictures are not. */
import { recall, remember } from "../../../state/memory.js";
import { limits, type Study, type StudyKind } from "../../../study/study.js";
import { namesIn } from "./names.js";
import type { Picture } from "./pictures.js";

export interface StudyForm {
  readonly title: string;
  readonly consent: string;
  readonly instructions: string;
  /** Undefined for the usual one of the kind. */
  readonly question: string | undefined;
  readonly ending: string;
  readonly kind: StudyKind;
  /** As they are typed, one a line. */
  readonly names: string;
  readonly questions: number;
  readonly repeats: number;
  readonly catches: number;
  readonly seed: number;
}

export const usualQuestions: Readonly<Record<StudyKind, string>> = {
  triplets: "Which of the two is more like the one above?",
  "odd-one-out": "Which of the three is least like the others?",
};

const blank: StudyForm = {
  title: "",
  consent: "",
  instructions: "",
  question: undefined,
  ending: "",
  kind: "triplets",
  names: "",
  questions: 100,
  repeats: 10,
  catches: 5,
  seed: 1,
};

const key = "ordinal.study";

export const keepForm = (form: StudyForm): void => remember(key, JSON.stringify(form));

export function keptForm(): StudyForm {
  try {
    const found: unknown = JSON.parse(recall(key) ?? "");
    return typeof found === "object" && found !== null ? takenFrom(found) : blank;
  } catch {
    return blank;
  }
}

/** What another version has written is left out. */
function takenFrom(found: object): StudyForm {
  const text = (name: keyof StudyForm): string => {
    const value: unknown = Reflect.get(found, name);
    return typeof value === "string" ? value : "";
  };
  const count = (name: "questions" | "repeats" | "catches" | "seed"): number => {
    const value: unknown = Reflect.get(found, name);
    return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= limits.seed
      ? value
      : blank[name];
  };
  return {
    title: text("title"),
    consent: text("consent"),
    instructions: text("instructions"),
    question: text("question") || undefined,
    ending: text("ending"),
    kind: text("kind") === "odd-one-out" ? "odd-one-out" : "triplets",
    names: text("names"),
    questions: Math.max(1, count("questions")),
    repeats: count("repeats"),
    catches: count("catches"),
    seed: count("seed"),
  };
}

export function studyIn(form: StudyForm, pictures: readonly Picture[]): Study {
  const { title, consent, instructions, question, ending, kind, questions, repeats, catches, seed } = form;
  const hasPictures = pictures.length > 0;
  return {
    ...{ title: title.trim(), consent: consent.trim(), instructions: instructions.trim() },
    ...{ question: question?.trim() || usualQuestions[kind], ending: ending.trim(), kind },
    names: hasPictures ? pictures.map(({ name }) => name) : namesIn(form.names),
    images: hasPictures ? pictures.map(({ image }) => image) : undefined,
    ...{ questions, repeats, catches, seed },
  };
}
