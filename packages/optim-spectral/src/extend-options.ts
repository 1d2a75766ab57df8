/** What a user can ask of `extendMap`. */
import {
  either,
  integerFrom,
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
   * mean), after the similarity transform that brings the new map closest to the old one. Of several firmnesses of their hold the one is
   * taken whose map is best and moves no farther. "free": nothing holds them.
   */
  movement: either(oneOf("free"), someShare).default(0.1),
  /** As of `embed`. */
  threads: embedOptions.entries.threads,
  /** Evaluations of E and its gradient in each of the descents, of which there are two or three as a rule. */
  maxEvaluations: integerFrom(1).default(100),
});
export type ExtendOptions = OptionsOf<typeof extendOptions>;
export type ExtendSettings = SettingsOf<typeof extendOptions>;
