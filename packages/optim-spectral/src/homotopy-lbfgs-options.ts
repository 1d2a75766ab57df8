/** What the default recipe for maps takes. */
import { checkOptions, integerFrom, nonNegative, oneOf, optional, type Rules } from "@curvature/linalg";
import type { Shortening } from "./parts-line.js";

export interface HomotopyLbfgsOptions {
  /** T, the length of the schedule, at the end of which the solver stops: it never makes more. Default 100. */
  readonly maxEvaluations?: number;
  /**
   * φ, the first λ as a share of the target, above 0 and up to 1, where there is no homotopy; 1/φ is what t-SNE's users
   * know as early exaggeration. Default 1/12 for t-SNE, 0.08 for s-SNE and SNE, 0.01 for EE and t-EE.
   */
  readonly firstLambda?: number | undefined;
  /**
   * r of the penalty r/(2N) ‖X‖² once λ has reached its target; a smaller one makes a t-SNE map larger and its divergence
   * lower. Default 4e-6 for t-SNE, 0 for the others.
   */
  readonly sizePenalty?: number | undefined;
  /**
   * What is shortened where a point would move farther than the map is large: the whole `"step"` (default), or the `"rows"`
   * of such points alone, which leaves none of them far outside where t-SNE's first map is random.
   */
  readonly shortening?: Shortening;
}

/** Undefined is what depends on the model. */
export const homotopyLbfgsDefaults: Readonly<Required<HomotopyLbfgsOptions>> = Object.freeze({
  maxEvaluations: 100,
  firstLambda: undefined,
  sizePenalty: undefined,
  shortening: "step",
});

const rules: Rules<Required<HomotopyLbfgsOptions>> = {
  maxEvaluations: integerFrom(1),
  firstLambda: optional({
    expected: "a number above 0 and up to 1",
    accepts: (value) => typeof value === "number" && value > 0 && value <= 1,
  }),
  sizePenalty: optional(nonNegative),
  shortening: oneOf("step", "rows"),
};

/** @throws CurvatureError ERR_OPTION */
export const checkHomotopyLbfgs = (
  options: HomotopyLbfgsOptions | undefined,
): Readonly<Required<HomotopyLbfgsOptions>> =>
  checkOptions("HomotopyLbfgs", options, homotopyLbfgsDefaults, rules);
