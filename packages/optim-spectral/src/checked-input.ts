/** What `embed` is given, and what it is asked for, judged before anything is computed. */
import type { DenseMatrix, SparseMatrix } from "@curvature/linalg";
import type { ResolvedOptions } from "./embed-options.js";
import { checkHasEffect, type EmbedSettings, embedSettings } from "./embed-settings.js";
import { finitePoints } from "./embedding-problem.js";
import { checkedGiven, type EmbedInput, type Given, isGiven } from "./source.js";

/** One or two dense points have no settings: no divergence can judge their map. */
type CheckedInput =
  | { readonly given: DenseMatrix; readonly settings: undefined }
  | { readonly given: DenseMatrix | SparseMatrix | Given; readonly settings: EmbedSettings };

/** @throws CurvatureError what `embed` says of data, and of options beside them */
export function checkedInput(input: EmbedInput, options: ResolvedOptions): CheckedInput {
  const given = isGiven(input) ? checkedGiven(input) : finitePoints(input, "points");
  if ("data" in given && given.columns > 0 && (given.rows === 1 || given.rows === 2))
    return { given, settings: undefined };
  const settings = embedSettings(options, given);
  checkHasEffect(options, settings);
  return { given, settings };
}
