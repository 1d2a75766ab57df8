/** The sets of `time-to-error.ts`, with the steps that suit them and what cblearn has on them. */
import type { OrdinalLossName } from "@curvature/objectives/ordinal";
import { artists, cities, hasArtists, type OrdinalSet, synthetic } from "./sets.ts";

export type Loss = Extract<OrdinalLossName, "soe" | "ste" | "tste" | "gnmds" | "ckl">;

/** η of a single answer, best on a coarse grid by the test error of two other starts: in favour of these methods. */
interface Tuned {
  readonly sgd: number;
  readonly svrg: number;
}
export interface Recorded {
  readonly error: number;
  readonly seconds: number;
}
export interface Case {
  readonly set: OrdinalSet;
  readonly tuned: Partial<Readonly<Record<Loss, Tuned>>>;
  /** cblearn 0.3.0, scipy backend, means over 5 seeds; seconds of the wall clock of a busy machine. */
  readonly cblearn: Readonly<Record<Loss, Recorded>>;
}

/** @param folder - of the music artists */
export function cases(folder: string | undefined): Case[] {
  return [
    {
      set: synthetic(),
      tuned: {
        gnmds: { sgd: 0.01, svrg: 0.016 },
        ckl: { sgd: 0.3, svrg: 0.064 },
        ste: { sgd: 0.03, svrg: 0.032 },
        tste: { sgd: 0.3, svrg: 0.128 },
      },
      cblearn: {
        soe: { error: 0.0497, seconds: 1.716 },
        ste: { error: 0.4329, seconds: 1.313 },
        tste: { error: 0.1113, seconds: 3.237 },
        gnmds: { error: 0.05, seconds: 0.503 },
        ckl: { error: 0.1775, seconds: 3.71 },
      },
    },
    {
      set: cities(),
      tuned: {
        gnmds: { sgd: 0.03, svrg: 0.0336 },
        ckl: { sgd: 0.3, svrg: 0.0084 },
        ste: { sgd: 0.03, svrg: 0.0336 },
        tste: { sgd: 0.3, svrg: 0.134 },
      },
      cblearn: {
        soe: { error: 0.0674, seconds: 0.053 },
        ste: { error: 0.258, seconds: 0.098 },
        tste: { error: 0.1667, seconds: 0.12 },
        gnmds: { error: 0.0455, seconds: 0.128 },
        ckl: { error: 0.0906, seconds: 0.075 },
      },
    },

    ...(hasArtists(folder) ? [musicArtists(folder)] : []),
  ];
}

const musicArtists = (folder: string): Case => ({
  set: artists(folder),
  tuned: {
    gnmds: { sgd: 0.03, svrg: 0.022 },
    ckl: { sgd: 0.3, svrg: 0.176 },
    ste: { sgd: 0.03, svrg: 0.0439 },
    tste: { sgd: 0.3, svrg: 0.703 },
  },
  cblearn: {
    soe: { error: 0.2108, seconds: 4.335 },
    ste: { error: 0.4516, seconds: 2.167 },
    tste: { error: 0.1582, seconds: 23.883 },
    gnmds: { error: 0.1937, seconds: 1.994 },
    ckl: { error: 0.1685, seconds: 69.824 },
  },
});
