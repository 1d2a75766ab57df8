/** What the ordinal view lets one choose, and how that reads in a link. */
import type { OrdinalLossName } from "@curvature/objectives/ordinal";
import { type Codec, codec } from "../../state/codec.js";
import { choice, whole } from "../../state/fields.js";
import { type Answer, answersField, keptBackEvery } from "./answers.js";

export type DrawnName = "colors" | "shapes";

export const setNames = {
  colors: "Colours",
  shapes: "Shapes",
  cities: "Cities of Europe",
  file: "Your file",
} as const;

export const setKinds = ["colors", "shapes", "cities", "file"] as const;
export type SetKind = (typeof setKinds)[number];

export const lossNames: Readonly<Record<OrdinalLossName, string>> = {
  soe: "SOE, the safest",
  logistic: "logistic",
  tste: "t-STE",
  ste: "STE",
  gnmds: "GNMDS, for many wrong answers",
  ckl: "CKL",
  "smooth-hinge": "smooth hinge",
};
export const losses: readonly OrdinalLossName[] = [
  "soe",
  "logistic",
  "tste",
  "ste",
  "gnmds",
  "ckl",
  "smooth-hinge",
];

export const leastCount = 20;
export const mostCount = 3500;

export interface OrdinalState {
  readonly set: SetKind;
  /** About a drawn set. */
  readonly answers: readonly Answer[];
  /** Answers that are drawn from the distances between the cities. */
  readonly count: number;
  readonly loss: OrdinalLossName;
  readonly seed: number;
}

export const ordinalCodec: Codec<OrdinalState> = codec<OrdinalState>(
  { set: "colors", answers: [], count: 800, loss: "soe", seed: 0 },
  {
    set: choice(setKinds),
    answers: answersField,
    count: whole(leastCount, mostCount),
    loss: choice(losses),
    seed: whole(0, 2 ** 32 - 1),
  },
);

/** Options of `ordinalEmbedding` that are plain data; the defaults are left out. */
export interface FitOptions {
  readonly loss?: OrdinalLossName;
  readonly seed?: number;
}

export const fitOptions = ({ loss, seed }: Pick<OrdinalState, "loss" | "seed">): FitOptions => ({
  ...(loss === "soe" ? {} : { loss }),
  ...(seed === 0 ? {} : { seed }),
});

export const isDrawn = (set: SetKind): set is DrawnName => set === "colors" || set === "shapes";

/** Options of `tripletsFromDistances`: a fifth of the answers is kept back. */
export function cityAnswers(count: number, seed: number): { count: number; test: number; seed: number } {
  const test = Math.floor(count / keptBackEvery);
  return { count: count - test, test, seed };
}
