/**
 * The words of `curvature train`, and what its help says.
 */
import { either, integerFrom, oneOf, optionTable } from "@curvature/linalg";
import {
  type ClassificationLoss,
  linearClassifierOptions,
  linearRegressorOptions,
  type RegressionLoss,
  stochasticSolverNames,
} from "@curvature/optim-sgdqn";
import type { Command } from "commander";
import { by, fileName, shareOrFile } from "../arguments.js";
import { isPipe } from "../read/file.js";
import { usageError } from "../run/failure.js";
import { addRunOptions, type CheckpointFlags, exitCodeHelp } from "./common-options.js";
import { addDataFlags, type DataFlags, weightsFlag } from "./data-flags.js";
import { addExplanations } from "./explanations.js";
import { type FlagsOf, TableFlags } from "./table-flags.js";

const { loss, ...entries } = linearClassifierOptions.entries;
const trainOptions = optionTable({
  ...entries,
  loss: either(loss, linearRegressorOptions.entries.loss).default("logistic"),
  /** By the words of all commands. */
  scale: oneOf("auto", "none", "max", "rms", "standard", "unit").default("auto"),
});
export const trainFlags = new TableFlags(trainOptions);

export interface TrainFlags extends CheckpointFlags, DataFlags, FlagsOf<typeof trainOptions> {
  /** A share of the rows, or a file. */
  readonly test?: number | string;
  readonly folds?: number;
  /** A column, or a file. */
  readonly weights?: string;
  /** Undefined: by what the input is. */
  readonly stream?: boolean;
  readonly model?: string;
  readonly plot?: string;
  readonly lambdaPath?: string;
  readonly report?: string;
}

/** The loss with the kind of model that it belongs to. */
type ModelKind =
  | { readonly kind: "classification"; readonly loss: ClassificationLoss }
  | { readonly kind: "regression"; readonly loss: RegressionLoss };

export const modelKindOf = ({ loss: name }: TrainFlags): ModelKind =>
  loss.accepts(name) ? { kind: "classification", loss: name } : { kind: "regression", loss: name };

/** Whether the method learns from one row after the other. */
export const visitsRows = ({ solver }: TrainFlags): boolean =>
  stochasticSolverNames.some((name) => name === solver);

/** What needs all rows at once cannot be had from a stream. */
export function checkStreamFlags(file: string, flags: TrainFlags): void {
  const remedy =
    file === "-" && flags.stream === undefined
      ? "standard input is read as a stream; give a file, or --no-stream to hold the data in memory"
      : "leave out --stream to hold the data in memory";
  const refuse = (option: string): never => {
    throw usageError(`${option} needs all rows at once: ${remedy}.`);
  };
  if (flags.labels !== undefined) refuse("--labels");
  if (flags.weights !== undefined) refuse("--weights");
  for (const name of ["columns", "ignore", "keep"] as const)
    if ((flags[name]?.length ?? 0) > 0)
      throw usageError(
        `--${name} is for tables, and a stream is LIBSVM text; give --no-stream for a table, or leave out --${name}.`,
        name,
      );
  if (typeof flags.test === "number") refuse("--test with a share");
  if (flags.folds !== undefined) refuse("--folds");
  if (flags.probabilities) refuse("--probabilities");
  if (flags.classWeights === "balanced") refuse("--class-weight balanced");
  if (flags.plot !== undefined) refuse("--plot, the cost on the way,");
  if (flags.lambdaPath !== undefined) refuse("--lambda-path");
  if (flags.tolerance !== undefined) refuse("--tolerance");
  if (flags.solver !== "auto" && !visitsRows(flags)) refuse(`--solver ${flags.solver}`);
  if (isPipe(file) && (flags.maxPasses ?? 1) > 1) {
    throw usageError(
      `--max-passes: ${file === "-" ? "standard input" : "a pipe"} can be read once only; give a file for more passes.`,
    );
  }
}

export function addTrainOptions(command: Command): Command {
  const flag = trainFlags.flag.bind(trainFlags);
  addDataFlags(command.optionsGroup("Data:"))
    .addOption(weightsFlag())
    .option(
      "--test <share|file>",
      "rows to measure the model on: a share of the data, as 0.2 or 20%, or another file",
      shareOrFile,
    )
    .option("--folds <k>", "cross-validate: train k times without a part, and test on it", by(integerFrom(2)))
    .addOption(flag("scale", "<how>", "rescale the features (the model does so too)"))
    .option("--stream", "read LIBSVM text in constant memory (default: for standard input)")
    .option("--no-stream", "hold the data in memory, also those from standard input")
    .optionsGroup("Model:")
    .addOption(flag("loss", "<name>", "what an error costs (the last two: of numbers)"))
    .addOption(flag("lossWidth", "<h>", "of the smoothed hinge and of huber"))
    .addOption(
      flag(
        "lambda",
        "<l>",
        "weight of |w|^2 / 2, on rescaled features: a number, or auto, chosen by rows left out",
      ),
    )
    .addOption(flag("lambdas", "<list>", "what is tried for it, as 1,0.1,0.01", "--lambda-grid"))
    .addOption(flag("select", "<figure>", "of the rows left out, by which it is chosen"))
    .addOption(flag("bias", "[kind]", "constant term (--bias alone: regularized)").preset("regularized"))
    .addOption(
      flag(
        "classWeights",
        "<weights>",
        "balanced, or what an error costs by class: spam=3,ham=1",
        "--class-weight",
      ),
    )
    .addOption(flag("classes", "<list>", "all classes, as a,b,c (default: those of the labels)"))
    .addOption(
      flag(
        "probabilities",
        undefined,
        "learn how scores become probabilities (5 more fits; logistic has them)",
      ),
    )
    .optionsGroup("Method:")
    .addOption(flag("solver", "<name>", "how it is minimised"))
    .addOption(
      flag(
        "t0",
        "<t>",
        "offset of the learning rate 1 / (lambda (t + t0)): a number, or search (default: by the rows' lengths)",
      ),
    )
    .addOption(flag("shuffle", undefined, "visit the rows in the order of the file", "--no-shuffle"));
  addRunOptions(command, trainFlags, {
    maxPasses: "passes over the rows (default: what the solver needs)",
    tolerance: "gap (P - P*) / P, see below (default: 1e-3)",
  })
    .optionsGroup("Output:")
    .option("-o, --model <file>", "the model, as JSON", fileName)
    .option("--plot <file>", "the learning curve: .svg, .png or .html", fileName)
    .option("--lambda-path <file>", "what rows left out say of each lambda: .svg, .png or .html", fileName)
    .option("--report <file>", "the figures of the training, as JSON", fileName);
  return addExplanations(command, stoppingHelp, exitCodeHelp, examples);
}

const stoppingHelp = `Stopping rules, for P(w) = lambda/2 |w|^2 + mean loss, with least value P*:
  converged        gap <= t,  t = --tolerance;  gap = (P - D) / P, D a value of the dual problem, so that no gap is below (P - P*) / P
  stalled          no step makes P less in double precision, and the gap is above t: it says how far from P* the model is at most
  the others       sgdqn, sgdqn-2009, svmsgd2, sgd, asgd, olbfgs make --max-passes passes (default: 10), and with a --tolerance \
end when |P(k-1) - P(k)| <= t P(k-1) for two passes k in turn; the gap is that of their last point
  limits           --max-passes (default for the others: 1000), --max-seconds
  diverged         the parameters left the range of numbers although the steps were made smaller`;

const examples = {
  verbatim: `Examples:
  npx @curvature/cli train mail.svm --test 0.2 --model spam.json
  npx @curvature/cli train flowers.csv --labels species --model flowers.json --report report.json
  zcat huge.svm.gz | npx @curvature/cli train - --solver sgdqn --model huge.json`,
};
