/** What the ordinal view lets one choose: each field stands here once, for links, controls, runs and code. */
import type { OrdinalLossName } from "@curvature/objectives/ordinal";
import { ordinalEmbeddingOptions } from "@curvature/optim-svrg";
import { choice, line, number, pick, slider } from "../../controls/declared.js";
import { changed, codec, type Given, type StateOf } from "../../state/codec.js";
import { answersField } from "./answers.js";

export type DrawnName = "colors" | "shapes";

export const setNames = {
  colors: "Colours",
  shapes: "Shapes",
  cities: "Cities of Europe",
  file: "Your file",
  study: "A study of your own",
} as const;
export type SetKind = keyof typeof setNames;

const lossNames: Readonly<Record<OrdinalLossName, string>> = {
  soe: "SOE, the safest",
  logistic: "logistic",
  tste: "t-STE",
  ste: "STE",
  gnmds: "GNMDS, for many wrong answers",
  ckl: "CKL",
  "smooth-hinge": "smooth hinge",
};

const { entries } = ordinalEmbeddingOptions;

/** Options of `ordinalEmbedding`. */
export const fitFields = {
  loss: choice(entries.loss, { label: "Loss", hint: "What a wrong answer costs.", names: lossNames }),
  seed: number(entries.seed, { label: "Seed", step: 1 }),
};

/** Options of `readComparisons`, under its names; what is empty is found by the reader. */
export const readingFields = {
  kind: pick(
    "auto",
    {
      auto: "found by itself",
      triplets: "anchor, nearer, farther",
      quadruplets: "two pairs, the nearer one first",
      "odd-one-out": "three or more, and the odd one",
      rank: "an anchor, then from the nearest on",
      choices: "an anchor, and some chosen of several",
      ratings: "two, and how alike they are",
    },
    { label: "What a line is" },
  ),
  roles: line(400, {
    label: "Which column is what",
    placeholder: "anchor=Center,near=Left,far=Right,answer=Answer",
  }),
  participant: line(200, { label: "Column of people" }),
  trial: line(200, { label: "Column of trials" }),
  time: line(200, { label: "Column of times" }),
  catch: line(200, { label: "Column of catch trials" }),
  where: line(200, { label: "Only lines with", placeholder: "phase=main" }),
  ignore: line(400, { label: "Columns that are not needed" }),
  first: line(200, { label: "The answer that means the first of the two" }),
  tie: line(200, { label: "The answer that means equally near" }),
  response: pick(
    "auto",
    { auto: "found by itself", object: "objects", side: "sides" },
    { label: "Answers are" },
  ),
  choose: line(4, { label: "How many were chosen" }),
  missing: pick("error", { error: "not allowed", drop: "left out" }, { label: "Lines with empty cells" }),
  degenerate: pick(
    "error",
    { error: "not allowed", drop: "left out" },
    { label: "Lines that compare what is the same" },
  ),
  objects: pick(
    "auto",
    { auto: "found by itself", indices: "numbers from 0", names: "names" },
    { label: "Objects are" },
  ),
};
export type AnswerReading = StateOf<typeof readingFields>;

export const fields = {
  set: pick("colors", setNames, { label: "What is compared" }),
  /** About a drawn set. */
  answers: answersField,
  /** Answers that are drawn from the distances between the cities. */
  count: slider(800, {
    label: "Answers",
    hint: "Drawn at random of 3,990; a fifth is kept back.",
    range: [20, 3500],
    step: 20,
  }),
  ...readingFields,
  ...fitFields,
};
export type OrdinalState = StateOf<typeof fields>;
export const ordinalCodec = codec<OrdinalState>(fields);

/** Options of `ordinalEmbedding` that are plain data, without those that are the defaults. */
export type FitOptions = Given<StateOf<typeof fitFields>>;
export const fitOptions = (state: OrdinalState): FitOptions =>
  changed(ordinalEmbeddingOptions, fitFields, state);

export const isDrawn = (set: SetKind): set is DrawnName => set === "colors" || set === "shapes";
