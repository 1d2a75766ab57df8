/** The sets of `time-to-error.ts`, with the steps that suit them and what was recorded of cblearn on them. */
import type { OrdinalLossName } from "@curvature/objectives/ordinal";
import record from "./cblearn-record.json" with { type: "json" };
import { artists, cities, hasArtists, type OrdinalSet, synthetic } from "./sets.ts";

export type Loss = Extract<OrdinalLossName, "soe" | "ste" | "tste" | "gnmds" | "ckl">;

/** η of a single answer, best on a coarse grid by the test error of two other starts: in favour of these methods. */
interface Tuned {
  readonly sgd: number;
  readonly svrg: number;
}
export interface Recorded {
  /** Of those recorded on the set the one with the least error; empty where there was one. */
  readonly setting: string;
  readonly runs: number;
  /** Share of wrong test answers, mean over the runs. */
  readonly error: number;
  readonly least: number;
  readonly most: number;
  /** Of whole fits, by the record's clock. */
  readonly seconds: number;
}
export interface Case {
  readonly set: OrdinalSet;
  readonly tuned: Partial<Readonly<Record<Loss, Tuned>>>;
  readonly cblearn: Readonly<Record<Loss, Recorded>>;
}

/** What there is to know of the record, for the method of a report. */
export const RECORD = `${record.package}, recorded on ${record.recorded}, by the ${record.clock}`;

/** Losses to which the record's gradients do not belong (its directional derivatives are not those of its own values). */
export const BROKEN: readonly Loss[] = ["ste", "tste"];

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
      cblearn: record.sets["synthetic (section 5.1)"],
    },
    {
      set: cities(),
      tuned: {
        gnmds: { sgd: 0.03, svrg: 0.0336 },
        ckl: { sgd: 0.3, svrg: 0.0084 },
        ste: { sgd: 0.03, svrg: 0.0336 },
        tste: { sgd: 0.3, svrg: 0.134 },
      },
      cblearn: record.sets["eurodist (section 5.2)"],
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
  cblearn: record.sets["music artists (section 5.3)"],
});
