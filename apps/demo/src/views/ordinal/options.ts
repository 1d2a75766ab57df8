/** What the ordinal view lets one choose: each field stands here once, for links, controls, runs and code. */
import type { OrdinalLossName } from "@curvature/objectives/ordinal";
import { ordinalEmbeddingOptions } from "@curvature/optim-svrg";
import { choice, number, pick, slider } from "../../controls/declared.js";
import { changed, codec, type Given, type StateOf } from "../../state/codec.js";
import { answersField } from "./answers.js";

export type DrawnName = "colors" | "shapes";

export const setNames = {
  colors: "Colours",
  shapes: "Shapes",
  cities: "Cities of Europe",
  file: "Your file",
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
  ...fitFields,
};
export type OrdinalState = StateOf<typeof fields>;
export const ordinalCodec = codec<OrdinalState>(fields);

/** Options of `ordinalEmbedding` that are plain data, without those that are the defaults. */
export type FitOptions = Given<StateOf<typeof fitFields>>;
export const fitOptions = (state: OrdinalState): FitOptions =>
  changed(ordinalEmbeddingOptions, fitFields, state);

export const isDrawn = (set: SetKind): set is DrawnName => set === "colors" || set === "shapes";
