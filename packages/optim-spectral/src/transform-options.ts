/** What a user can ask of `transform`. */
import { type OptionsOf, optionTable } from "@curvature/linalg";
import { facadeEntries } from "@curvature/optim-core";

/** What `transform` does, one after the other; "neighbors" has checking and preparing the new points and the search. */
export type TransformPhase = "neighbors" | "affinities" | "placement";

const { signal, onPhase } = /* @__PURE__ */ facadeEntries<never, TransformPhase>();

/** A subset of what `embed` takes, with the same meanings. */
export const transformOptions = optionTable({ signal, onPhase });
export type TransformOptions = OptionsOf<typeof transformOptions>;
