/** The flags that say which of two classes is meant, and from where on a row is taken for it. */
import { finite, nonNegative } from "@curvature/linalg";
import type { ErrorCosts } from "@curvature/optim-sgdqn";
import { type Command, InvalidArgumentError } from "commander";
import { by } from "../arguments.js";
import { usageError } from "../run/failure.js";
import type { DecisionRequest } from "../tasks/decision.js";

/** "fp=1,fn=5" */
function costsIn(text: string): ErrorCosts {
  const parts = new Map(text.split(",").map((part) => [part.split("=")[0].trim(), part.split("=")[1] ?? ""]));
  const [falsePositive, falseNegative] = ["fp", "fn"].map((name) => nonNegative.read(parts.get(name) ?? ""));
  const isRight =
    parts.size === 2 &&
    nonNegative.accepts(falsePositive) &&
    nonNegative.accepts(falseNegative) &&
    falsePositive + falseNegative > 0;
  if (isRight) return { falsePositive, falseNegative };
  throw new InvalidArgumentError("It must be two costs of at least 0, as fp=1,fn=5.");
}

export const addDecisionOptions = (command: Command): Command =>
  command
    .optionsGroup("Of two classes:")
    .option(
      "--positive <class>",
      "the one that scores, threshold, precision … speak of (default: the second)",
    )
    .option(
      "--threshold <t>",
      "take rows for it whose probability is above t (score, where the model has none)",
      by(finite),
    )
    .option(
      "--costs <list>",
      "cost of a row taken for it wrongly and of one missed, as fp=1,fn=5: the threshold fp / (fp + fn)",
      costsIn,
    );

/** @throws CurvatureError ERR_OPTION for two thresholds */
export function decisionRequest({ positive, threshold, costs }: DecisionRequest): DecisionRequest {
  if (threshold !== undefined && costs !== undefined)
    throw usageError("Give --threshold or --costs, not both.", "threshold");
  return { positive, threshold, costs };
}
