/** What a user can ask of `extendMap`. */
import {
  either,
  integerOrInfinity,
  numberThat,
  type OptionsOf,
  oneOf,
  optionTable,
  type SettingsOf,
} from "@curvature/linalg";
import { facadeEntries } from "@curvature/optim-core";
import { type EmbedPhase, embedOptions } from "./embed-options.js";
import type { EmbeddingDetails } from "./immediate-solver.js";

const {
  checkpoint: _,
  resume: __,
  ...runEntries
} = /* @__PURE__ */ facadeEntries<EmbeddingDetails, EmbedPhase>();

const someShare = /* @__PURE__ */ numberThat("a number from 0.001 to 1", (v) => v >= 1e-3 && v <= 1);

export const extendOptions = optionTable({
  ...runEntries,
  /**
   * How far the old points may move on average, beside the map's radius (the root mean square of its points' distances from their
   * mean), after the similarity transform that brings the new map closest to the old one. Their hold is made
   * firmer until they move no farther, and looser where they move by less than half of that and the map gains by it. "free": nothing holds them.
   */
  movement: either(oneOf("free"), someShare).default(0.1),
  /** As of `embed`. */
  threads: embedOptions.entries.threads,
  /**
   * Evaluations of E and its gradient in each of the descents, of which there are up to five; under a looser hold a quarter of them.
   * Infinity: 100, the length of their schedule.
   */
  maxEvaluations: integerOrInfinity(1).default(100),
});
export type ExtendOptions = OptionsOf<typeof extendOptions>;
export type ExtendSettings = SettingsOf<typeof extendOptions>;
