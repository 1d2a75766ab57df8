/**
 * The words of `curvature train`, and what its help says.
 */
import type {
  ClassificationLoss,
  FeatureScaling,
  LinearClassifierOptions,
  LinearSolverName,
  RegressionLoss,
} from "@curvature/optim-sgdqn";
import { type Command, InvalidArgumentError, Option } from "commander";
import { fileName, nonNegativeNumber, numberAbove, oneOf, wholeNumber } from "../arguments.js";
import { addIgnoreOption, type ColumnFlags } from "../read/column-use.js";
import { isPipe } from "../read/file.js";
import { numbersIfAll } from "../read/linear-input.js";
import type { IndexBase, RowLabels } from "../read/rows.js";
import { usageError } from "../run/failure.js";
import { addCheckpointOptions, exitCodeHelp, type SolverFlags } from "./common-options.js";

const classificationLosses = [
  "squared-hinge",
  "hinge",
  "smoothed-hinge",
  "logistic",
  "modified-huber",
] as const satisfies readonly ClassificationLoss[];
const regressionLosses = ["squared-error", "huber"] as const satisfies readonly RegressionLoss[];
const losses = [...classificationLosses, ...regressionLosses] as const;
const solvers = [
  "auto",
  "newton",
  "dcd",
  "lbfgs",
  "sgdqn",
  "sgdqn-2009",
  "svmsgd2",
  "sgd",
  "asgd",
  "olbfgs",
] as const satisfies readonly LinearSolverName[];
const biases = ["auto", "regularized", "free", "none"] as const;
/** As everywhere on the command line; in the package's words. */
const scalings = {
  auto: "auto",
  none: "none",
  max: "max-abs",
  rms: "rms",
  standard: "standard",
  unit: "unit-rows",
} as const satisfies Record<string, FeatureScaling>;

export type ScalingWord = keyof typeof scalings;
export const scalingOf = (word: ScalingWord): FeatureScaling => scalings[word];

export interface TrainFlags extends SolverFlags, ColumnFlags {
  readonly loss: (typeof losses)[number];
  readonly lossWidth?: number;
  readonly lambda?: number;
  readonly lambdaPath?: true;
  readonly bias: (typeof biases)[number];
  readonly scale: ScalingWord;
  readonly classWeight?: NonNullable<LinearClassifierOptions["classWeights"]>;
  readonly classes?: RowLabels;
  readonly probabilities?: true;
  readonly solver: LinearSolverName;
  readonly t0?: number | "auto";
  readonly shuffle: boolean;
  readonly indexBase: IndexBase;
  /** A share of the rows, or a file. */
  readonly test?: number | string;
  readonly folds?: number;
  /** Undefined: by what the input is. */
  readonly stream?: boolean;
  readonly model?: string;
  readonly plot?: string;
  readonly report?: string;
}

const isRegressionLoss = (loss: TrainFlags["loss"]): loss is RegressionLoss =>
  regressionLosses.some((name) => name === loss);

/** The loss with the kind of model that it belongs to. */
export type Task =
  | { readonly kind: "classification"; readonly loss: ClassificationLoss }
  | { readonly kind: "regression"; readonly loss: RegressionLoss };

export const taskOf = ({ loss }: TrainFlags): Task =>
  isRegressionLoss(loss) ? { kind: "regression", loss } : { kind: "classification", loss };

/** Whether the method learns from one row after the other. */
export const visitsRows = ({ solver }: TrainFlags): boolean =>
  !["auto", "newton", "dcd", "lbfgs"].includes(solver);

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
  if (flags.ignore !== undefined)
    throw usageError(
      "--ignore is for tables, and a stream is LIBSVM text; give --no-stream for a table, or leave out --ignore.",
      "ignore",
    );
  if (typeof flags.test === "number") refuse("--test with a share");
  if (flags.folds !== undefined) refuse("--folds");
  if (flags.lambdaPath) refuse("--lambda-path");
  if (flags.probabilities) refuse("--probabilities");
  if (flags.classWeight === "balanced") refuse("--class-weight balanced");
  if (flags.plot !== undefined) refuse("--plot, the cost on the way,");
  if (flags.tolerance !== undefined) refuse("--tolerance");
  if (!["auto", "none", "unit"].includes(flags.scale)) refuse(`--scale ${flags.scale}`);
  if (flags.solver !== "auto" && !visitsRows(flags)) refuse(`--solver ${flags.solver}`);
  if (isPipe(file) && (flags.maxPasses ?? 1) > 1) {
    throw usageError(
      `--max-passes: ${file === "-" ? "standard input" : "a pipe"} can be read once only; give a file for more passes.`,
    );
  }
}

export function addTrainOptions(command: Command): Command {
  addDataOptions(command)
    .option(
      "--test <share|file>",
      "rows to measure the model on: a share of the data, as 0.2, or another file",
      shareOrFile,
    )
    .option("--folds <k>", "cross-validate: train k times without a part, and test on it", wholeNumber(2))
    .addOption(
      new Option(
        "--scale <how>",
        `rescale the features (the model does so too): ${Object.keys(scalings).join(", ")}`,
      )
        .default("auto")
        .argParser(oneOf(["auto", "none", "max", "rms", "standard", "unit"] as const)),
    )
    .option("--stream", "read LIBSVM text in constant memory (default: for standard input)")
    .option("--no-stream", "hold the data in memory, also those from standard input")
    .optionsGroup("Model:")
    .addOption(choice("--loss <name>", "classes", classificationLosses, losses).default("squared-hinge"))
    .option("--loss-width <h>", "of the smoothed hinge and of huber (default: 1)", numberAbove(0))
    .option("--lambda <l>", "weight of |w|^2 / 2 (default: mean |x|^2 / n)", numberAbove(0))
    .option("--lambda-path", "try a path of weights on rows held out, and keep the best")
    .addOption(
      new Option("--bias [kind]", `constant term: ${biases.join(", ")} (--bias alone: regularized)`)
        .default("auto")
        .preset("regularized")
        .argParser(oneOf(biases)),
    )
    .option(
      "--class-weight <weights>",
      "balanced, or what an error costs by class: spam=3,ham=1",
      classWeights,
    )
    .option("--classes <list>", "all classes, as a,b,c (default: those of the labels)", classList)
    .option("--probabilities", "learn how scores become probabilities (5 more fits; logistic has them)")
    .optionsGroup("Method:")
    .addOption(new Option("--solver <name>", solvers.join(", ")).default("auto").argParser(solverName))
    .option(
      "--t0 <t>",
      "offset of the learning rate 1 / (lambda (t + t0)): auto (by the rows' lengths), or a number",
      offset,
    )
    .option("--no-shuffle", "visit the rows in the order of the file")
    .optionsGroup("Stopping (the first rule that holds):")
    .option("--max-passes <n>", "passes over the rows (default: what the solver needs)", numberAbove(0))
    .option("--max-seconds <s>", "seconds in the solver", numberAbove(0))
    .option("--tolerance <t>", "gap (P - P*) / P, see below (default: 1e-3)", nonNegativeNumber);
  return addCheckpointOptions(command)
    .optionsGroup("Output:")
    .option("--model <file>", "the model, as JSON", fileName)
    .option("--plot <file>", "the learning curve: .svg, .png or .html", fileName)
    .option("--report <file>", "the figures of the training, as JSON", fileName)
    .addHelpText("after", `\n${stoppingHelp}\n\n${exitCodeHelp}\n\n${examples}`);
}

/** What all commands that read labelled rows know. */
export function addDataOptions(command: Command): Command {
  command
    .optionsGroup("Data:")
    .option(
      "--labels <column|file>",
      "of a table: a column, by name or by index from 0; or a file, one label per line",
      fileName,
    );
  return addIgnoreOption(command).option(
    "--index-base <n>",
    "LIBSVM text counts features from: auto, 0, 1",
    indexBase,
    "auto",
  );
}

function choice(
  flags: string,
  description: string,
  words: readonly string[],
  all: readonly TrainFlags["loss"][],
): Option {
  const others = all.filter((word) => !words.includes(word)).join(", ");
  return new Option(flags, `${description}: ${words.join(", ")}; numbers: ${others}`).argParser(oneOf(all));
}

/** The year belongs to the name with or without a hyphen. */
const solverName = (word: string): LinearSolverName =>
  oneOf(solvers)(word === "sgdqn2009" ? "sgdqn-2009" : word);

function indexBase(word: string): IndexBase {
  if (word === "0") return 0;
  if (word === "1") return 1;
  return oneOf(["auto"] as const)(word);
}

function offset(word: string): number | "auto" {
  if (word === "auto") return word;
  const t0 = numberAbove(0)(word);
  if (t0 < 1) throw new InvalidArgumentError("It must be auto, or a number of at least 1.");
  return t0;
}

function shareOrFile(word: string): number | string {
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(word)) return fileName(word);
  const share = Number(word);
  if (share > 0 && share < 1) return share;
  throw new InvalidArgumentError("It must be a number between 0 and 1, or the name of a file.");
}

function classWeights(word: string): NonNullable<LinearClassifierOptions["classWeights"]> {
  if (word === "balanced") return word;
  const weights = new Map<string, number>();
  for (const part of word.split(",")) {
    const [, name, weight] = /^([^=]+)=([^=]+)$/.exec(part) ?? [];
    const value = Number(weight);
    if (name === undefined || !(value > 0 && value < Number.POSITIVE_INFINITY)) {
      throw new InvalidArgumentError(
        "It must be balanced, or classes with numbers above 0, as spam=3,ham=1.",
      );
    }
    weights.set(name, value);
  }
  return Object.fromEntries(weights);
}

function classList(word: string): RowLabels {
  const names = word.split(",");
  if (names.length < 2 || names.includes("") || new Set(names).size < names.length) {
    throw new InvalidArgumentError("It must be two or more different classes, as a,b,c.");
  }
  return numbersIfAll(names);
}

const stoppingHelp = `Stopping rules, for P(w) = lambda/2 |w|^2 + mean loss, with least value P*:
  converged        gap <= t,  t = --tolerance;  the gap is
                     dcd      (P - D) / P, D the value of the dual: a bound of (P - P*) / P
                     newton   half the squared Newton decrement / P: near the optimum equal to (P - P*) / P
                     lbfgs    |grad P|^2 / (2 lambda P): a bound
                     auto     that of the method it chooses
  the others       sgdqn, sgdqn-2009, svmsgd2, sgd, asgd, olbfgs know no gap: they make --max-passes passes (default: 10),
                   and with a --tolerance end when |P(k-1) - P(k)| <= t P(k-1) for two passes k in turn
  limits           --max-passes (default for the others: 1000), --max-seconds
  diverged         the parameters left the range of numbers although the steps were made smaller`;

const examples = `Examples:
  npx @curvature/cli train mail.svm --test 0.2 --model spam.json
  npx @curvature/cli train flowers.csv --labels species --loss logistic --model flowers.json --report report.json
  zcat huge.svm.gz | npx @curvature/cli train - --solver sgdqn --model huge.json`;
