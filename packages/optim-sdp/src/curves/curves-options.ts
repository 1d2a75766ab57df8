/** The options of `separateCurves`. */
import { either, integerFrom, type OptionsOf, oneOf, optionTable } from "@curvature/linalg";
import { facadeEntries } from "@curvature/optim-core";
import { memoryOptions } from "../gram-options.js";
import { type NomadDetails, nomadOptions } from "../nomad-options.js";

export const separateCurvesOptions = optionTable({
  /** How many curves there are, from 1 to the number of points; "auto" finds it out. */
  clusters: either(oneOf("auto"), integerFrom(1)).default("auto"),
  ...memoryOptions.entries,
  /** Of the relaxation that bounds the cut; the labels do not depend on it. */
  solver: nomadOptions.entries.solver,
  /** Gap of the cut, (cut − cutLower)/cut, at which the run has converged. */
  tolerance: nomadOptions.entries.tolerance,
  certify: nomadOptions.entries.certify,
  /** Of the relaxation. */
  seed: nomadOptions.entries.seed,
  /** Of the relaxation. */
  maxIterations: nomadOptions.entries.maxIterations,
  // `maxSeconds` limits the relaxation; what comes before it ends by the signal
  ...facadeEntries<NomadDetails, "curves" | "gram" | "geometry">(),
});
export type SeparateCurvesOptions = OptionsOf<typeof separateCurvesOptions>;
